/* Publishes the time of day of this host: gathers evidence of references, lets them agree, and writes the page.
 *
 * Promises of the operator, on which every published interval rests:
 *   [P1] The clock of each reference, but for at most K at a time, shows the reference time within its declared error. A
 *        reference that was wrong still counts as wrong until later answers have outgrown its bounds of that moment, at
 *        most (its error + the journey of its answer) / rate, or for `hold_ns` if it is silent.
 *   [P2] The rate of the local clock is wrong by at most `rate_ppm`.
 *   [P3] Readings of the local clock differ between CPUs by at most its boundary.
 *   [P4] The local clock stands still only in a suspend that the kernel sees, or in a pause that VMClock marks.
 * The interval of the agreement (agree.h) is about the local time of the anchor. A slot has the boundary once more on each
 * side, for the reading by which a reader meets the anchor.
 *
 * If the evidence contradicts the promises, the page is withdrawn, all evidence is forgotten, and the publisher begins
 * anew; so it does after a suspend or a change of VMClock's marker. Sets no clock, prints nothing. */
#ifndef ORDO_NET_TIMED_PUBLISHER_H
#define ORDO_NET_TIMED_PUBLISHER_H

#include "net/timed/agree.h"
#include "net/timed/page.h"
#include "net/timed/reference.h"

enum { ORDO_TIMED_REFERENCES = 32 };

struct ordo_timed_options {
    struct ordo_timed_reference_options reference[ORDO_TIMED_REFERENCES];
    int references, liars;
    struct ordo_net_keys keys;             /* empty if all references are programs on this host */
    const char *output, *record, *vmclock; /* vmclock: path of its page; "": none */
    enum ordo_timed_kind kind;
    double rate_ppm;
    int64_t stamp_ns, probe_every_ns, every_ns, void_after_ns, hold_ns;
    uint64_t capacity;
    /** Takes a line about an event. */
    void (*say)(const char *line);
};

/** The counts since the start. */
struct ordo_timed_counts {
    uint64_t slots, files, withdrawals, suspends, steps, failures;
};

struct ordo_timed;

/** Makes a publisher. The options must outlive it. Returns 0, or
 *
 * - a code of ordo_open_error: the clock was required, and cannot be used;
 * - ORDO_E_SYSTEM: no socket, another publisher has the path, or the path cannot be written;
 * - ORDO_E_CLOCK: VMClock's page cannot be read. */
int ordo_timed_new(const struct ordo_timed_options *options, struct ordo_timed **timed, struct ordo_error *error);
void ordo_timed_free(struct ordo_timed *timed);

/** Sends due probes, receives answers, and publishes. Waits at most until `until_ns` of CLOCK_MONOTONIC; a signal also ends the
 * wait. Returns 0, or a code of a clock that cannot be used any more, such as ORDO_E_DISRUPTED: its boundary record was
 * withdrawn. The page is withdrawn then. */
int ordo_timed_step(struct ordo_timed *timed, int64_t until_ns, struct ordo_error *error);

/** Returns the counts. */
struct ordo_timed_counts ordo_timed_counts(const struct ordo_timed *timed);

/** True if a page of this publisher is published, and not withdrawn. */
bool ordo_timed_publishes(const struct ordo_timed *timed);

/** Returns the clock in use. */
const struct ordo_timed_clock *ordo_timed_clock_of(const struct ordo_timed *timed);

/** Withdraws the page, for a publisher that ends and will not come back. */
void ordo_timed_withdraw(struct ordo_timed *timed);

#endif
