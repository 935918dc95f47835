/* The likely offsets and the proved bounds of hosts and CPUs, computed from probes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "net/cores/cores.h"
#include "net/graph/mesh.h"
#include "net/offset/estimator.h"
#include "net/window/window.h"

enum { POINTS = 400 };

static double even(uint64_t *random, double most)
{
    return (2 * ordo_random_unit(random) - 1) * most;
}

/* Makes the probes of one second. Each takes 2 us, and two of three also an exponential wait. The offset is 5 us, and
 * drifts by 3 ppm. */
static struct ordo_net_samples make_samples(struct ordo_net_point *points, uint64_t *random, int64_t later_there_ps)
{
    for (int i = 0; i < 2 * POINTS; i++) {
        int64_t at_ps = (int64_t)(i % POINTS) * (INT64_C(1000000000000) / POINTS), delay_ps = 2000000;
        if (ordo_random_next(random) % 3)
            delay_ps += (int64_t)(-1e6 * log(1 - ordo_random_unit(random)));
        delay_ps += i < POINTS ? later_there_ps : 0;
        points[i].at_ps = at_ps;
        points[i].delta_ps = 5000000 + at_ps * 3 / 1000000 + (i < POINTS ? delay_ps : -delay_ps);
    }
    return (struct ordo_net_samples){points, points + POINTS, POINTS, POINTS};
}

static double estimate_error_ps(const char *name, const struct ordo_net_samples *samples)
{
    struct ordo_net_hulls hulls;
    struct ordo_net_line line = {.at_ps = INT64_C(500000000000)};
    cr_assert(ordo_net_hulls_make(&hulls, samples));
    cr_assert(ordo_net_offset_estimator_find(name)->estimate(samples, &hulls, &line));
    ordo_net_hulls_free(&hulls);
    return fabs(ordo_net_line_at(&line, 0) - 5000000) + fabs(ordo_net_line_at(&line, INT64_C(1000000000000)) - 8000000);
}

Test(net, every_estimator_finds_a_known_line)
{
    struct ordo_net_point points[2 * POINTS];
    uint64_t random = 5;
    struct ordo_net_samples samples = make_samples(points, &random, 0);
    cr_expect_lt(estimate_error_ps("lp", &samples), 10);
    cr_expect_lt(estimate_error_ps("svm", &samples), 10000);
    cr_expect_lt(estimate_error_ps("min-rtt", &samples), 10000);
    double worse_ps = estimate_error_ps("ols", &samples);
    cr_expect(worse_ps > 10000 && worse_ps < 400000, "%g", worse_ps);
    cr_expect_null(ordo_net_offset_estimator_find("none"));
}

Test(net, the_interval_contains_the_true_offset_at_any_asymmetry)
{
    const struct ordo_net_limits limits = {.rate = 5e-6, .change = 0, .stamp_ps = 0};
    struct ordo_net_point points[2 * POINTS];
    uint64_t random = 1;
    for (int round = 0; round < 50; round++) {
        struct ordo_net_hulls hulls;
        struct ordo_net_samples samples = make_samples(points, &random, (int64_t)(ordo_random_unit(&random) * 1e8));
        cr_assert(ordo_net_hulls_make(&hulls, &samples));
        for (int64_t at_ps = -50000000000; at_ps < INT64_C(1050000000000); at_ps += 10000000000) {
            struct ordo_interval proved = ordo_net_hulls_prove(&hulls, at_ps, &limits);
            int64_t truth_ps = 5000000 + at_ps * 3 / 1000000;
            cr_assert(proved.low <= truth_ps && truth_ps <= proved.high, "at %lld", (long long)at_ps);
        }
        ordo_net_hulls_free(&hulls);
    }
}

Test(net, an_interval_allows_for_the_promised_timestamp_error)
{
    const struct ordo_net_limits limits = {.rate = 0, .change = 0, .stamp_ps = 300};
    struct ordo_net_point there[] = {{0, 4700}, {1000, 4700}}, back[] = {{0, 5300}, {1000, 5300}};
    const struct ordo_net_samples samples = {there, back, 2, 2};
    struct ordo_net_hulls hulls;
    cr_assert(ordo_net_hulls_make(&hulls, &samples));
    struct ordo_interval proved = ordo_net_hulls_prove(&hulls, 500, &limits);
    cr_expect(proved.low <= 5000 && proved.high >= 5000, "%lld to %lld", (long long)proved.low, (long long)proved.high);
    ordo_net_hulls_free(&hulls);
}

