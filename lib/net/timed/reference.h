/* A reference of the published time: a host whose clock is wrong by at most a declared error, or a program on this host
 * that claims to know the time.
 *
 * Let T(t) be the reference time when the local clock shows t, and o = T - t.
 *   [R1] The clock of a reference host shows T within its error E. A probe to the host left at x, and arrived when the
 *        host's clock showed y. So T was at most y + E at the arrival, which was after the departure: o(x) <= y - x + E.
 *        A probe from the host that left at y' and arrived at x' gives o(x') >= y' - x' - E.
 *   [R2] The rate of o is at most R = r / (1 - r), if the rate of the local clock is wrong by at most r: only the local
 *        clock widens the interval, and not the clock of the host. The host's clock may be steered and stepped, within E.
 *   [R3] A reading of the local clock differs from that of CPU 0's clock by at most B. The intervals are about CPU 0's
 *        clock, so each stamp is wrong by at most B.
 *   [R4] A program's claim was about an instant between two readings of the local clock, so it bounds o at the second one
 *        with the time between the two as an addition to the latest time. */
#ifndef ORDO_NET_TIMED_REFERENCE_H
#define ORDO_NET_TIMED_REFERENCE_H

#include "net/live/narrow.h"
#include "net/source/source.h"
#include "net/timed/clock.h"

/** The reference as the operator names it. */
struct ordo_timed_reference_options {
    char name[128];
    struct ordo_net_address address; /* of a host */
    uint16_t key;
    const struct ordo_source *source; /* NULL: a host */
    char path[128];                   /* of the source; empty: its default */
    int64_t error_ns;                 /* E; for a source, an addition to its claim */
};

struct ordo_timed_reference {
    const struct ordo_timed_reference_options *options;
    struct ordo_net_prober prober; /* of a host */
    struct ordo_net_fix fix;       /* o, without E */
    int64_t heard_ns;              /* CLOCK_MONOTONIC at the last evidence; 0: none yet */
    int64_t next_ns;               /* CLOCK_MONOTONIC at the next read of a source */
    bool broken;                   /* its own evidence contradicted itself since the last round */
    bool accused;                  /* the last agreement left it out */
    int64_t accused_ns;            /* CLOCK_MONOTONIC when it was last left out; 0: never */
    struct ordo_error error;       /* of the last read of a source; code 0: none */
};

/** Makes a reference. False if out of memory or random numbers. */
bool ordo_timed_reference_make(struct ordo_timed_reference *reference,
                               const struct ordo_timed_reference_options *options, int64_t every_ns);
void ordo_timed_reference_free(struct ordo_timed_reference *reference);

/** Forgets all evidence, because the local clock did not run on, or is another one now. */
void ordo_timed_reference_forget(struct ordo_timed_reference *reference, const struct ordo_timed_clock *clock);

/** Allows for a local clock that stood still for at most `most_ns`: the offset has grown by at most as much. */
void ordo_timed_reference_stood(struct ordo_timed_reference *reference, int64_t most_ns);

/** Sends a due probe, or reads the source. Returns CLOCK_MONOTONIC at the next thing to do. */
int64_t ordo_timed_reference_act(struct ordo_timed_reference *reference, struct ordo_net_port *port,
                                 const struct ordo_timed_clock *clock, int64_t now_ns);

/** Takes a message. False: it is not for this reference. */
bool ordo_timed_reference_take(struct ordo_timed_reference *reference, struct ordo_net_port *port,
                               const struct ordo_net_message *message, const struct ordo_net_arrival *arrival);

/** Computes the interval of o at the local time `at_ns`, with E. False: it is not known. */
bool ordo_timed_reference_at(struct ordo_timed_reference *reference, int64_t at_ns, struct ordo_interval *offset_ns);

#endif
