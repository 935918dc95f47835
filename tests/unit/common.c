/* The evidence of two verifications together, with made-up intervals. */
#include <criterion/criterion.h>
#include <math.h>

#include "cluster/sync/common.h"

static const int64_t second_ns = 1000000000;

static struct ordo_sync_options declared(double near_ppb, double late_ppb, double skew_ppb)
{
    struct ordo_sync_options options = ordo_sync_defaults();
    options.max_wander_ppb = near_ppb;
    options.late_wander_ppb = late_ppb;
    options.max_skew_ppb = skew_ppb;
    return options;
}

static struct ordo_verified_when from(int64_t begin_ns, int64_t end_ns)
{
    return (struct ordo_verified_when){begin_ns, end_ns};
}

/* Makes verifications one after the other, each of `lasting_ns` and with a drift of 1 ppm. */
static struct ordo_common verified(const int64_t *begins_ns, const int64_t *residuals_ns, int count, int64_t lasting_ns)
{
    struct ordo_common common;
    ordo_common_forget(&common);
    for (int i = 0; i < count; i++)
        ordo_common_take(&common, from(begins_ns[i], begins_ns[i] + lasting_ns), residuals_ns[i], 1000);
    return common;
}

/* The change took at least the time from the end of the first verification to the begin of the second. */
Test(common, two_verifications_bound_the_drift_by_their_residuals)
{
    const int64_t begins_ns[] = {second_ns, 11 * second_ns}, residuals_ns[] = {300, 150};
    struct ordo_common common = verified(begins_ns, residuals_ns, 2, 5 * second_ns);
    struct ordo_sync_options options = declared(0, 0, 1000);
    int64_t now_ns = 77 * second_ns, raw_ns = 20 * second_ns;
    ordo_common_tell(&common, now_ns, raw_ns, &options);
    cr_assert_float_eq(options.common_drift_ppb, 450 / 5.0, 0.001, "%g", options.common_drift_ppb);
    cr_assert_geq(options.common_drift_ppb,
                  450 / 5.0 * (1 + 2e-6)); /* the true time between the verifications may be shorter by the skew */
    cr_assert_eq(options.common_residual_ns, 150);
    cr_assert_eq(options.common_at_ns, now_ns - 9 * second_ns);
    cr_assert_eq(options.common_since_ns, now_ns - 19 * second_ns);
}

Test(common, one_verification_reports_its_residual)
{
    const int64_t begin_ns = 3 * second_ns, residual_ns = 300;
    struct ordo_common common = verified(&begin_ns, &residual_ns, 1, second_ns);
    struct ordo_sync_options options = declared(0, 0, 1000);
    ordo_common_tell(&common, 50 * second_ns, 13 * second_ns, &options);
    cr_assert(options.common_drift_ppb == 1000 && options.common_residual_ns == 300);
    cr_assert(options.common_at_ns == 40 * second_ns && options.common_since_ns == 40 * second_ns);
}

Test(common, a_declared_bound_does_not_grow_with_age)
{
    struct ordo_common common = {.residual_ns = 1000};
    struct ordo_sync_options options = declared(100, 2000, 500000);
    ordo_common_tell(&common, 50, 1000 * second_ns, &options);
    cr_assert(options.common_residual_ns == 1000 && options.common_drift_ppb == 0);
    cr_assert(options.common_at_ns == 50 && options.common_since_ns == 50);
}

/* If two verifications are half an hour apart, the wander of the rates in this time may exceed the uncertainty of the
 * drift that the last verification, of half a second, leaves. */
Test(common, an_old_verification_is_used_if_its_bound_is_smaller)
{
    const int64_t begins_ns[] = {second_ns, 1801 * second_ns}, residuals_ns[] = {100, 100};
    for (int i = 0; i < 2; i++) {
        struct ordo_common common = verified(begins_ns, residuals_ns, 2, second_ns);
        struct ordo_sync_options options = declared(0, i ? 2000 : 0, 500000);
        ordo_common_tell(&common, 0, 1810 * second_ns, &options);
        cr_assert_eq(options.common_drift_ppb == 1000, i == 1, "%g", options.common_drift_ppb);
        cr_assert_eq(options.common_since_ns == options.common_at_ns, i == 1);
    }
}

Test(common, adjacent_verifications_do_not_bound_the_drift)
{
    const int64_t begins_ns[] = {second_ns, 2 * second_ns}, residuals_ns[] = {0, 0};
    for (int64_t lasting_ns = second_ns; lasting_ns <= 2 * second_ns; lasting_ns += second_ns) {
        struct ordo_common common = verified(begins_ns, residuals_ns, 2, lasting_ns);
        struct ordo_sync_options options = declared(0, 0, 1000);
        ordo_common_tell(&common, 0, 3 * second_ns, &options);
        cr_assert_eq(options.common_drift_ppb, 1000, "%g", options.common_drift_ppb);
    }
}