Test(net, the_mesh_shrinks_independent_errors_as_in_theory)
{
    struct ordo_net_mesh mesh;
    uint64_t random = 3;
    cr_assert(ordo_net_mesh_make(&mesh, 128, 10, 1));
    cr_assert_eq(mesh.edges, 1280);
    double *offset = calloc(1280, sizeof *offset), potential[128] = {0}, alone = 0, graph = 0;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < mesh.edges; i++) {
            offset[i] = 1000.0 * (mesh.edge[i].b - mesh.edge[i].a) + even(&random, 50);
            alone += pow(offset[i] - 1000.0 * (mesh.edge[i].b - mesh.edge[i].a), 2);
        }
        cr_assert(ordo_net_mesh_balance(&mesh, NULL, offset, potential));
        cr_assert_eq(potential[0], 0);
        for (int i = 0; i < mesh.edges; i++)
            graph += pow(
                potential[mesh.edge[i].b] - potential[mesh.edge[i].a] - 1000.0 * (mesh.edge[i].b - mesh.edge[i].a), 2);
    }
    cr_expect_float_eq(sqrt(graph / alone) / sqrt(127 / 1280.0), 1, 0.05);
    free(offset);
    ordo_net_mesh_free(&mesh);
}

/* Makes visits of all pairs of some CPUs, whose clocks differ by `offset_ps`: each direction takes 100 ns and a random
 * wait. */
static void make_visits(struct ordo_visit *visits, int count, int sweeps, const int64_t *offset_ps, uint64_t *random)
{
    const uint64_t begin = UINT64_C(1) << 62; /* a clock that has run for long */
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int a = 0; a < count; a++)
            for (int b = a + 1; b < count; b++) {
                uint64_t at = begin + (uint64_t)sweep * 1000000000 + (uint64_t)offset_ps[a] / 1000;
                int64_t apart = offset_ps[b] / 1000 - offset_ps[a] / 1000;
                visits[(sweep * count + a) * count + b] =
                    ordo_visit_plain(apart + 100 + (int64_t)(ordo_random_unit(random) * 40),
                                     -apart + 100 + (int64_t)(ordo_random_unit(random) * 40), at, at + 50000);
            }
}

Test(net, loops_of_measurements_improve_the_estimates_of_cores)
{
    enum { COUNT = 12, SWEEPS = 5 };
    static struct ordo_visit visits[SWEEPS * COUNT * COUNT];
    static const int64_t offset_ps[COUNT] = {0, 7000000, 3000, 900000000, 1000, 0, 55000, 2000, 0, 8000, 120000, 4000};
    static const char *const names[] = {"svm", "lp", "ols", "min-rtt"};
    uint64_t random = 3;
    for (int round = 0; round < 20; round++) {
        make_visits(visits, COUNT, SWEEPS, offset_ps, &random);
        const struct ordo_net_cores_visits all = {visits, COUNT, SWEEPS, 1000, 1};
        struct ordo_net_cores cores;
        cr_assert(ordo_net_cores_make(&cores, &all, ordo_net_offset_estimator_find(names[round % 4])));
        cr_assert(cores.sound && cores.loops_rms_ps > 0 && cores.loops_max_ps >= cores.loops_rms_ps);
        for (int cpu = 1; cpu < COUNT; cpu++) {
            const struct ordo_visit *pair = &visits[cpu]; /* the visit with CPU 0 in the first sweep */
            cr_assert(cores.core[cpu].proved_ps.low <= offset_ps[cpu] &&
                      offset_ps[cpu] <= cores.core[cpu].proved_ps.high);
            cr_assert_leq(cores.core[cpu].proved_ps.high, pair->delta_ab * 1000 + 1003);
            cr_assert_geq(cores.core[cpu].proved_ps.low, -pair->delta_ba * 1000 - 1003);
            cr_assert_lt(fabs(cores.core[cpu].likely_ps - (double)offset_ps[cpu]), 12000, "%s: CPU %d is off by %g",
                         names[round % 4], cpu, cores.core[cpu].likely_ps - (double)offset_ps[cpu]);
        }
        ordo_net_cores_free(&cores);
    }
}

