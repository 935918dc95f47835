/* Compares the clock sources of this machine: the cost of a reading, the clocks on other CPUs and over time, who steers
 * them, and their fitness for each purpose. */
#ifndef ORDO_MACHINE_COMPARISON_COMPARISON_H
#define ORDO_MACHINE_COMPARISON_COMPARISON_H

#include "machine/comparison/cost.h"
#include "machine/comparison/discipline.h"
#include "machine/comparison/series.h"
#include "machine/counter/counter.h"
#include "machine/counter/trust.h"

enum ordo_purpose {
    ORDO_PURPOSE_ORDER,    /* order events across cores */
    ORDO_PURPOSE_DURATION, /* measure durations */
    ORDO_PURPOSE_MACHINES, /* compare with other machines */
    ORDO_PURPOSE_NODE,     /* copy one model to all ranks of the node */
    ORDO_PURPOSES
};

/** "order", "duration", "machines", "node". */
const char *ordo_purpose_name(enum ordo_purpose purpose);

enum ordo_fit { ORDO_FIT_NO, ORDO_FIT_LIMITED, ORDO_FIT_YES };

/** "no", "limited", "yes". */
const char *ordo_fit_name(enum ordo_fit fit);

struct ordo_fitness {
    enum ordo_fit fit;
    char reason[200];
};

/** True if a clock shows the time of the kernel's last tick. Such a clock lags by the delay of the kernel's timer,
 * which in a virtual machine has no bound. Therefore nothing can be proved about the clock, and its jumps are those of
 * the clock that it copies. */
static inline bool ordo_clock_is_coarse(const struct ordo_clock_source *source)
{
    return source->granule_units >= 1000000;
}

/** A clock on another CPU against the same clock on the first CPU. An offset is the other CPU's clock minus the first
 * CPU's. */
struct ordo_across {
    unsigned cpu;
    uint64_t messages;           /* number of messages in both directions */
    struct ordo_range offset_ns; /* certain if the offset is constant; if it changed, the hull of both looks */
    struct ordo_range drift_ppm; /* certain if the drift is constant */
    double backward_ns; /* largest step back: a later reading was smaller than an earlier one by this; 0: none */
};

struct ordo_clock_compared {
    const struct ordo_clock_source *source;
    const struct ordo_clock_source *against; /* the reference of accuracy, rate and stability */
    enum ordo_entry entry;
    struct ordo_clock_cost cost;
    double step_ns; /* bound on the lag of a reading */
    size_t samples; /* number of brackets that were used */
    struct ordo_series_spread spread;
    struct ordo_series_stability stability;
    struct ordo_range rate_ppm; /* against monotonic_raw; infinite for a coarse clock */
    double rate_span_s;
    struct ordo_series_events jumps, slews;
    struct ordo_across *across; /* one for each CPU except the first */
    struct ordo_fitness fitness[ORDO_PURPOSES];
};

struct ordo_comparison {
    double seconds;
    int64_t apart_ns;     /* time between samples */
    int64_t begin_utc_ns; /* CLOCK_REALTIME and CLOCK_MONOTONIC_RAW at the origin of all times here */
    int64_t begin_raw_ns;
    struct ordo_range tick_hz; /* the counter's rate on the first CPU, by CLOCK_MONOTONIC_RAW */
    unsigned *cpus;
    int cpu_count;
    struct ordo_trust_verdict trust;
    struct ordo_discipline discipline;
    struct ordo_clock_compared *clocks; /* the clocks that exist on this machine */
    int clock_count;
};

struct ordo_comparison_options {
    double seconds;   /* positive */
    const char *cpus; /* such as 0-3,8; the first is the reference; NULL: all that this process may use */
    void (*progress)(void *context, double share, const char *words); /* may be NULL */
    void *context;
};

/** Measures all sources of ordo_clock_sources for slightly more than `seconds`, in two pinned threads of its own.
 * Returns 0 with `*comparison`, which the caller frees; ORDO_E_CPUS, ORDO_E_INVALID, ORDO_E_MEASURE or
 * ORDO_E_SYSTEM. */
int ordo_comparison_run(const struct ordo_comparison_options *options, struct ordo_comparison **comparison,
                        struct ordo_error *error);

void ordo_comparison_free(struct ordo_comparison *comparison);

/** Summarises a clock over all CPUs: the hull of all offsets and drifts, and the largest step back. Offsets are 0 if
 * there is only one CPU. */
struct ordo_across ordo_across_hull(const struct ordo_clock_compared *clock, int cpu_count);

/** Gives the counter the properties that `reference` shows against it, with the sign reversed. Jumps that all clocks
 * made at once are the counter's jumps, so they are removed from all clocks. Pure. */
void ordo_clock_blame_counter(struct ordo_comparison *comparison, struct ordo_clock_compared *counter,
                              const struct ordo_clock_compared *reference);

/** Judges the fitness of a clock from all its other members. Pure. */
void ordo_fitness_judge(const struct ordo_comparison *comparison, struct ordo_clock_compared *clock);

#endif
