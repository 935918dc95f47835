/* Leaving together on the simulated cluster, judged by the true clocks. With ORDO_SOAK, the runs with 512 ranks have
 * their full number. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quantile.h"
#include "cluster/sync/harmonize.h"
#include "cluster/sync/sync.h"
#include "cluster/transport/sim.h"

enum { MOST = 512, EVERY = 50 }; /* EVERY: number of calls between two synchronisations */

/** One run, and its results. */
struct trial {
    struct ordo_sim_options sim;
    int calls;
    int64_t notice_ns;
    int64_t squeeze_ns; /* the claimed bounds are narrowed by this, to test the judge */
    int64_t left_ns[MOST];
    int late, late_seen, outside, unequal;
    double *widths, *truths;
};

static struct trial trial(int ranks, int calls)
{
    struct trial t = {.sim = ordo_sim_defaults(), .calls = calls};
    t.sim.ranks = ranks;
    t.widths = calloc((size_t)calls, sizeof *t.widths);
    t.truths = calloc((size_t)calls, sizeof *t.truths);
    cr_assert(t.widths && t.truths);
    return t;
}

/* Judges the run on rank 0, when all ranks have left. */
static void judge(struct trial *t, int call, const struct ordo_global_skew *skew)
{
    int64_t first_ns = t->left_ns[0], last_ns = t->left_ns[0];
    for (int i = 1; i < t->sim.ranks; i++) {
        first_ns = t->left_ns[i] < first_ns ? t->left_ns[i] : first_ns;
        last_ns = t->left_ns[i] > last_ns ? t->left_ns[i] : last_ns;
    }
    t->widths[call] = (double)(skew->most_ns - skew->least_ns - t->squeeze_ns);
    t->truths[call] = (double)(last_ns - first_ns);
    t->outside += last_ns - first_ns < skew->least_ns || last_ns - first_ns > skew->most_ns - t->squeeze_ns;
    t->late_seen += skew->late;
}

static int body(struct ordo_transport *world, void *context)
{
    struct trial *t = context;
    struct ordo_harmonizer harmonizer = {0};
    struct ordo_harmony harmony;
    struct ordo_global_skew skew;
    struct ordo_offset_track track = {0};
    struct ordo_model model;
    struct ordo_sync_options options = ordo_sync_defaults();
    int code = ordo_sync_parse("h2hca:fit=20,pingpong=30,window=100ms", &options.main, NULL);
    options.common_residual_ns = 0; /* a node has one clock */
    options.inter.fit = 20;
    options.inter.window_ns = 100000000;
    options.inter.pingpong = 30;
    for (int i = 0; i < t->calls && !code; i++) {
        if (i % EVERY == 0) { /* the clock counts as just verified */
            options.common_at_ns = options.common_since_ns = world->now_ns(world);
            code = ordo_sync_run(world, &options, &track, &model, NULL);
        }
        code = code ? code : ordo_sync_harmonize(world, &model, t->notice_ns, &harmonizer, &harmony);
        int64_t at_ns = ordo_sim_true_ns(world);
        t->left_ns[world->rank] = ordo_sim_clock_ns(world, 0, at_ns);
        t->late += harmony.late;
        t->unequal += llabs(harmony.left.estimate_ns - harmony.at_ns) > 2 && !harmony.late && !t->sim.noise_ns;
        code = code ? code : ordo_sync_skew(world, &harmony, &skew);
        if (world->rank == 0 && !code)
            judge(t, i, &skew);
    }
    return code;
}

static void run(struct trial *t)
{
    struct ordo_sim_result result;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_sim_run(&t->sim, body, t, &result, &error), 0, "%s", error.text);
}

static double median(double *values, int count)
{
    return ordo_stats_median(values, (size_t)count).median;
}

static void done(struct trial *t)
{
    free(t->widths);
    free(t->truths);
}

Test(harmonize, all_ranks_leave_at_the_agreed_time)
{
    static const int sizes[] = {1, 2, 3, 7, 16, 33, 64};
    for (int i = 0; i < 7; i++) {
        struct trial t = trial(sizes[i], 300);
        run(&t);
        cr_assert_eq(t.outside, 0, "%d ranks", sizes[i]);
        cr_assert_eq(t.unequal, 0, "%d ranks: a rank informed in time leaves in time", sizes[i]);
        cr_assert_lt(t.late, 1 + t.calls * t.sim.ranks / 100, "%d ranks: the ranks learn the notice; %d were late",
                     sizes[i], t.late);
        cr_assert_lt(median(t.truths, t.calls), 500, "%d ranks: %g", sizes[i], median(t.truths, t.calls));
        done(&t);
    }
}

