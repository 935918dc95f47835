/* The simulated network, what follows from probes, and the protocols on it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lab/net/firefly/peer.h"
#include "lab/net/protocol/protocol.h"
#include "lab/net/sim/agenda.h"
#include "lab/net/sim/failures.h"
#include "net/cores/cores.h"
#include "net/graph/mesh.h"
#include "net/offset/estimator.h"
#include "net/window/window.h"

enum { POINTS = 400 };

static double even(uint64_t *random, double most)
{
    return (2 * ordo_random_unit(random) - 1) * most;
}

/* Probes of one second whose delays are 2 us and, for two of three, an exponential wait; the offset is 5 us and 3 ppm. */
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

Test(net, every_estimator_finds_a_known_line_and_those_that_weigh_waits_find_it_worse)
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

Test(net, an_interval_holds_the_offset_whatever_the_asymmetry)
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

Test(net, an_interval_allows_for_stamps_that_are_off_by_all_that_is_promised)
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

Test(net, the_network_effect_is_least_squares_and_shrinks_independent_errors_as_theory_says)
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

Test(net, events_happen_in_the_order_of_time_and_of_putting)
{
    enum { EVENTS = 3000 };
    static struct ordo_net_event events[EVENTS];
    struct ordo_net_agenda agenda;
    uint64_t random = 9, order = 0;
    int64_t last_ps = 0;
    int left = EVENTS;
    cr_assert(ordo_net_agenda_make(&agenda));
    for (int i = 0; i < EVENTS / 2; i++, left--) {
        events[i].at_ps = (int64_t)(ordo_random_next(&random) % 5000) * 1000000;
        cr_assert(ordo_net_agenda_put(&agenda, &events[i]));
    }
    for (int taken = 0; taken < EVENTS; taken++) {
        struct ordo_net_event *event = ordo_net_agenda_take(&agenda);
        cr_assert(event && (event->at_ps > last_ps || (event->at_ps == last_ps && event->order >= order)));
        last_ps = event->at_ps;
        order = event->order;
        if (left == 0)
            continue;
        struct ordo_net_event *more = &events[EVENTS - left--];
        more->at_ps = last_ps + (int64_t)(ordo_random_next(&random) % 3) * 800000000;
        cr_assert(ordo_net_agenda_put(&agenda, more));
    }
    cr_expect_null(ordo_net_agenda_take(&agenda));
    ordo_net_agenda_free(&agenda);
}

/* How much of the port's time the cross traffic takes: what a packet a microsecond finds busy. */
static double busy_share(enum ordo_net_traffic_kind kind, double load)
{
    const struct ordo_net_traffic traffic = {
        .kind = kind, .load = load, .gbps = 10, .buffer_bytes = 1 << 24, .seed = 4};
    struct ordo_net_pace pace;
    struct ordo_net_port port;
    int busy = 0;
    ordo_net_pace_make(&pace, &traffic);
    ordo_net_port_make(&port, &pace, 7, true);
    for (int64_t i = 1; i <= 200000; i++) {
        busy += ordo_net_port_pass(&port, &pace, i * 1000000, 0) - i * 1000000 > ordo_net_wire_ps(&pace, 0);
        port.free_ps -= ordo_net_wire_ps(&pace, 0); /* takes its packet back: the load is that of the cross traffic */
    }
    return busy / 200000.0;
}

Test(net, a_port_has_the_load_that_was_stated)
{
    for (int kind = ORDO_NET_POISSON; kind <= ORDO_NET_INCAST; kind++)
        for (int load = 2; load <= 6; load += 2)
            cr_expect_float_eq(busy_share((enum ordo_net_traffic_kind)kind, load / 10.0), load / 10.0, 0.03, "%s %d",
                               ordo_net_traffic_name(kind), load);
}

Test(net, the_cross_traffic_does_not_depend_on_who_looks)
{
    const struct ordo_net_traffic traffic = {.load = 0.5, .gbps = 10, .buffer_bytes = 1 << 24, .seed = 4};
    struct ordo_net_pace pace;
    struct ordo_net_port often, seldom;
    ordo_net_pace_make(&pace, &traffic);
    ordo_net_port_make(&often, &pace, 7, true);
    ordo_net_port_make(&seldom, &pace, 7, true);
    for (int64_t i = 1; i <= 100000; i++)
        (void)ordo_net_port_pass(&often, &pace, i * 1000000, 0);
    (void)ordo_net_port_pass(&seldom, &pace, INT64_C(100000000000), 0);
    cr_expect_eq(often.next_ps, seldom.next_ps);
}

