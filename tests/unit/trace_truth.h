/* Two clocks whose readings the test knows at every instant: the clock of the master, which shows global time, and
 * another clock.
 *
 * Both clocks consist of pieces of constant rate. A random pair keeps to its declared limits: a rate differs from 1 by
 * at most the skew, and changes by at most the wander within any minute (in a longer time, in proportion). */
#ifndef TESTS_UNIT_TRACE_TRUTH_H
#define TESTS_UNIT_TRACE_TRUTH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "trace/sync/band.h"

enum { TRUTH_MOST = 8192 };

static const double truth_second_ns = 1e9;

/** The instants between which both rates are constant, in true time and as readings of both clocks, which are relative
 * to their bases. */
struct truth {
    int count;
    long double true_ns[TRUTH_MOST], clock_ns[TRUTH_MOST], master_ns[TRUTH_MOST];
    int64_t clock_base_ns, master_base_ns;
};

static inline void truth_begin(struct truth *truth, int64_t clock_base_ns, int64_t master_base_ns)
{
    truth->count = 1;
    truth->true_ns[0] = truth->clock_ns[0] = truth->master_ns[0] = 0;
    truth->clock_base_ns = clock_base_ns;
    truth->master_base_ns = master_base_ns;
}

/** Adds a piece. The rates are 1 + clock and 1 + master. */
static inline void truth_run(struct truth *truth, long double for_ns, double clock, double master)
{
    int at = truth->count++;
    truth->true_ns[at] = truth->true_ns[at - 1] + for_ns;
    truth->clock_ns[at] = truth->clock_ns[at - 1] + for_ns + for_ns * clock;
    truth->master_ns[at] = truth->master_ns[at - 1] + for_ns + for_ns * master;
}

/** Converts one of the three times into another. Before the first piece and after the last one, extrapolates by their
 * rates. */
static inline long double truth_map(const struct truth *truth, const long double *from, const long double *to,
                                    long double at_ns)
{
    int low = 0, high = truth->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (from[middle] <= at_ns)
            low = middle;
        else
            high = middle;
    }
    return to[low] + (at_ns - from[low]) * ((to[low + 1] - to[low]) / (from[low + 1] - from[low]));
}

/** Returns the clock's time at an instant, relative to its base. truth_master does so for the master. */
static inline long double truth_clock(const struct truth *truth, long double true_ns)
{
    return truth_map(truth, truth->true_ns, truth->clock_ns, true_ns);
}

static inline long double truth_master(const struct truth *truth, long double true_ns)
{
    return truth_map(truth, truth->true_ns, truth->master_ns, true_ns);
}

/** Returns clock - global at the time when the clock shows `clock_ns`, relative to the bases. */
static inline long double truth_offset(const struct truth *truth, long double clock_ns)
{
    return clock_ns - truth_map(truth, truth->clock_ns, truth->master_ns, clock_ns);
}

static inline int64_t truth_floor(long double ns, int64_t granule_ns)
{
    return (int64_t)floorl(ns / (long double)granule_ns) * granule_ns;
}

/** Returns a reading of the clock with this granule, which must divide the base. */
static inline int64_t truth_read_clock(const struct truth *truth, long double true_ns, int64_t granule_ns)
{
    return truth->clock_base_ns + truth_floor(truth_clock(truth, true_ns), granule_ns);
}

static inline int64_t truth_read_master(const struct truth *truth, long double true_ns, int64_t granule_ns)
{
    return truth->master_base_ns + truth_floor(truth_master(truth, true_ns), granule_ns);
}

static inline double truth_between(uint64_t *random, double least, double most)
{
    return least + (most - least) * ordo_random_unit(random);
}

/* The rate of a random clock: a slow drift plus a jitter, which is often one of its two extremes. The drift is a step
 * function, so within a given time it may change by one step more than its slope says. */
struct truth_rate {
    double base, drift, slope, jitter, skew;
};

enum { TRUTH_STEP_S = 10 };

static inline struct truth_rate truth_rate_draw(uint64_t *random, const struct ordo_declared *declared)
{
    double wander = declared->max_wander_ppb * 1e-9, skew = declared->max_skew_ppb * 1e-9;
    double share = (double)(ordo_random_next(random) % 3) / 2;
    return (struct truth_rate){.base = truth_between(random, -skew, skew - wander * share),
                               .slope = wander * (1 - share) / (60 + TRUTH_STEP_S),
                               .jitter = wander * share,
                               .skew = skew};
}

static inline double truth_rate_next(struct truth_rate *rate, uint64_t *random, double for_s)
{
    double jitter = rate->jitter * fmin(fmax(truth_between(random, -1, 2), 0), 1);
    if (ordo_random_next(random) % 8 == 0)
        rate->slope = -rate->slope;
    double now = rate->base + rate->drift;
    if ((rate->slope > 0 && now + rate->jitter + rate->slope * for_s > rate->skew) ||
        (rate->slope < 0 && now + rate->slope * for_s < -rate->skew))
        rate->slope = -rate->slope;
    rate->drift += rate->slope * for_s;
    return now + jitter;
}

/** Draws two clocks that keep the declared skew and wander, for some seconds. */
static inline void truth_draw(struct truth *truth, uint64_t *random, const struct ordo_declared *declared,
                              double seconds, int64_t granule_ns)
{
    struct truth_rate clock = truth_rate_draw(random, declared), master = truth_rate_draw(random, declared);
    int64_t clock_base = (int64_t)(ordo_random_next(random) >> 4) / 1000000000 * 1000000000;
    int64_t master_base = (int64_t)(ordo_random_next(random) >> 4) / 1000000000 * 1000000000;
    truth_begin(truth, clock_base / granule_ns * granule_ns, master_base / granule_ns * granule_ns);
    while (truth->true_ns[truth->count - 1] < (long double)(seconds * truth_second_ns) &&
           truth->count < TRUTH_MOST - 1) {
        double for_s = truth_between(random, 0.5, TRUTH_STEP_S);
        double own = truth_rate_next(&clock, random, for_s), other = truth_rate_next(&master, random, for_s);
        truth_run(truth, (long double)(for_s * truth_second_ns), own, other);
    }
}

/** The parameters of exchanges. */
struct truth_exchanges {
    int count;       /* number of exchanges in a session */
    double delay_ns; /* largest delay of a message */
    int64_t clock_granule_ns, master_granule_ns;
};

/** Adds a session that begins at `true_ns`. Every fourth message takes no time. */
static inline void truth_session(const struct truth *truth, uint64_t *random, const struct truth_exchanges *how,
                                 long double true_ns, int64_t session, struct ordo_fixes *fixes)
{
    for (int i = 0; i < how->count; i++) {
        double there = ordo_random_next(random) % 4 ? truth_between(random, 0, how->delay_ns) : 0;
        double back = ordo_random_next(random) % 4 ? truth_between(random, 0, how->delay_ns) : 0;
        struct ordo_fix fix =
            ordo_fix_of_exchange(session, truth_read_clock(truth, true_ns, how->clock_granule_ns),
                                 truth_read_master(truth, true_ns + (long double)there, how->master_granule_ns),
                                 truth_read_clock(truth, true_ns + (long double)(there + back), how->clock_granule_ns));
        (void)ordo_fixes_add(fixes, &fix, NULL);
        true_ns += (long double)(there + back) + (long double)truth_between(random, 1000, 1e6);
    }
}

#endif