/* Visits of trapped clocks on a busy machine: some take long in one direction. */
Test(net, the_estimated_offset_of_a_core_is_never_refuted)
{
    enum { SWEEPS = 2 };
    struct ordo_visit visits[SWEEPS * 2 * 2];
    const int64_t offset_ps[2] = {0, 120000000};
    uint64_t random = 5;
    for (int round = 0; round < 100; round++) {
        make_visits(visits, 2, SWEEPS, offset_ps, &random);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            visits[sweep * 4 + 1].delta_ab += (int64_t)(ordo_random_unit(&random) * 20000);
            visits[sweep * 4 + 1].delta_ba += (int64_t)(ordo_random_unit(&random) * 20000);
            visits[sweep * 4 + 1].at_ba += (uint64_t)(ordo_random_unit(&random) * 5e8);
        }
        const struct ordo_net_cores_visits both = {visits, 2, SWEEPS, 1000, 1};
        struct ordo_net_cores cores;
        cr_assert(ordo_net_cores_make(&cores, &both, ordo_net_offset_estimator_find(round % 2 ? "svm" : "ols")));
        cr_assert(cores.sound);
        cr_assert_geq(cores.core[1].likely_ps, (double)cores.core[1].proved_ps.low);
        cr_assert_leq(cores.core[1].likely_ps, (double)cores.core[1].proved_ps.high);
        ordo_net_cores_free(&cores);
    }
}

Test(net, drifting_cores_are_refused)
{
    enum { COUNT = 3, SWEEPS = 3 };
    struct ordo_visit visits[SWEEPS * COUNT * COUNT];
    const int64_t offset_ps[COUNT] = {0, 0, 0};
    uint64_t random = 4;
    make_visits(visits, COUNT, SWEEPS, offset_ps, &random);
    visits[2 * COUNT * COUNT + 2].delta_ab -= 300; /* CPU 2 loses 300 ticks against CPU 0 */
    visits[2 * COUNT * COUNT + 2].delta_ba += 300;
    const struct ordo_net_cores_visits all = {visits, COUNT, SWEEPS, 1000, 1};
    struct ordo_net_cores cores;
    cr_assert(ordo_net_cores_make(&cores, &all, ordo_net_offset_estimator_find("svm")));
    cr_expect(!cores.sound);
    ordo_net_cores_free(&cores);
}

Test(net, a_regular_graph_is_connected_and_simple)
{
    for (int hosts = 2; hosts <= 40; hosts++)
        for (int degree = 2; degree <= 11; degree++) {
            struct ordo_net_mesh mesh;
            int degrees[40] = {0}, order[80], far = 0;
            bool joined[40][40] = {{false}};
            int wanted = degree < hosts - 1 ? degree + (degree % 2 & hosts % 2) : hosts - 1;
            cr_assert(ordo_net_mesh_regular(&mesh, hosts, degree, (uint64_t)hosts));
            cr_assert_eq(mesh.edges, hosts * wanted / 2);
            for (int i = 0; i < mesh.edges; i++) {
                int a = mesh.edge[i].a, b = mesh.edge[i].b;
                cr_assert(a != b && !joined[a][b], "%d and %d twice", a, b);
                joined[a][b] = joined[b][a] = true;
                degrees[a]++;
                degrees[b]++;
                far += abs(a - b) > degree && abs(a - b) < hosts - degree;
            }
            for (int host = 0; host < hosts; host++)
                cr_assert_eq(degrees[host], wanted);
            cr_assert_eq(ordo_net_mesh_walk(&mesh, NULL, order, order + hosts), hosts);
            cr_assert(hosts < 36 || far > mesh.edges / 5, "%d hosts of %d: %d far edges", hosts, degree, far);
            ordo_net_mesh_free(&mesh);
        }
}

enum { TICKS = 101 };

/* Makes probes every 10 ms between clocks whose offset at time t is `offset_ps` + `rate` * t. A probe takes no time,
 * and its answer `back_ps`. */
static struct ordo_net_samples straight(struct ordo_net_point *points, double offset_ps, double rate, int64_t back_ps)
{
    for (int i = 0; i < TICKS; i++) {
        int64_t at_ps = i * INT64_C(10000000000), delta_ps = llround(offset_ps + rate * (double)at_ps);
        points[i] = (struct ordo_net_point){at_ps, delta_ps};
        points[TICKS + i] = (struct ordo_net_point){at_ps, delta_ps - back_ps};
    }
    return (struct ordo_net_samples){points, points + TICKS, TICKS, TICKS};
}

/* Clock 1 is ahead of clock 0 by 3 us, and its answers are so slow that the estimate is off by half a millisecond.
 * Clock 2 gains 100 ppm on clock
 * 1. The offset of the second edge therefore depends on the instant at which the edge is read: [W1]. */