Test(net, every_shape_joins_all_hosts_by_shortest_ways)
{
    for (int kind = ORDO_NET_STAR; kind <= ORDO_NET_LINE; kind++) {
        struct ordo_net_shape shape;
        cr_assert_eq(ordo_net_shape_make(&shape, (enum ordo_net_shape_kind)kind, 40, NULL), ORDO_OK);
        for (int from = 0; from < 40; from++)
            for (int to = 0; to < 40; to++) {
                int node = from, hops = 0;
                for (; node != to && hops <= shape.hops; hops++)
                    node = shape.link[ordo_net_shape_next(&shape, node, to, (uint32_t)(from * 40 + to))].to;
                cr_assert(node == to && hops <= shape.hops, "%s", ordo_net_shape_name(kind));
            }
        ordo_net_shape_free(&shape);
    }
    struct ordo_error error;
    struct ordo_net_shape shape;
    cr_expect_eq(ordo_net_shape_make(&shape, ORDO_NET_STAR, 1, &error), ORDO_E_INVALID);
}

Test(net, a_clock_keeps_its_promised_rate_and_a_stamp_its_promised_error)
{
    const struct ordo_net_clock_options options = ordo_net_clock_defaults();
    struct ordo_net_stamp_error stamp = ordo_net_clock_stamp_error(&options);
    struct ordo_net_clock clock;
    cr_assert_eq(ordo_net_clock_make(&clock, &options, 3, 8, INT64_C(20000000000000), NULL), ORDO_OK);
    int64_t last_ps = ordo_net_clock_at(&clock, 0), apart_ps = 1000000000;
    for (int64_t at_ps = apart_ps; at_ps < INT64_C(20000000000000); at_ps += apart_ps) {
        int64_t shown_ps = ordo_net_clock_at(&clock, at_ps), error_ps = ordo_net_clock_stamp(&clock, at_ps) - shown_ps;
        double rate = (double)(shown_ps - last_ps - apart_ps) / (double)apart_ps;
        cr_assert_leq(fabs(rate), ordo_net_clock_rate_ppb(&options) * 1e-9 + 1e-9);
        cr_assert(error_ps >= -stamp.late_ps && error_ps <= stamp.early_ps);
        last_ps = shown_ps;
    }
    ordo_net_clock_free(&clock);
}

static struct ordo_net_options small_network(uint64_t seed)
{
    uint64_t random = seed;
    struct ordo_net_options options = ordo_net_defaults();
    options.hosts = 3 + (int)(ordo_random_next(&random) % 20);
    options.shape = (enum ordo_net_shape_kind)(ordo_random_next(&random) % 5);
    options.seconds = 0.1;
    options.asymmetry_ns = (int64_t)(ordo_random_next(&random) % 20000);
    options.traffic.seed = seed;
    options.traffic.kind = (enum ordo_net_traffic_kind)(ordo_random_next(&random) % 3);
    options.traffic.load = ordo_random_unit(&random) * 0.95;
    options.clock.skew_ppb = ordo_random_unit(&random) * 100000;
    options.clock.swing_ppb = ordo_random_unit(&random) * 5000;
    options.clock.swing_period_s = 0.02 + ordo_random_unit(&random);
    options.clock.walk_ppb = ordo_random_unit(&random) * 1000;
    options.clock.offset_ns = (int64_t)(ordo_random_next(&random) % 5000000);
    options.clock.granule_ns = 1 + (int64_t)(ordo_random_next(&random) % 50);
    return options;
}

static struct ordo_net_outcome play(const char *protocol, const struct ordo_net_options *options)
{
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome = {.has_edges = false};
    struct ordo_error error = {.text = ""};
    cr_assert_eq(ordo_net_choice_parse(&choice, protocol, &error), ORDO_OK, "%s", error.text);
    int code = choice.protocol->run(options, &choice, &outcome, &error);
    cr_assert_eq(code, ORDO_OK, "%s, seed %llu: %s", protocol, (unsigned long long)options->traffic.seed, error.text);
    return outcome;
}

Test(net, proved_bounds_hold_for_every_host_in_random_networks)
{
    static const char *const protocols[] = {"huygens:peers=4", "huygens:peers=2:coding=no:estimator=ols",
                                            "huygens:peers=3:network=no:estimator=lp", "ntp:poll-ms=5"};
    uint64_t most = getenv("ORDO_SOAK") ? 1000 : ORDO_TESTS_BRIEF ? 8 : 30;
    for (uint64_t seed = 1; seed <= most; seed++) {
        struct ordo_net_options options = small_network(seed);
        struct ordo_net_outcome outcome = play(protocols[seed % 4], &options);
        cr_assert(outcome.score.bound_held, "%s, seed %llu", protocols[seed % 4], (unsigned long long)seed);
        cr_assert(outcome.score.bound_ns > 0, "%s, seed %llu: no bound", protocols[seed % 4], (unsigned long long)seed);
    }
}

