/* The repeated attempts of a calibration. The clocks are simulated and the test sets the result of each sweep
 * (CMakeLists.txt wraps the functions that measure). */
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include <ordo/calibrate.h>

#include "calibrate/measure/sweep.h"
#include "calibrate/session/gate.h"
#include "calibrate/session/measure.h"
#include "calibrate/session/moment.h"
#include "machine/counter/trust.h"

enum { SWEEPS = 2, TICKS_PER_S = 1000000000, LATENCY = 100, IMPLAUSIBLE = 100 * LATENCY, MARGIN = 7, GRANULE = 1 };

/* The time in seconds; one tick is 1 ns. A sweep, a read of the clock, and a pause between sweeps take 1 s each. */
static uint64_t now_s = 1;
static int64_t found[ORDO_GATE_SWEEPS *
                     (ORDO_SESSION_ATTEMPTS +
                      1)]; /* the delta that each sweep finds in the direction ab; in the direction ba it is `back` */
static int sweeps_done, last_looks;
static int64_t usual = LATENCY; /* the delta of the last look in the direction ab */
static int64_t back = LATENCY;
static int64_t
    stepped; /* after the sweeps, the clock of each CPU has stepped by this much against the CPUs before it */
static struct ordo_error error;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    now_s += (uint64_t)time->tv_sec;
    return 0;
}

static const char *available = ""; /* the kernel's list of clock sources */

void __wrap_ordo_trust_gather(struct ordo_evidence *evidence)
{
    *evidence = (struct ordo_evidence){.arch = ordo_evidence_own_arch(), .invariant = 1, .log = ORDO_LOG_WHOLE};
    (void)snprintf(evidence->available, sizeof evidence->available, "%s",
                   available[0] ? available : ordo_evidence_source(evidence->arch));
}

int __wrap_ordo_session_moment_take(struct ordo_session_moment *moment, struct ordo_error *why)
{
    (void)why;
    uint64_t ticks = ++now_s * TICKS_PER_S;
    moment->granule = (struct ordo_granule){.ticks = GRANULE, .step_ticks = GRANULE};
    for (int i = 0; i < moment->source_count; i++)
        moment->brackets[i] = (struct ordo_bracket){ticks, now_s * moment->sources[i]->unit_hz, ticks};
    moment->clocks = (struct ordo_record_moment){ticks, ticks, (int64_t)ticks, (int64_t)ticks, 0, 0};
    return ORDO_OK;
}

int __wrap_ordo_sweep_all(const struct ordo_sweep *sweep, struct ordo_visit *visits, uint64_t *fewest_runs,
                          struct ordo_error *why)
{
    bool is_last_look = sweep->runs.runs == ORDO_SESSION_LAST_RUNS;
    uint64_t at = ++now_s * TICKS_PER_S;
    int64_t there = is_last_look ? usual + stepped : found[sweeps_done++];
    for (int a = 0; a < sweep->count; a++)
        for (int b = a + 1; b < sweep->count; b++)
            visits[a * sweep->count + b] = ordo_visit_plain(there, is_last_look ? back - stepped : back, at, at);
    if (is_last_look) {
        last_looks++;
        return ORDO_OK;
    }
    *fewest_runs = sweep->runs.runs;
    if (sweep->progress(sweep->progress_context, sweep->count * (sweep->count - 1) / 2))
        return ordo_error_set(why, ORDO_E_CANCELLED, 0, "cancelled");
    return ORDO_OK;
}

/* Chooses the attempts whose second sweep is disturbed: in "xx.", the first and the second attempt. */
static void disturb(const char *attempts)
{
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        found[k] = LATENCY;
    for (int i = 0; attempts[i]; i++)
        if (attempts[i] == 'x')
            found[SWEEPS * i + 1] = IMPLAUSIBLE;
}

static int heard[ORDO_SESSION_ATTEMPTS + 1]; /* calls of the progress in each attempt */

static int listen(void *context, const struct ordo_calibrate_progress *progress)
{
    const int *cancel_at = context;
    cr_assert_eq(progress->attempts, ORDO_SESSION_ATTEMPTS);
    cr_assert(progress->attempt >= 1 && progress->attempt <= progress->attempts);
    heard[progress->attempt]++;
    cr_assert_eq(progress->share, (double)heard[progress->attempt] / SWEEPS, "the share is that of this attempt");
    return progress->attempt == *cancel_at;
}

static int calibrate(int force, int cancel_at, struct ordo_calibration **result)
{
    struct ordo_calibrate_options options = {.runs = 2,
                                             .sweeps = SWEEPS,
                                             .margin_ns = MARGIN,
                                             .force = force,
                                             .progress = listen,
                                             .progress_context = &cancel_at};
    int code = ordo_calibrate(&options, result, &error);
    if (*result && ordo_calibration_cpus(*result) < 2)
        cr_skip_test("one CPU");
    return code;
}

