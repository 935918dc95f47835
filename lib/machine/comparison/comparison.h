/* The clock sources of this machine, compared: what a reading costs, what the clocks do on other CPUs and over time, who
 * steers them, and what each is good for. */
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

/** Whether a clock shows the time of the kernel's last tick. It is late by as much as that timer is, which in a virtual
 * machine nothing bounds: of it nothing can be proved, and its jumps are those of the clock that it is a copy of. */
static inline bool ordo_clock_is_coarse(const struct ordo_clock_source *source)
{
    return source->granule_units >= 1000000;
}

/** The clock on another CPU, against the same on the first: client minus reference. */
struct ordo_across {
    unsigned cpu;
    uint64_t messages;           /* both directions */
    struct ordo_range offset_ns; /* certain, for as long as it did not change; the hull of both looks where it did */
    struct ordo_range drift_ppm; /* certain, if it is constant */
    double backward_ns; /* the largest step back that a message saw: of two readings the later was less; 0: none */
};

struct ordo_clock_compared {
    const struct ordo_clock_source *source;
    const struct ordo_clock_source *against; /* what accuracy, rate and stability are of */
    enum ordo_entry entry;
    struct ordo_clock_cost cost;
    double step_ns; /* what a reading may lag: at most so much */
    size_t samples; /* brackets that were looked at */
    struct ordo_series_spread spread;
    struct ordo_series_stability stability;
    struct ordo_range rate_ppm; /* against monotonic_raw; infinite for a coarse clock */
    double rate_span_s;
    struct ordo_series_events jumps, slews;
    struct ordo_across *across; /* one for each CPU but the first */
    struct ordo_fitness fitness[ORDO_PURPOSES];
};

struct ordo_comparison {
    double seconds;
    int64_t apart_ns;     /* from sample to sample */
    int64_t begin_utc_ns; /* CLOCK_REALTIME, and CLOCK_MONOTONIC_RAW, at the origin of all times in it */
    int64_t begin_raw_ns;
    struct ordo_range tick_hz; /* by CLOCK_MONOTONIC_RAW, on the first CPU */
    unsigned *cpus;
    int cpu_count;
    struct ordo_trust_verdict trust;
    struct ordo_discipline discipline;
    struct ordo_clock_compared *clocks; /* those that exist here */
    int clock_count;
};

struct ordo_comparison_options {
    double seconds;   /* positive */
    const char *cpus; /* such as 0-3,8; the first is the reference; NULL: all that may be used */
    void (*progress)(void *context, double share, const char *words); /* may be NULL */
    void *context;
};

/** Measures all sources of ordo_clock_sources for so many seconds, and a little more, with two pinned threads of its own.
 * 0 with `*comparison`, to be freed; ORDO_E_CPUS, ORDO_E_INVALID, ORDO_E_MEASURE or ORDO_E_SYSTEM. */
int ordo_comparison_run(const struct ordo_comparison_options *options, struct ordo_comparison **comparison,
                        struct ordo_error *error);

void ordo_comparison_free(struct ordo_comparison *comparison);

/** What holds for all CPUs of a clock: the hull of all offsets and drifts, the largest step back; offsets of 0 where there
 * is one CPU only. */
struct ordo_across ordo_across_hull(const struct ordo_clock_compared *clock, int cpu_count);

/** Gives the counter what `reference` shows of it, the other way round, and takes from all clocks the jumps that all of
 * them made at once: these are the counter's. Pure. */
void ordo_clock_blame_counter(struct ordo_comparison *comparison, struct ordo_clock_compared *counter,
                              const struct ordo_clock_compared *reference);

/** What a clock is good for, from all the rest. Pure. */
void ordo_fitness_judge(const struct ordo_comparison *comparison, struct ordo_clock_compared *clock);

#endif