Test(net, bounds_hold_where_links_and_nodes_fail)
{
    static const char *const protocols[] = {"huygens:peers=4", "ntp:poll-ms=5"};
    int noticed = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct ordo_net_options options = small_network(seed);
        double whole_ns = play(protocols[seed % 2], &options).score.mean_absolute_ns;
        options.failing_links = 3;
        options.failing_nodes = 2;
        options.outage_s = 0;
        cr_expect_eq(play(protocols[seed % 2], &options).score.mean_absolute_ns, whole_ns, "what fails for no time");
        options.outage_s = options.seconds * 0.3;
        struct ordo_net_outcome outcome = play(protocols[seed % 2], &options);
        cr_expect(outcome.score.bound_held, "seed %llu", (unsigned long long)seed);
        noticed += outcome.score.mean_absolute_ns != whole_ns;
    }
    cr_expect_gt(noticed, 8);
}

Test(net, a_failing_link_is_lost_both_ways_and_a_node_with_all_its_links_but_host_0_with_none)
{
    struct ordo_net_shape shape;
    static struct ordo_net_failures failures;
    cr_assert_eq(ordo_net_shape_make(&shape, ORDO_NET_TREE, 24, NULL), ORDO_OK);
    ordo_net_failures_make(&failures, &shape, 60, 20, 100, 1000, 3);
    cr_expect_gt(failures.count, 60);
    for (int i = 0; i < failures.count; i++) {
        const struct ordo_net_outage *outage = &failures.outages[i];
        cr_expect(outage->from != 0 && outage->to != 0, "host 0 and its link are there");
        int lost = 0;
        for (int k = 0; k < shape.links; k++) {
            const struct ordo_net_link *link = &shape.link[k];
            bool of = outage->to < 0 ? link->from == outage->from || link->to == outage->from
                                     : (link->from == outage->from && link->to == outage->to) ||
                                           (link->to == outage->from && link->from == outage->to);
            lost += of;
            cr_expect(!of || ordo_net_failures_lose(&failures, link, outage->begin_ps));
            cr_expect(!of || ordo_net_failures_lose(&failures, link, outage->end_ps - 1));
            cr_expect(!ordo_net_failures_lose(&failures, link, 1100), "it ends");
        }
        cr_expect(outage->to < 0 ? lost >= 2 : lost == 2, "%d directed links", lost);
    }
    ordo_net_shape_free(&shape);
}

Test(net, a_clock_that_steps_breaks_its_promise_and_the_bound_is_reported_as_broken_or_not_given)
{
    struct ordo_net_options options = small_network(2);
    options.clock.step_host = 1;
    options.clock.step_ns = 3000000;
    options.clock.step_at_true_ns = 55000000;
    struct ordo_net_outcome outcome = play("huygens:peers=4", &options);
    cr_expect(!outcome.score.bound_held || isnan(outcome.score.bound_ns));
}

Test(net, the_same_seed_gives_the_same_run_and_another_one_another)
{
    struct ordo_net_options options = small_network(7);
    struct ordo_net_outcome first = play("huygens:peers=4", &options), again = play("huygens:peers=4", &options);
    cr_expect_eq(first.score.mean_absolute_ns, again.score.mean_absolute_ns);
    cr_expect_eq(first.score.max_ns, again.score.max_ns);
    cr_expect_eq(first.score.bound_ns, again.score.bound_ns);
    options.traffic.seed++;
    cr_expect_neq(play("huygens:peers=4", &options).score.mean_absolute_ns, first.score.mean_absolute_ns);
}

Test(net, huygens_is_worse_without_each_of_its_parts, .disabled = ORDO_TESTS_BRIEF)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.hosts = 24;
    options.seconds = 0.5;
    double whole = play("huygens:peers=8", &options).score.mean_absolute_ns;
    cr_expect_lt(whole, 5);
    cr_expect_gt(play("huygens:peers=8:coding=no", &options).score.mean_absolute_ns, 2 * whole);
    cr_expect_gt(play("huygens:peers=8:estimator=ols", &options).score.mean_absolute_ns, 2 * whole);
    cr_expect_gt(play("huygens:peers=8:network=no", &options).score.mean_absolute_ns, 1.5 * whole);
}

