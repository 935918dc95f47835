/* One clock against the counter over time: readings of the clock, each between two readings of the counter, and the
 * conclusions from them.
 *
 * `tick_hz` converts the counter's ticks to nanoseconds. The clock was read at some moment between the two readings of
 * the counter, and its reading was at most one step below its true value. So the lead of the clock over the counter,
 * relative to the first bracket, is in an interval that stays correct whatever the delays. Differences of two such
 * intervals are certain too. Wide brackets, in which other code ran, prove little but do no harm. */
#ifndef ORDO_MACHINE_COMPARISON_SERIES_H
#define ORDO_MACHINE_COMPARISON_SERIES_H

#include <stddef.h>

#include "base/allan.h"
#include "base/spread.h"
#include "machine/counter/counter.h"

struct ordo_series {
    const struct ordo_bracket *brackets; /* in the order of measurement, all on one CPU */
    size_t count;                        /* positive */
    double tick_hz, unit_hz;
    double step_ns;        /* bound on the lag of a reading of the clock */
    uint64_t origin_ticks; /* the counter's reading at instant 0 */
};

/** A certain range: low <= truth <= high. Infinite if nothing is known. */
struct ordo_range {
    double low, high;
};

/** Of one bracket: its begin and end, in s from the origin; and the lead of the clock, in ns: its bounds, and its value
 * at the middle between the two readings of the counter. */
struct ordo_lead {
    double from_s, to_s;
    double low_ns, high_ns, middle_ns;
};

struct ordo_lead ordo_series_lead(const struct ordo_series *series, size_t index);

/** Writes the indices of brackets that are narrow enough to be used (at most four times the median), ascending, into
 * `chosen`, which has room for all. Returns their number, at least half of all; 0 if out of memory. */
size_t ordo_series_narrow(const struct ordo_series *series, size_t *chosen);

enum { ORDO_SERIES_EVENTS = 16 };

/** Changes of the lead, or of its rate. Only the first ones are kept. */
struct ordo_series_events {
    size_t seen;
    struct ordo_series_event {
        double from_s, to_s;      /* the change happened between these two instants */
        struct ordo_range change; /* jumps: ns; slews: ppm */
    } events[ORDO_SERIES_EVENTS];
};

/** A clock that is only steered changes its lead by less than this: Linux slews by at most 500 ppm for its frequency,
 * and by at most 500 ppm for adjtime(3). */
#define ORDO_SERIES_STEERED_PPM 1000

/** Returns the jump of the clock between the brackets `earlier` and `later`: the certain range of the change, minus the
 * possible effect of steering. The range contains 0 if no jump is certain. */
struct ordo_range ordo_series_jump(const struct ordo_series *series, size_t earlier, size_t later);

/** Finds the jumps between consecutive chosen brackets. */
void ordo_series_jumps(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *jumps);

/** Finds the longest part [first, first + length) of the chosen brackets without a jump in it. */
void ordo_series_longest(const struct ordo_series *series, const size_t *chosen, size_t count, size_t *first,
                         size_t *length);

/** Computes the mean rate of the clock against the counter, in ppm, from one bracket near each end of the chosen
 * brackets. `*span_s` gets the time between these two brackets. Does not assume a constant rate. */
struct ordo_range ordo_series_rate_ppm(const struct ordo_series *series, const size_t *chosen, size_t count,
                                       double *span_s);

/** Finds changes of the rate: neighbouring eighths of the chosen brackets that no common constant rate fits. The
 * brackets should be without jumps. Finds none if out of memory. */
void ordo_series_slews(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_events *slews);

enum { ORDO_SERIES_SPANS = 24, ORDO_SERIES_QUANTILES = 101 };

/** The distribution of the lead. */
struct ordo_series_spread {
    struct ordo_spread lead;                         /* ns, relative to the narrowest of the first ten brackets */
    double percentile75, percentile95, percentile99; /* of the lead's absolute value, ns */
    double quantiles_ns[ORDO_SERIES_QUANTILES];      /* of the lead's absolute value, from 0% to 100% */
};

/** Returns 0, or -1 if out of memory. */
int ordo_series_spread(const struct ordo_series *series, const size_t *chosen, size_t count,
                       struct ordo_series_spread *spread);

/** The stability of the clock over spans of time, which double from `apart_ns` to a third of the whole time. */
struct ordo_series_stability {
    double noise_ns; /* standard deviation about the best straight line: the noise that remains if the rate is known */
    int count;
    struct {
        double span_s, allan, time_deviation_ns;
    } spans[ORDO_SERIES_SPANS];
};

/** Returns 0, or -1 if out of memory. */
int ordo_series_stability(const struct ordo_series *series, const size_t *chosen, size_t count, int64_t apart_ns,
                          struct ordo_series_stability *stability);

#endif