Test(common, the_compared_verification_is_at_most_two_minutes_old)
{
    struct ordo_common common;
    ordo_common_forget(&common);
    for (int i = 0; i < 200; i++) {
        int64_t begin_ns = second_ns + i * 7 * second_ns;
        ordo_common_take(&common, from(begin_ns, begin_ns + second_ns), 100, 1000);
        struct ordo_sync_options options = declared(0, 0, 1000);
        ordo_common_tell(&common, begin_ns, begin_ns, &options);
        cr_assert_leq(options.common_at_ns - options.common_since_ns, 134 * second_ns);
        if (i > 9)
            cr_assert_lt(options.common_drift_ppb, 200 / 60.0, "%d: %g", i, options.common_drift_ppb);
    }
}

Test(common, a_refuted_clock_discards_earlier_verifications)
{
    const int64_t begins_ns[] = {second_ns, 70 * second_ns, 140 * second_ns, 200 * second_ns};
    const int64_t residuals_ns[] = {100, 100, -1, 100};
    struct ordo_common common = verified(begins_ns, residuals_ns, 3, second_ns);
    struct ordo_sync_options options = declared(0, 0, 1000);
    ordo_common_tell(&common, 0, 250 * second_ns, &options);
    cr_assert_eq(options.common_residual_ns, -1);
    common = verified(begins_ns, residuals_ns, 4, second_ns);
    ordo_common_tell(&common, 0, 250 * second_ns, &options);
    cr_assert(common.count == 0 && options.common_drift_ppb == 1000);
}

/* Two clocks drift, and wander by the declared amount, from the first of two verifications on. They stay within the
 * bounds of the copy. */
Test(common, the_bounds_of_a_copy_contain_the_worst_case_clocks)
{
    static const int64_t apart_s[] = {10, 55, 600, 3000};
    for (int i = 0; i < 4; i++) {
        const int64_t apart_ns = apart_s[i] * second_ns, begins_ns[] = {second_ns, second_ns + apart_ns};
        const int64_t residuals_ns[] = {500, 500};
        struct ordo_common common = verified(begins_ns, residuals_ns, 2, 1);
        struct ordo_sync_options options = declared(100, 2000, 500);
        common.drift_ppb = 1000000000; /* the last verification bounds no drift */
        ordo_common_tell(&common, begins_ns[1], begins_ns[1], &options);
        struct ordo_model copy = {.known = 1,
                                  .ref_ns = options.common_at_ns,
                                  .low_ns = -options.common_residual_ns,
                                  .high_ns = options.common_residual_ns,
                                  .drift_min = -options.common_drift_ppb * 1e-9,
                                  .drift_max = options.common_drift_ppb * 1e-9,
                                  .span_ns = options.common_at_ns - options.common_since_ns};
        ordo_model_declare(&copy, options.max_wander_ppb, options.late_wander_ppb, options.max_skew_ppb);
        double truth_ns = 500, drift_ppb = 1e9 * 1000 / (double)apart_ns;
        for (int s = 0; s < 2000; s++) {
            double minutes = ((double)apart_s[i] + s) / 60;
            double wander_ppb = minutes < 1 ? 100 : minutes > 60 ? 2000 : 100 + 1900 * (minutes - 1) / 59;
            struct ordo_interval then = ordo_model_offset_at(&copy, options.common_at_ns + s * second_ns);
            cr_assert(then.high >= truth_ns && then.low <= -truth_ns, "%d s later: %lld, %g", s, (long long)then.high,
                      truth_ns);
            cr_assert_leq((double)then.high, truth_ns * 1.01 + 4200, "%d s later", s);
            truth_ns += drift_ppb + 2 * wander_ppb * 0.999;
        }
    }
}

/* Returns the result of a verification: an offset within +-`within_ns`, and a drift within +-`within_ppb`. */
static struct ordo_found found(int64_t begin_ns, double offset_ns, double within_ns, double drift_ppb,
                               double within_ppb)
{
    return (struct ordo_found){from(begin_ns, begin_ns + second_ns),
                               offset_ns - within_ns,
                               offset_ns + within_ns,
                               {drift_ppb - within_ppb, drift_ppb + within_ppb}};
}

static bool contradict(const struct ordo_found *before, const struct ordo_found *now,
                       const struct ordo_sync_options *options)
{
    struct ordo_error error = {0};
    int code = ordo_common_agree(before, now, options, &error);
    cr_assert(code == 0 || (code == ORDO_E_MEASURE && strstr(error.text, "stepped since the last verification")));
    return code;
}

/* Two verifications are 10 s apart, each with an uncertainty of 100 ns and a drift of at most 50 ppb. Their offsets may
 * differ by 200 ns + 10 * 50 ns, plus the drift during the verifications, without a step. */
