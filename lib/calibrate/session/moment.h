/* The clocks, read on one pinned CPU before the first sweep and after the last, and the rates computed from the two
 * readings. */
#ifndef ORDO_CALIBRATE_SESSION_MOMENT_H
#define ORDO_CALIBRATE_SESSION_MOMENT_H

#include "calibrate/record/calibration.h"
#include "machine/counter/counter.h"

struct ordo_session_moment {
    const struct ordo_topology *topology;
    uint32_t clock; /* enum ordo_clock_id */
    unsigned cpu;
    const struct ordo_clock_source *sources[ORDO_RATES]; /* the first is monotonic_raw */
    int source_count;
    struct ordo_granule granule;
    struct ordo_bracket brackets[ORDO_RATES];
    struct ordo_record_moment clocks;
};

/** Reads all clocks, on a thread that is pinned to the CPU. */
int ordo_session_moment_take(struct ordo_session_moment *moment, struct ordo_error *error);

/** Computes the rate between two moments by CLOCK_MONOTONIC_RAW and by every other source, and compares it with the
 * rate that the processor states (`nominal_hz`; 0: none). ORDO_E_MEASURE: CLOCK_MONOTONIC_RAW gives no rate, which
 * readers need to check that the clock still runs at its rate. */
int ordo_session_rates(struct ordo_calibration *result, const struct ordo_session_moment *first,
                       const struct ordo_session_moment *last, double nominal_hz, struct ordo_error *error);

/** Narrows steady_low_hz and steady_high_hz by the rate between two moments, measured with their first source. */
void ordo_session_note_rate(struct ordo_calibration *result, const struct ordo_session_moment *first,
                            const struct ordo_session_moment *last);

#endif
