#include "calibrate/session/gate.h"

uint64_t ordo_gate_pause_ns(int sweeps, uint64_t least_ns)
{
    uint64_t needed_ns = ORDO_GATE_SPAN_S * UINT64_C(1000000000) / (uint64_t)(sweeps > 1 ? sweeps - 1 : 1);
    return needed_ns > least_ns ? needed_ns : least_ns;
}

int ordo_gate_check(const struct ordo_calibration *calibration, struct ordo_error *error)
{
    int64_t width_ppb = calibration->drift_max_ppb - calibration->drift_min_ppb;
    double changed_ppm = (calibration->steady_low_hz - calibration->steady_high_hz) / calibration->tick_hz * 1e6;
    if (calibration->repeats < ORDO_GATE_SWEEPS || calibration->seconds < ORDO_GATE_SPAN_S)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: measured by %d sweeps in %.1f s, and the kernel does not vouch for it: at least %d in "
            "%d s are needed: leave --force out",
            ORDO_CLOCK_NAME, calibration->repeats, calibration->seconds, ORDO_GATE_SWEEPS, ORDO_GATE_SPAN_S);
    if (calibration->count > 1 && width_ppb >= ORDO_GATE_DRIFT_PPB)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s: the drift of two CPUs is between %.3f and %.3f ppm, wider than %.3f, and the kernel "
                              "does not vouch for it: measure again with more --repeat on an idle machine",
                              ORDO_CLOCK_NAME, (double)calibration->drift_min_ppb / 1e3,
                              (double)calibration->drift_max_ppb / 1e3, ORDO_GATE_DRIFT_PPB / 1e3);
    if (calibration->steady_high_hz == 0 || changed_ppm > ORDO_GATE_RATE_PPM)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: its rate changed by %.1f ppm between two sweeps, more than %d, and the kernel does not "
            "vouch for it: measure again when nothing suspends the machine",
            ORDO_CLOCK_NAME, changed_ppm, ORDO_GATE_RATE_PPM);
    if (calibration->agreeing_rates < ORDO_GATE_RATES)
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "%s: %d of the kernel's clocks shows its rate, and %d are needed, since the kernel does not "
            "vouch for it: measure again when no time server slews them",
            ORDO_CLOCK_NAME, calibration->agreeing_rates, ORDO_GATE_RATES);
    return ORDO_OK;
}
