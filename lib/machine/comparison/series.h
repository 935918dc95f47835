/* One clock against the counter over time: readings of it, each between two of the counter, and what they prove.
 *
 * The counter's ticks become nanoseconds by `tick_hz`. The clock was read at some moment between the two readings of the
 * counter, and showed then at most a step less than it was. So what it is ahead, counted from the first bracket, lies in
 * an interval that no delay makes wrong, and differences of two such intervals are certain too. Wide brackets, in which
 * something else ran, prove little and harm nothing. */
#ifndef ORDO_MACHINE_COMPARISON_SERIES_H
#define ORDO_MACHINE_COMPARISON_SERIES_H

#include <stddef.h>

#include "base/allan.h"
#include "base/spread.h"
#include "machine/counter/counter.h"

struct ordo_series {
    const struct ordo_bracket *brackets; /* in the order in which they were taken, all on one CPU */
    size_t count;                        /* positive */
    double tick_hz, unit_hz;
    double step_ns;        /* what a reading of the clock may lag */
    uint64_t origin_ticks; /* instants are counted from here */
};

/** What holds with certainty: low <= truth <= high. Infinite where nothing is known. */
struct ordo_range {
    double low, high;
};

/** When a bracket begins and ends, in s from the origin; by how much the clock is ahead in it, in ns: the bounds, and the
 * middle of the two readings of the counter. */
struct ordo_lead {
    double from_s, to_s;
    double low_ns, high_ns, middle_ns;
};

struct ordo_lead ordo_series_lead(const struct ordo_series *series, size_t index);

/** The indices of brackets that are narrow enough to be looked at (at most four times the median), ascending, into
 * `chosen`, room for all; returns how many, at least half of them. 0 where memory ran out. */
size_t ordo_series_narrow(const struct ordo_series *series, size_t *chosen);

enum { ORDO_SERIES_EVENTS = 16 };

/** Changes of the lead, or of its rate. The first of them are kept. */
struct ordo_series_events {
    size_t seen;
    struct ordo_series_event {
        double from_s, to_s;      /* it happened in between */
        struct ordo_range change; /* jumps: ns; slews: ppm */
    } events[ORDO_SERIES_EVENTS];
};

/** A clock that is only steered changes its lead by less than this: Linux slews by 500 ppm for its frequency, and by as
 * much for adjtime(3). */
#define ORDO_SERIES_STEERED_PPM 1000

/** By how much the clock jumped between the brackets `earlier` and `later`: the certain range of the change, cleared
 * of what steering may have done; around 0 where no jump is certain. */
struct ordo_range ordo_series_jump(const struct ordo_series *series, size_t earlier, size_t later);

/** The jumps between chosen brackets in a row. */
void ordo_series_jumps(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *jumps);

/** The longest part [first, first + length) of the chosen brackets without a jump in it. */
void ordo_series_longest(const struct ordo_series *series, const size_t *chosen, size_t count, size_t *first,
                         size_t *length);

/** The mean rate against the counter from the beginning to the end of the chosen brackets, in ppm, from one bracket of
 * each; `*span_s` is the time between the two. No rate is assumed to be constant. */
struct ordo_range ordo_series_rate_ppm(const struct ordo_series *series, const size_t *chosen, size_t count,
                                       double *span_s);

/** Changes of the rate: neighbouring eighths of the chosen brackets that no common constant rate fits. They should be
 * without jumps. Nothing where memory ran out. */
void ordo_series_slews(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *slews);

enum { ORDO_SERIES_SPANS = 24, ORDO_SERIES_QUANTILES = 101 };

/** How the lead is spread, and how stable it is. */
struct ordo_series_spread {
    struct ordo_spread lead;                         /* ns, from the narrowest of the first ten brackets on */
    double percentile75, percentile95, percentile99; /* of its absolute value, ns */
    double quantiles_ns[ORDO_SERIES_QUANTILES];      /* the same from 0% to 100% */
};

/** 0, or -1 where memory ran out. */
int ordo_series_spread(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_spread *spread);

/** How stable the clock is over spans of time, which double from `apart_ns` to a third of what there is. */
struct ordo_series_stability {
    double noise_ns; /* standard deviation about the best straight line: what is left if the rate is known */
    int count;
    struct {
        double span_s, allan, time_deviation_ns;
    } spans[ORDO_SERIES_SPANS];
};

/** 0, or -1 where memory ran out. */
int ordo_series_stability(const struct ordo_series *series, const size_t *chosen, size_t count, int64_t apart_ns,
                          struct ordo_series_stability *stability);

#endif
