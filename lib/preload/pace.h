/* The pace of a kernel clock: its rate against the counter, from sights. Pure functions.
 *
 * Two sights confine the rate to an interval, whose width is that of the sights divided by the time between them. A
 * window begins at one sight; every later sight narrows the interval. If a sight contradicts the window, the kernel has
 * changed its rate: the window begins again at the sight before. The rate that is used is the last one, moved into the
 * interval. */
#ifndef ORDO_PRELOAD_PACE_H
#define ORDO_PRELOAD_PACE_H

#include "preload/line.h"

struct preload_pace {
    uint64_t rate;               /* 2^-32 ns a tick; 0: nothing is known */
    uint64_t least, most;        /* the rate is between these */
    struct preload_sight window; /* the first sight of the window */
    struct preload_sight last;   /* the sight before; at 0: none */
};

enum { PRELOAD_WINDOW_NS = 1000000000 }; /* so that a difference in units of 2^-32 ns fits into 64 bits */

/** Returns the nominal rate of a counter. */
static inline uint64_t preload_rate_of_hz(uint64_t tick_hz)
{
    return tick_hz ? (uint64_t)(((preload_ns32)1000000000 << 32) / tick_hz) : 0;
}

static inline void preload_pace_begin(struct preload_pace *pace, const struct preload_sight *sight)
{
    pace->window = *sight;
    pace->least = 0;
    pace->most = UINT64_MAX;
}

/* Narrows the interval by the sight. Returns 0 if the two contradict each other. */
static inline int preload_pace_narrow(struct preload_pace *pace, const struct preload_sight *sight)
{
    const uint64_t ticks = sight->at - pace->window.at;
    const int64_t low = sight->low_ns - pace->window.high_ns, high = sight->high_ns - pace->window.low_ns;
    uint64_t least = low > 0 ? ((uint64_t)low << 32) / ticks : 0;
    uint64_t most = high > 0 ? ((uint64_t)high << 32) / ticks + 1 : 0;
    if (least < pace->least)
        least = pace->least;
    if (most > pace->most)
        most = pace->most;
    if (least > most)
        return 0;
    pace->least = least;
    pace->most = most;
    return 1;
}

/** Takes a sight into account, and returns the rate. A window ends after a second, so that the differences fit. */
static inline uint64_t preload_pace_take(struct preload_pace *pace, const struct preload_sight *sight)
{
    const int64_t high = sight->high_ns - pace->window.low_ns;
    if (pace->last.at == 0 || sight->at <= pace->last.at || high > 2 * (int64_t)PRELOAD_WINDOW_NS) {
        preload_pace_begin(pace, sight);
    } else if (!preload_pace_narrow(pace, sight)) {
        preload_pace_begin(pace, &pace->last);
        (void)preload_pace_narrow(pace, sight);
    } else if (high > PRELOAD_WINDOW_NS) {
        preload_pace_begin(pace, sight);
    }
    pace->last = *sight;
    if (pace->rate < pace->least)
        pace->rate = pace->least;
    if (pace->rate > pace->most)
        pace->rate = pace->most;
    return pace->rate;
}

#endif
