/* The gates for a clock that the kernel does not vouch for; each gate is tested alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "calibrate/session/gate.h"
#include "calibrate/session/measure.h"
#include "calibrate/session/moment.h"

/* Returns a calibration that passes all gates. */
static struct ordo_calibration passing(void)
{
    return (struct ordo_calibration){.count = 2,
                                     .repeats = ORDO_GATE_SWEEPS,
                                     .seconds = ORDO_GATE_SPAN_S,
                                     .drift_min_ppb = -400,
                                     .drift_max_ppb = 599,
                                     .tick_hz = 1e9,
                                     .agreeing_rates = ORDO_GATE_RATES,
                                     .steady_low_hz = 1e9 + 9900,
                                     .steady_high_hz = 1e9};
}

static int checked(struct ordo_calibration calibration)
{
    struct ordo_error error = {0};
    int code = ordo_gate_check(&calibration, &error);
    cr_assert(code == ORDO_OK || strstr(error.text, "does not vouch"), "%s", error.text);
    return code;
}

Test(gate, a_good_measurement_passes_all_gates)
{
    cr_assert_eq(checked(passing()), ORDO_OK);
}

Test(gate, each_gate_can_refuse_alone)
{
    struct ordo_calibration sweeps = passing(), span = passing(), drift = passing(), rate = passing(),
                            unseen = passing(), changed = passing();
    sweeps.repeats--;
    span.seconds -= 0.1;
    drift.drift_max_ppb++;
    rate.agreeing_rates--;
    unseen.steady_low_hz = unseen.steady_high_hz = 0;
    changed.steady_low_hz += 200;
    cr_assert_eq(checked(sweeps), ORDO_E_MEASURE);
    cr_assert_eq(checked(span), ORDO_E_MEASURE);
    cr_assert_eq(checked(drift), ORDO_E_MEASURE);
    cr_assert_eq(checked(rate), ORDO_E_MEASURE);
    cr_assert_eq(checked(unseen), ORDO_E_MEASURE);
    cr_assert_eq(checked(changed), ORDO_E_MEASURE);
}

Test(gate, sweeps_span_ten_seconds_and_are_a_second_apart)
{
    for (int sweeps = 2; sweeps <= 100; sweeps++) {
        cr_assert_geq((uint64_t)(sweeps - 1) * ordo_gate_pause_ns(sweeps, ORDO_SESSION_GAP_NS),
                      UINT64_C(10000000000) - 100);
        cr_assert_geq(ordo_gate_pause_ns(sweeps, ORDO_SESSION_GAP_NS), ORDO_SESSION_GAP_NS);
    }
}

/* Returns a moment at `s` seconds of the kernel's clock, at which the counter shows `ticks`. */
static struct ordo_session_moment moment(uint64_t s, uint64_t ticks)
{
    static const struct ordo_clock_source raw = {.name = "monotonic_raw", .unit_hz = 1000000000};
    return (struct ordo_session_moment){
        .sources = {&raw}, .source_count = 1, .brackets = {{ticks, s * 1000000000, ticks + 100}}};
}

Test(gate, only_a_changing_rate_is_refused)
{
    struct ordo_calibration constant = passing(), changing = passing();
    constant.steady_high_hz = changing.steady_high_hz = 0;
    for (uint64_t s = 1; s < 5; s++) {
        uint64_t after = 2500000000 * (s + 1),
                 slow = after - (s > 2) * 100000 * (s - 2); /* slow by 40 ppm from the third second on */
        uint64_t before = 2500000000 * s, slow_before = before - (s > 3) * 100000 * (s - 3);
        struct ordo_session_moment a = moment(s, before), b = moment(s + 1, after), c = moment(s, slow_before),
                                   d = moment(s + 1, slow);
        ordo_session_note_rate(&constant, &a, &b);
        ordo_session_note_rate(&changing, &c, &d);
    }
    constant.tick_hz = changing.tick_hz = 2.5e9;
    cr_assert_eq(checked(constant), ORDO_OK);
    cr_assert_eq(checked(changing), ORDO_E_MEASURE);
}
