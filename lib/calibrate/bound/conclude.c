#include "calibrate/bound/conclude.h"

#include <inttypes.h>
#include <string.h>

#include "calibrate/bound/cycle.h"

static void take_largest(struct ordo_calibration *calibration)
{
    int n = calibration->count;
    int64_t largest = n > 1 ? INT64_MIN : 0;
    calibration->unmeasured_pairs = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            int64_t ab = calibration->delta_ticks[a * n + b], ba = calibration->delta_ticks[b * n + a];
            if (ab == ORDO_DELTA_NONE || ba == ORDO_DELTA_NONE)
                calibration->unmeasured_pairs++;
            else
                largest = ordo_max(largest, ordo_max(ab, ba));
        }
    calibration->largest_delta_ticks = largest;
}

/* Computes the corrections and the boundary of corrected clocks. A single CPU has the correction 0. If a pair was not
 * measured, all corrections are 0, and the boundary of corrected clocks is 0. */
static void correct(struct ordo_calibration *calibration, int64_t added)
{
    int64_t largest = 0;
    memset(calibration->correction_ticks, 0, (size_t)calibration->count * sizeof *calibration->correction_ticks);
    calibration->corrected_boundary_ticks = 0;
    if (calibration->unmeasured_pairs)
        return;
    if (calibration->count > 1)
        largest = ordo_cycle_correct(calibration->delta_ticks, calibration->count, calibration->correction_ticks);
    if (largest != ORDO_CYCLE_NONE && largest + added > 0)
        calibration->corrected_boundary_ticks = (uint64_t)(largest + added);
}

int ordo_boundary_conclude(struct ordo_calibration *calibration, struct ordo_error *error)
{
    int64_t added = (int64_t)calibration->granule_ticks + (int64_t)calibration->margin_ticks;
    take_largest(calibration);
    if (calibration->largest_delta_ticks == INT64_MIN)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "no pair of CPUs was measured: there is no boundary");
    int64_t boundary = calibration->largest_delta_ticks + added;
    if (boundary <= 0)
        return ordo_error_set(error, ORDO_E_REFUTED, 0,
                              "the boundary would be %" PRId64 " ticks: the clock is read out of order", boundary);
    calibration->boundary_ticks = (uint64_t)boundary;
    correct(calibration, added);
    calibration->concluded = true;
    return ORDO_OK;
}
