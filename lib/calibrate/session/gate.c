#include "calibrate/session/gate.h"

#include <inttypes.h>
#include <math.h>

#include "calibrate/session/measure.h"

uint64_t ordo_gate_pause_ns(int sweeps)
{
    uint64_t needed_ns = ORDO_GATE_SPAN_S * UINT64_C(1000000000) / (uint64_t)(sweeps > 1 ? sweeps - 1 : 1);
    return needed_ns > ORDO_SESSION_GAP_NS ? needed_ns : ORDO_SESSION_GAP_NS;
}

/* How many of the kernel's clocks show the rate. */
static int agreeing_rates(const struct ordo_calibration *calibration)
{
    int count = 0;
    for (int i = 0; i < calibration->rate_count; i++) {
        const struct ordo_rate *rate = &calibration->rates[i];
        double tolerance = ORDO_GATE_RATE_TOLERANCE * calibration->tick_hz;
        count += strcmp(rate->source, "processor") != 0 && rate->low_hz < calibration->tick_hz + tolerance &&
                 rate->high_hz > calibration->tick_hz - tolerance;
    }
    return count;
}

int ordo_gate_check(const struct ordo_calibration *calibration, struct ordo_error *error)
{
    int64_t width_ppb = calibration->drift_max_ppb - calibration->drift_min_ppb;
    int rates = agreeing_rates(calibration);
    if (calibration->repeats < ORDO_GATE_SWEEPS || calibration->seconds < ORDO_GATE_SPAN_S)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: measured by %d sweeps in %.1f s, and the kernel does not vouch for it: at least %d in "
            "%d s are needed: leave --force out",
            ORDO_CLOCK_NAME, calibration->repeats, calibration->seconds, ORDO_GATE_SWEEPS, ORDO_GATE_SPAN_S);
    if (calibration->count > 1 && width_ppb >= ORDO_GATE_DRIFT_PPB)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s: the drift of two CPUs is between %.3f and %.3f ppm, wider than %.3f, and the kernel "
                              "does not vouch for it: measure again with more --repeat on a machine at rest",
                              ORDO_CLOCK_NAME, (double)calibration->drift_min_ppb / 1e3,
                              (double)calibration->drift_max_ppb / 1e3, ORDO_GATE_DRIFT_PPB / 1e3);
    if (rates < ORDO_GATE_RATES)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: %d of the kernel's clocks shows its rate to within %.0f ppm, and %d are needed, since the "
            "kernel does not vouch for it: measure again when no time server slews them",
            ORDO_CLOCK_NAME, rates, ORDO_GATE_RATE_TOLERANCE * 1e6, ORDO_GATE_RATES);
    return ORDO_OK;
}