Test(net, a_clock_that_bends_is_wrong_alike_on_all_its_edges_and_without_that_the_network_effect_is_as_in_theory)
{
    struct ordo_net_options options = ordo_net_defaults();
    double bent = 0, straight = 0, theory = 0;
    options.hosts = 32;
    options.seconds = 0.5;
    options.clock.swing_ppb = 50;
    options.clock.swing_period_s = 4;
    options.clock.outlier_chance = 0;
    for (options.traffic.seed = 1; options.traffic.seed <= 4; options.traffic.seed++) {
        struct ordo_net_edges edges = play("huygens:every-us=500", &options).edges;
        bent += edges.ratio / 4;
        straight += edges.straight_ratio / 4;
        theory = edges.theory;
    }
    cr_expect_gt(bent, 1.4 * theory, "%g and %g", bent, theory);
    cr_expect_lt(fabs(straight - theory), 0.15 * theory, "%g and %g", straight, theory);
}

/* Whether the protocol takes the option with this value. */
static bool takes(const char *protocol, const char *option, int length, long long value)
{
    char text[200];
    struct ordo_net_choice choice;
    (void)snprintf(text, sizeof text, "%s:%.*s=%lld", protocol, length, option, value);
    return ordo_net_choice_parse(&choice, text, NULL) == ORDO_OK;
}

Test(protocol, numbers_are_taken_in_the_range_that_is_told)
{
    int ranges = 0;
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++)
        for (const char *option = (*at)->options, *equal; (equal = strchr(option, '='));) {
            long long least, most;
            int length = (int)(equal - option);
            if (sscanf(equal, "=%lld..%lld", &least, &most) == 2) {
                ranges++;
                cr_expect(takes((*at)->name, option, length, least) && takes((*at)->name, option, length, most));
                cr_expect_not(takes((*at)->name, option, length, least - 1), "%s", option);
                cr_expect_not(takes((*at)->name, option, length, most + 1), "%s", option);
            }
            const char *next = strchr(option, ' ');
            option = next ? next + 1 : "";
        }
    cr_expect_gt(ranges, 20);
}

Test(protocol, a_wrong_option_is_told_what_it_takes)
{
    struct ordo_net_choice choice;
    struct ordo_error error;
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=11", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "ntp: 'servers=11' is wrong: give servers=1..8");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ptp:servers=1", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "ptp: 'servers' is not an option of it; it takes clocks, servo, sync-ms, fails-ms, "
                                 "system-hz, read-ns, stamps, jitter-ns, waking-ns");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=2:poll-ms=5:servers=3", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "ntp: 'servers' is given twice: leave one out");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:=1", &error), ORDO_E_INVALID);
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:", &error), ORDO_E_INVALID);
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=2:false=1:poll-ms=1", &error), ORDO_OK);
}

Test(net, what_is_no_protocol_or_option_is_refused_with_what_can_be_taken)
{
    struct ordo_net_choice choice;
    struct ordo_error error;
    cr_expect_eq(ordo_net_choice_parse(&choice, "huygen", &error), ORDO_E_INVALID);
    cr_expect_not_null(strstr(error.text, "firefly, huygens, ntp"));
    cr_expect_eq(ordo_net_choice_parse(&choice, "huygens:peers=0", &error), ORDO_E_INVALID);
    cr_expect_not_null(strstr(error.text, "give peers=1..1000"));
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:coding=no", &error), ORDO_E_INVALID);
}

/* Visits of all pairs of some CPUs, whose clocks differ by `offset_ps`: each direction takes 100 ns and a random wait. */
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

Test(net, cores_are_hosts_whose_offsets_the_loops_improve_and_all_pairs_prove)
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
            const struct ordo_visit *pair = &visits[cpu]; /* with CPU 0, in the first sweep */
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

/* As visits are of clocks that are trapped, on a busy machine: some take long in one direction. */
Test(net, what_is_likely_of_a_core_is_never_proved_wrong)
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

Test(net, cores_that_drift_contradict_themselves)
{
    enum { COUNT = 3, SWEEPS = 3 };
    struct ordo_visit visits[SWEEPS * COUNT * COUNT];
    const int64_t offset_ps[COUNT] = {0, 0, 0};
    uint64_t random = 4;
    make_visits(visits, COUNT, SWEEPS, offset_ps, &random);
    visits[2 * COUNT * COUNT + 2].delta_ab -= 300; /* CPU 2 has lost 300 ticks against CPU 0 */
    visits[2 * COUNT * COUNT + 2].delta_ba += 300;
    const struct ordo_net_cores_visits all = {visits, COUNT, SWEEPS, 1000, 1};
    struct ordo_net_cores cores;
    cr_assert(ordo_net_cores_make(&cores, &all, ordo_net_offset_estimator_find("svm")));
    cr_expect(!cores.sound);
    ordo_net_cores_free(&cores);
}

