/* The gates of a clock that the kernel does not vouch for, one at a time. */
#include <criterion/criterion.h>
#include <string.h>

#include "calibrate/session/gate.h"
#include "calibrate/session/measure.h"

/* A calibration that passes all of them. */
static struct ordo_calibration passing(void)
{
    return (struct ordo_calibration){
        .count = 2,
        .repeats = ORDO_GATE_SWEEPS,
        .seconds = ORDO_GATE_SPAN_S,
        .drift_min_ppb = -400,
        .drift_max_ppb = 599,
        .tick_hz = 1e9,
        .rates = {{"monotonic_raw", 1e9 - 1, 1e9 + 1}, {"monotonic", 1e9 + 4e5, 1e9 + 5e5}, {"processor", 3e9, 3e9}},
        .rate_count = 3};
}

static int checked(struct ordo_calibration calibration)
{
    struct ordo_error error = {0};
    int code = ordo_gate_check(&calibration, &error);
    cr_assert(code == ORDO_OK || strstr(error.text, "does not vouch"), "%s", error.text);
    return code;
}

Test(gate, a_measurement_that_holds_everywhere_passes)
{
    cr_assert_eq(checked(passing()), ORDO_OK);
}

Test(gate, each_gate_refuses_by_itself)
{
    struct ordo_calibration sweeps = passing(), span = passing(), drift = passing(), rate = passing();
    sweeps.repeats--;
    span.seconds -= 0.1;
    drift.drift_max_ppb++;
    rate.rates[1].low_hz += 2e5;
    rate.rates[1].high_hz += 2e5;
    cr_assert_eq(checked(sweeps), ORDO_E_MEASURE);
    cr_assert_eq(checked(span), ORDO_E_MEASURE);
    cr_assert_eq(checked(drift), ORDO_E_MEASURE);
    cr_assert_eq(checked(rate), ORDO_E_MEASURE, "the processor's own statement is no clock of the kernel");
}

Test(gate, the_sweeps_span_ten_seconds_and_are_never_less_than_a_second_apart)
{
    for (int sweeps = 2; sweeps <= 100; sweeps++) {
        cr_assert_geq((uint64_t)(sweeps - 1) * ordo_gate_pause_ns(sweeps), UINT64_C(10000000000) - 100);
        cr_assert_geq(ordo_gate_pause_ns(sweeps), ORDO_SESSION_GAP_NS);
    }
}