Test(harmonize, a_rank_that_is_informed_too_late_reports_it)
{
    struct trial t = trial(64, 100);
    t.notice_ns = 2000; /* far less than the latency of a message */
    run(&t);
    cr_assert_gt(t.late, 100);
    cr_assert_eq(t.late_seen, 100, "every call reports a late rank");
    cr_assert_eq(t.outside, 0);
    cr_assert_gt(median(t.truths, t.calls), 2000);
    done(&t);
}

static int64_t shows_1_s(struct ordo_transport *t)
{
    (void)t;
    return 1000000000;
}

static int64_t waits_exactly(struct ordo_transport *t, int64_t until_ns)
{
    (void)t;
    return until_ns;
}

/* The model of a drifting clock skips some times, perhaps also the agreed time. */
Test(harmonize, no_rank_leaves_before_the_agreed_time)
{
    static const double slopes[] = {-0.05, -0.001, -0.00002, 0, 0.00002, 0.001, 0.05};
    struct ordo_transport alone = {.size = 1, .now_ns = shows_1_s, .spin_until_ns = waits_exactly};
    for (int i = 0; i < 7; i++) {
        struct ordo_model model = {.known = true, .slope = slopes[i], .slope_low = slopes[i], .slope_high = slopes[i]};
        for (int64_t notice_ns = 1; notice_ns < 1000000000; notice_ns += 1 + notice_ns / 100) {
            struct ordo_harmonizer harmonizer = {0};
            struct ordo_harmony harmony;
            cr_assert_eq(ordo_sync_harmonize(&alone, &model, notice_ns, &harmonizer, &harmony), 0);
            cr_assert(harmony.left.estimate_ns >= harmony.at_ns && harmony.left.estimate_ns <= harmony.at_ns + 1,
                      "slope %g, notice %lld ns: left %lld ns after it", slopes[i], (long long)notice_ns,
                      (long long)(harmony.left.estimate_ns - harmony.at_ns));
        }
    }
}

/* A test of the judge: it must find a bound that is too narrow. */
Test(harmonize, a_bound_that_is_too_narrow_is_found)
{
    struct trial t = trial(64, 100);
    t.squeeze_ns = 20000;
    run(&t);
    cr_assert_gt(t.outside, 0);
    done(&t);
}

/** The medians of one run. */
struct found {
    double width_ns, truth_ns;
};

/* Runs a large cluster, with the noise of an operating system, or with a network that is slower in one direction.
 * Returns medians. */
static struct found at_size(double asymmetry, int64_t noise_ns, double most)
{
    struct trial t = trial(512, getenv("ORDO_SOAK") ? 100000 : 60);
    t.sim.asymmetry = asymmetry;
    t.sim.noise_ns = noise_ns;
    run(&t);
    struct found found = {median(t.widths, t.calls), median(t.truths, t.calls)};
    fprintf(stderr, "512 ranks, asymmetry %g, noise %lld ns: %d calls, %d outside, skew %.0f ns, interval %.0f ns\n",
            asymmetry, (long long)noise_ns, t.calls, t.outside, found.truth_ns, found.width_ns);
    cr_assert_eq(t.outside, 0);
    cr_assert(most == 0 || found.width_ns <= most * found.truth_ns, "%g ns and %g ns", found.width_ns, found.truth_ns);
    done(&t);
    return found;
}

/* On a symmetric network the estimates are right, but no rank can prove it: on a network that is much slower in one
 * direction, with a skew that is 100 times as large, the ranks make the same observations. Therefore the interval must
 * contain both skews, so it cannot be as narrow as three times the smaller skew; an interval with only one of the skews
 * would be wrong on one of the networks. */
Test(harmonize, the_interval_of_512_ranks_contains_the_skew, .timeout = 7200)
{
    struct found even = at_size(0, 0, 0), worse = at_size(0.9, 0, 3);
    cr_assert_lt(fabs(even.width_ns - worse.width_ns), 0.01 * even.width_ns,
                 "the ranks' observations differ: %g and %g ns", even.width_ns, worse.width_ns);
    cr_assert_gt(worse.truth_ns, 100 * even.truth_ns, "%g and %g ns", worse.truth_ns, even.truth_ns);
    cr_assert_geq(even.width_ns, 2.0 * (double)ordo_sim_defaults().latency_ns,
                  "the interval is narrower than a round trip");
    at_size(0, 1000, 3);
}