Test(common, a_difference_beyond_the_drift_is_a_step)
{
    const struct ordo_sync_options still = declared(0, 0, 10000);
    for (int sign = -1; sign <= 1; sign += 2)
        for (int which = 0; which < 2; which++) {
            struct ordo_found before = found(second_ns, 40, 100, 0, which ? 50 : 5000);
            struct ordo_found now = found(12 * second_ns, 40, 100, 0, which ? 5000 : 50);
            double most_ns = 200 + 12 * 50;
            now.low_ns += sign * most_ns, now.high_ns += sign * most_ns;
            cr_assert(!contradict(&before, &now, &still), "%d %d", sign, which);
            now.low_ns += sign * 10, now.high_ns += sign * 10;
            cr_assert(contradict(&before, &now, &still), "%d %d", sign, which);
        }
}

/* A drift that both verifications have seen explains the difference of the offsets. A far smaller difference means a
 * step back. */
Test(common, a_drift_is_no_step)
{
    const struct ordo_sync_options still = declared(0, 0, 10000);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo_found before = found(second_ns, 0, 10, sign * 1000, 50);
        struct ordo_found now = found(12 * second_ns, sign * 11000, 10, sign * 1000, 50);
        cr_assert(!contradict(&before, &now, &still));
        now =
            found(12 * second_ns, sign * 9000, 10, sign * 1000, 50); /* at least 10 s, at a drift of at least 950 ppb */
        cr_assert(contradict(&before, &now, &still));
        now = found(12 * second_ns, sign * 9600, 10, sign * 1000, 50);
        cr_assert(!contradict(&before, &now, &still));
    }
}

/* Each of the two clocks wanders by 100 ppb, so they drift by up to 200 ppb, for 12 s. */
Test(common, a_declared_wander_is_no_step)
{
    struct ordo_found before = found(second_ns, 0, 0, 0, 0), now = found(12 * second_ns, 2300, 0, 0, 0);
    struct ordo_sync_options options = declared(100, 100, 10000);
    cr_assert(!contradict(&before, &now, &options));
    now = found(12 * second_ns, 2500, 0, 0, 0);
    cr_assert(contradict(&before, &now, &options));
}

/* The offset changes by the amount that the wander allows in the hour between the verifications; in a minute it allows
 * less. */
Test(common, wander_accumulates_from_the_first_verification_to_the_last)
{
    struct ordo_found before = found(second_ns, 0, 0, 0, 0), now = found(3700 * second_ns, 3700 * 3900.0, 0, 0, 0);
    struct ordo_sync_options options = declared(100, 2000, 100000);
    cr_assert(!contradict(&before, &now, &options));
    now = found(3700 * second_ns, 3700 * 4100.0, 0, 0, 0);
    cr_assert(contradict(&before, &now, &options));
}

Test(common, the_declared_skew_bounds_an_unknown_drift)
{
    struct ordo_sync_options options = declared(0, 0, 1000);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct ordo_found before = found(second_ns, 0, 0, 0, INFINITY);
        struct ordo_found now = found(12 * second_ns, sign * 19900, 0, 0, INFINITY);
        cr_assert(!contradict(&before, &now, &options));
        now = found(12 * second_ns, sign * 24100, 0, 0, INFINITY);
        cr_assert(contradict(&before, &now, &options));
    }
}

/* The drift is 1 ppm for at most 12 s, measured by a clock that may be wrong by 0.1%. */
Test(common, the_elapsed_time_is_uncertain_by_the_skew)
{
    for (int sign = -1; sign <= 1; sign += 2)
        for (int skewed = 0; skewed < 2; skewed++) {
            struct ordo_sync_options options = declared(0, 0, skewed ? 500000 : 1000);
            struct ordo_found before = found(second_ns, 0, 0, sign * 1000, 0);
            struct ordo_found now = found(12 * second_ns, sign * 12006, 0, sign * 1000, 0);
            cr_assert_neq(contradict(&before, &now, &options), skewed);
        }
}

Test(common, an_unknown_bound_contradicts_nothing)
{
    struct ordo_sync_options options = declared(0, 0, 1000);
    struct ordo_found one = found(second_ns, 0, 0, 0, 0), other = found(12 * second_ns, 1e9, 0, 0, 0);
    struct ordo_found unbounded = other, bent = other, early = other, first = one;
    cr_assert(contradict(&one, &other, &options));
    unbounded.low_ns = -INFINITY, unbounded.high_ns = INFINITY;
    unbounded.drift = (struct ordo_drift){-INFINITY, INFINITY};
    cr_assert(!contradict(&one, &unbounded, &options));
    unbounded.when = one.when;
    cr_assert(!contradict(&unbounded, &other, &options));
    bent.drift = (struct ordo_drift){1, -1};
    cr_assert(!contradict(&one, &bent, &options));
    first.drift = bent.drift;
    cr_assert(!contradict(&first, &other, &options));
    early.when.begin_ns = one.when.end_ns;
    cr_assert(!contradict(&one, &early, &options));
}