Test(net, a_regular_graph_is_regular_whole_simple_and_random)
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

Test(net, a_peers_round_is_the_median_of_its_soonest_answers_and_its_drift_a_regression)
{
    struct ordo_net_firefly_peer peer = {.host = 1};
    struct ordo_net_firefly_answer said;
    double drift = 1;
    cr_expect_not(ordo_net_firefly_listen(&peer, &said, &drift));
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 30; i++) { /* a gain of 2 ppm; who waits longer is farther off, and one stamp lies */
            int wait = i * 7 % 30;
            bool lies = i == 11;
            struct ordo_net_firefly_answer answer = {.at_ps = round * INT64_C(20000000000) + i,
                                                     .rtt_ps = lies ? 1 : 1000 + wait * 100,
                                                     .offset_ps = lies ? 1e9 : round * 40000.0 + wait * 50,
                                                     .ahead_ps = wait};
            ordo_net_firefly_hear(&peer, &answer);
        }
        cr_assert(ordo_net_firefly_listen(&peer, &said, &drift));
        cr_assert_eq(said.ahead_ps, 2, "round %d: kept the one that waited %g", round, said.ahead_ps);
        cr_assert(round < 2 ? drift == 0 : fabs(drift - 2e-6) < 1e-12, "round %d: %g", round, drift);
    }
    double values[] = {1e9, 3, 1, 2, -1e9, 2, 4, 0};
    cr_expect_float_eq(ordo_net_firefly_mean(values, 8), 2, 1e-12); /* of 1, 2, 2, 3 */
}

Test(net, firefly_brings_all_hosts_together_without_a_reference)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.hosts = 16;
    options.seconds = 2;
    options.traffic.load = 0.2;
    struct ordo_net_score score = play("firefly:peers=6:every-us=1000", &options).score;
    cr_expect_lt(score.p95_ns, 20, "%g", score.p95_ns);
    cr_expect_lt(score.converged_after_s, 1.5);
    cr_expect(isnan(score.bound_ns) && score.bound_held);
    cr_expect_gt(play("ntp", &options).score.p50_ns, 10 * score.p50_ns);
    options.hosts = 2; /* each other's only peer */
    cr_expect_lt(play("firefly:every-us=1000", &options).score.p95_ns, 20);
}

enum { TICKS = 101 };

/* Probes every 10 ms that take no time there and `back_ps` back, between clocks whose offset is `offset_ps` + rate at. */
static struct ordo_net_samples straight(struct ordo_net_point *points, double offset_ps, double rate, int64_t back_ps)
{
    for (int i = 0; i < TICKS; i++) {
        int64_t at_ps = i * INT64_C(10000000000), delta_ps = llround(offset_ps + rate * (double)at_ps);
        points[i] = (struct ordo_net_point){at_ps, delta_ps};
        points[TICKS + i] = (struct ordo_net_point){at_ps, delta_ps - back_ps};
    }
    return (struct ordo_net_samples){points, points + TICKS, TICKS, TICKS};
}

/* Clock 1 is ahead of clock 0 by 3 us, and its way back so slow that what is likely is off by half a millisecond; clock 2 gains
 * 100 ppm on clock 1. So it matters when the second edge is read: [W1]. */
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

Test(net, an_edge_that_is_read_at_the_wrong_instant_proves_that_much_less)
{
    expect_truth_in_bounds((struct ordo_net_edge){1, 2}, 1e-4);
    expect_truth_in_bounds((struct ordo_net_edge){2, 1}, -1e-4 / (1 + 1e-4));
}

enum { WAYS = 6 };

/* By what the others say of host 3, whose clock is that of the others and which the tree reaches by way of host 1; `lie` is what host 1
 * says. The edges of host 3 are read where the lie leads the tree. */
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

Test(net, a_lie_that_leads_the_tree_astray_widens_nothing)
{
    struct ordo_net_point points[2 * TICKS];
    const struct ordo_net_samples lie = straight(points, 1e12, 0, 0);
    expect_truth_beside_lie(&lie, 1e-3);
}

/* Two probes a picosecond apart, and clocks that go apart by 200 s meanwhile: after half a second that line is at no number. */
Test(net, a_lie_without_end_is_a_lie)
{
    struct ordo_net_point there[] = {{0, 100000000000000}, {1, -100000000000000}},
                          back[] = {{0, 99999999999999}, {1, -100000000000001}};
    const struct ordo_net_samples lie = {there, back, 2, 2};
    expect_truth_beside_lie(&lie, 1e-3);
    expect_truth_beside_lie(&lie, 1e-9);
}