static void expect_truth_in_bounds(struct ordo_net_edge second, double rate_of_second)
{
    const double ahead_ps = 3000000, gain = 1e-4;
    struct ordo_net_edge edges[] = {{0, 1}, second};
    const struct ordo_net_mesh mesh = {.hosts = 3, .edges = 2, .edge = edges};
    const struct ordo_net_offset_estimator *lp = ordo_net_offset_estimator_find("lp");
    struct ordo_net_point first_points[2 * TICKS], second_points[2 * TICKS];
    struct ordo_net_samples first = straight(first_points, ahead_ps, 0, 1000000000);
    struct ordo_net_samples other = straight(second_points, 0, rate_of_second, 0);
    struct ordo_net_window window;
    cr_assert(ordo_net_window_make(&window, &mesh));
    window.limits = (struct ordo_net_limits){.rate = gain};
    cr_assert(ordo_net_window_take(&window, 0, &first, lp) && ordo_net_window_take(&window, 1, &other, lp));
    ordo_net_window_close(&window);
    for (int64_t at_ps = 100000000000; at_ps < 900000000000; at_ps += 7777777777) {
        double truth_ps = ahead_ps + gain * ((double)at_ps + ahead_ps);
        cr_assert(ordo_net_window_at(&window, at_ps) && window.bounds.sound);
        cr_assert((double)window.bounds.potential[2].low <= truth_ps + 1 &&
                      truth_ps - 1 <= (double)window.bounds.potential[2].high,
                  "%g is not from %lld to %lld", truth_ps, (long long)window.bounds.potential[2].low,
                  (long long)window.bounds.potential[2].high);
    }
    ordo_net_window_free(&window);
}

Test(net, bounds_hold_if_a_pair_is_evaluated_at_a_wrong_instant)
{
    expect_truth_in_bounds((struct ordo_net_edge){1, 2}, 1e-4);
    expect_truth_in_bounds((struct ordo_net_edge){2, 1}, -1e-4 / (1 + 1e-4));
}

enum { WAYS = 6 };

/* The bounds of host 3 follow from the reports of the other hosts. All clocks are equal. The tree reaches host 3 by way
 * of host 1, whose report is `lie`; the edges of host 3 are therefore evaluated at a wrong instant. */
static void expect_truth_beside_lie(const struct ordo_net_samples *lie, double rate)
{
    struct ordo_net_edge edges[WAYS] = {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {3, 2}, {3, 4}};
    const struct ordo_net_mesh mesh = {.hosts = 5, .edges = WAYS, .edge = edges};
    const struct ordo_net_offset_estimator *lp = ordo_net_offset_estimator_find("lp");
    struct ordo_net_point points[WAYS][2 * TICKS];
    struct ordo_net_window window;
    cr_assert(ordo_net_window_make(&window, &mesh));
    window.limits = (struct ordo_net_limits){.rate = rate, .change = 2 * rate};
    window.liars = 1;
    for (int i = 0; i < WAYS; i++) {
        struct ordo_net_samples samples = i == 3 ? *lie : straight(points[i], 0, 0, 0);
        cr_assert(ordo_net_window_take(&window, i, &samples, lp) && ordo_net_window_prove(&window, i, &samples));
    }
    ordo_net_window_close(&window);
    cr_assert(window.via[3] == 3);
    cr_assert(ordo_net_window_at(&window, 500000000000) && window.bounds.sound && window.bounds.loops > 0);
    struct ordo_interval bound = window.bounds.potential[3];
    cr_assert(bound.low <= 0 && bound.high >= 0 && bound.high - bound.low < 1000000, "%lld to %lld",
              (long long)bound.low, (long long)bound.high);
    ordo_net_window_free(&window);
}

Test(net, a_false_report_in_the_tree_does_not_widen_bounds)
{
    struct ordo_net_point points[2 * TICKS];
    const struct ordo_net_samples lie = straight(points, 1e12, 0, 0);
    expect_truth_beside_lie(&lie, 1e-3);
}

/* Two probes are a picosecond apart, and in this time the clocks diverge by 200 s: half a second later, the line has no
 * finite value. */
Test(net, bounds_hold_despite_a_report_without_finite_offset)
{
    struct ordo_net_point there[] = {{0, 100000000000000}, {1, -100000000000000}},
                          back[] = {{0, 99999999999999}, {1, -100000000000001}};
    const struct ordo_net_samples lie = {there, back, 2, 2};
    expect_truth_beside_lie(&lie, 1e-3);
    expect_truth_beside_lie(&lie, 1e-9);
}
