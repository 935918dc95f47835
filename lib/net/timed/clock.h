/* The local clock of the published time: the counter with a measured boundary, or CLOCK_MONOTONIC_RAW.
 *
 * Both run freely: no time server steers them. A reading of the kernel's clock is converted to the clock outside of any
 * time namespace, so that a page serves all of them.
 *
 * Let c(t) be the reading of a CPU's clock at t. A boundary B bounds |c(t) - c'(t)| for any two covered CPUs. */
#ifndef ORDO_NET_TIMED_CLOCK_H
#define ORDO_NET_TIMED_CLOCK_H

#include <stdbool.h>

#include <ordo/now.h>
#include <ordo/ordo.h>

#include "base/error.h"
#include "base/interval.h"

enum ordo_timed_kind { ORDO_TIMED_AUTO, ORDO_TIMED_COUNTER, ORDO_TIMED_KERNEL };

struct ordo_timed_clock {
    struct ordo handle; /* of the boundary record; closed: there is none */
    uint32_t id;        /* enum ordo_clock_id */
    uint64_t tick_hz, tick_ns_32;
    int64_t boundary_ns;
    uint64_t boundary; /* generation of the record; 0: promised */
    int64_t shift_ns;  /* of this time namespace */
    double rate_ppm;   /* bound on the error of the rate by which ticks become ns */
    unsigned char cpus[8192];
};

/** Opens the clock. With ORDO_TIMED_AUTO: the counter if its record at `path` (NULL: searched) can be opened, else the
 * kernel's clock. The kernel's clock has no record: the operator promises `stamp_ns` as its boundary, and that all CPUs
 * keep it. Returns 0, or a code of ordo_open_error. */
int ordo_timed_clock_open(struct ordo_timed_clock *clock, enum ordo_timed_kind kind, const char *path, double rate_ppm,
                          int64_t stamp_ns, struct ordo_error *error);
void ordo_timed_clock_close(struct ordo_timed_clock *clock);

/** Returns a reading, in ticks. */
uint64_t ordo_timed_clock_ticks(const struct ordo_timed_clock *clock);

/** Returns a reading, in ns since the clock's zero; of a struct ordo_timed_clock, as a socket needs it. */
int64_t ordo_timed_clock_ns(const void *clock);

static inline int64_t ordo_timed_clock_ns_of(const struct ordo_timed_clock *clock, uint64_t ticks)
{
    return (int64_t)ordo_now_ticks_to_ns(ticks, clock->tick_ns_32);
}

/** The state of the system's clocks on which a proof depends. */
struct ordo_timed_era {
    int64_t wall_ns;                   /* CLOCK_REALTIME - CLOCK_MONOTONIC, outside of any time namespace */
    struct ordo_interval suspended_ns; /* contains CLOCK_BOOTTIME - CLOCK_MONOTONIC, likewise */
};

/** Reads CLOCK_REALTIME - CLOCK_MONOTONIC, outside of any time namespace. False: ticks came between in every attempt. */
bool ordo_timed_wall_read(const struct ordo_timed_clock *clock, int64_t *wall_ns);

/** Reads the era. `wall_ns` is read first: if the machine is suspended after this read, the page has the old difference,
 * and its readers find the suspend [T2]. False: the clocks cannot be read. */
bool ordo_timed_era_read(const struct ordo_timed_clock *clock, struct ordo_timed_era *era);

/** True if the machine was certainly suspended between the two, for more than a millisecond. A shorter suspend cannot be
 * told from a step; the publisher widens its evidence for it. */
static inline bool ordo_timed_era_suspended(const struct ordo_timed_era *then, const struct ordo_timed_era *now)
{
    return now->suspended_ns.low > then->suspended_ns.high + 1000000;
}

#endif