Test(attempts, a_plausible_boundary_is_measured_once)
{
    struct ordo_calibration *result;
    disturb("...");
    cr_assert_eq(calibrate(0, 0, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, SWEEPS);
    cr_assert_eq(last_looks, 1);
    ordo_calibration_free(result);
}

/* The step is smaller than two latencies. A larger step contradicts the sweeps. */
Test(attempts, the_boundary_covers_a_small_step_after_the_sweeps)
{
    struct ordo_calibration *result;
    disturb("...");
    stepped = 3 * LATENCY / 2;
    cr_assert_eq(calibrate(0, 0, &result), ORDO_OK, "%s", error.text);
    cr_assert_geq(ordo_calibration_boundary_ticks(result), 3 * LATENCY / 2);
    ordo_calibration_free(result);
}

Test(attempts, a_larger_step_after_the_sweeps_is_refused)
{
    struct ordo_calibration *result;
    disturb("...");
    stepped = 3 * LATENCY;
    cr_assert_eq(calibrate(0, 0, &result), ORDO_E_REFUTED, "%s", error.text);
}

Test(attempts, an_implausible_boundary_is_measured_again)
{
    struct ordo_calibration *result;
    disturb("xx.");
    cr_assert_eq(calibrate(0, 0, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, 3 * SWEEPS);
    for (int attempt = 1; attempt <= 3; attempt++)
        cr_assert_eq(heard[attempt], SWEEPS, "attempt %d", attempt);
    cr_assert_eq(ordo_calibration_margin_ticks(result), MARGIN, "once");
    cr_assert_eq(ordo_calibration_boundary_ticks(result), LATENCY + GRANULE + MARGIN);
    cr_assert(!ordo_calibration_forced(result));
    cr_assert_null(ordo_calibration_warning(result, 0), "%s", ordo_calibration_warning(result, 0));
    ordo_calibration_free(result);
}

Test(attempts, a_boundary_that_stays_implausible_is_refused)
{
    struct ordo_calibration *result;
    disturb("xxx");
    cr_assert_eq(calibrate(0, 0, &result), ORDO_E_MEASURE);
    cr_assert_null(result);
    cr_assert_eq(sweeps_done, 3 * SWEEPS);
    cr_assert(strstr(error.text, "3 attempts, the last: cpu "), "%s", error.text);
    cr_assert(strstr(error.text, "--force"), "%s", error.text);
}

Test(attempts, force_accepts_the_first_attempt)
{
    struct ordo_calibration *result;
    disturb("x..");
    cr_assert_eq(calibrate(1, 0, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, SWEEPS);
    cr_assert(ordo_calibration_forced(result));
    cr_assert_eq(ordo_calibration_boundary_ticks(result), IMPLAUSIBLE + GRANULE + MARGIN);
    ordo_calibration_free(result);
}

Test(attempts, a_refuted_clock_ends_the_attempts)
{
    struct ordo_calibration *result;
    disturb("...");
    found[1] = -10 * LATENCY;
    cr_assert_eq(calibrate(0, 0, &result), ORDO_E_REFUTED, "%s", error.text);
    cr_assert_eq(sweeps_done, SWEEPS);
    cr_assert(!strstr(error.text, "attempts"), "%s", error.text);
}

Test(attempts, a_later_attempt_can_be_cancelled)
{
    struct ordo_calibration *result;
    disturb("xxx");
    cr_assert_eq(calibrate(0, 2, &result), ORDO_E_CANCELLED);
    cr_assert_eq(sweeps_done, SWEEPS + 1);
}

/* Calibrates on a machine whose kernel does not list the clock. */
static int calibrate_unlisted(int force, int sweeps, struct ordo_calibration **result)
{
    struct ordo_calibrate_options options = {.runs = 100, .force = force, .sweeps = sweeps};
    available = "kvm-clock";
    int code = ordo_calibrate(&options, result, &error);
    if (*result && ordo_calibration_cpus(*result) < 2)
        cr_skip_test("one CPU");
    return code;
}

Test(attempts, an_unlisted_clock_is_measured_for_ten_seconds)
{
    struct ordo_calibration *result;
    disturb("");
    cr_assert_eq(calibrate_unlisted(0, SWEEPS, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, ORDO_GATE_SWEEPS);
    cr_assert_geq(result->seconds, ORDO_GATE_SPAN_S);
    cr_assert_eq(ordo_calibration_trust(result), ORDO_TRUST_MEASURED);
    cr_assert(!ordo_calibration_forced(result));
    cr_assert_eq(result->void_after_ns - result->as_of_ns, ORDO_GATE_VALID_DAYS * UINT64_C(86400000000000));
    ordo_calibration_free(result);
}

Test(attempts, a_passing_calibration_is_not_marked_as_forced)
{
    struct ordo_calibration *result;
    disturb("");
    cr_assert_eq(calibrate_unlisted(1, 0, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, ORDO_GATE_SWEEPS);
    cr_assert(!ordo_calibration_forced(result));
    ordo_calibration_free(result);
}

Test(attempts, only_force_allows_fewer_sweeps_than_the_gates_need)
{
    struct ordo_calibration *result;
    disturb("");
    cr_assert_eq(calibrate_unlisted(1, SWEEPS, &result), ORDO_OK, "%s", error.text);
    cr_assert_eq(sweeps_done, SWEEPS);
    cr_assert(ordo_calibration_forced(result), "the gates did not hold");
    cr_assert_eq(ordo_calibration_trust(result), ORDO_TRUST_MEASURED);
    ordo_calibration_free(result);
}

Test(attempts, a_failing_gate_is_retried_and_then_refused)
{
    struct ordo_calibration *result;
    disturb("");
    usual = back = 90 * LATENCY; /* latencies that could hide a drift of 1 ppm */
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        found[k] = usual;
    cr_assert_eq(calibrate_unlisted(0, 0, &result), ORDO_E_MEASURE);
    cr_assert_null(result);
    cr_assert_eq(sweeps_done, ORDO_SESSION_ATTEMPTS * ORDO_GATE_SWEEPS);
    cr_assert(strstr(error.text, "does not vouch"), "%s", error.text);
}
