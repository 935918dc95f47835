/* The simulated network, and the protocols on it. */
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

Test(net, events_happen_in_order_of_time_and_insertion)
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

/* Returns the share of the port's time that the cross traffic takes, as measured by one packet per microsecond. */
static double busy_share(enum ordo_net_traffic_kind kind, double load)
{
    const struct ordo_net_traffic traffic = {
        .kind = kind, .load = load, .gbps = 10, .buffer_bytes = 1 << 24, .seed = 4};
    struct ordo_net_pace pace;
    struct ordo_net_traffic_port port;
    int busy = 0;
    ordo_net_pace_make(&pace, &traffic);
    ordo_net_traffic_port_make(&port, &pace, 7, true);
    for (int64_t i = 1; i <= 200000; i++) {
        busy += ordo_net_traffic_port_pass(&port, &pace, i * 1000000, 0) - i * 1000000 > ordo_net_wire_ps(&pace, 0);
        port.free_ps -=
            ordo_net_wire_ps(&pace, 0); /* removes the measuring packet, so that only the cross traffic counts */
    }
    return busy / 200000.0;
}

Test(net, a_port_has_the_stated_load)
{
    for (int kind = ORDO_NET_POISSON; kind <= ORDO_NET_INCAST; kind++)
        for (int load = 2; load <= 6; load += 2)
            cr_expect_float_eq(busy_share((enum ordo_net_traffic_kind)kind, load / 10.0), load / 10.0, 0.03, "%s %d",
                               ordo_net_traffic_name(kind), load);
}

Test(net, cross_traffic_does_not_depend_on_the_observer)
{
    const struct ordo_net_traffic traffic = {.load = 0.5, .gbps = 10, .buffer_bytes = 1 << 24, .seed = 4};
    struct ordo_net_pace pace;
    struct ordo_net_traffic_port often, seldom;
    ordo_net_pace_make(&pace, &traffic);
    ordo_net_traffic_port_make(&often, &pace, 7, true);
    ordo_net_traffic_port_make(&seldom, &pace, 7, true);
    for (int64_t i = 1; i <= 100000; i++)
        (void)ordo_net_traffic_port_pass(&often, &pace, i * 1000000, 0);
    (void)ordo_net_traffic_port_pass(&seldom, &pace, INT64_C(100000000000), 0);
    cr_expect_eq(often.next_ps, seldom.next_ps);
}

Test(net, every_shape_joins_all_hosts_by_shortest_paths)
{
    for (int kind = ORDO_NET_STAR; kind < ORDO_NET_SHAPES; kind++) {
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

Test(net, a_fat_tree_spreads_flows_over_all_shortest_paths)
{
    static const struct {
        int hosts, switches, hops, paths;
    } trees[] = {{16, 20, 6, 4}, {17, 45, 6, 9}, {54, 45, 6, 9}, {128, 80, 6, 16}};
    for (int i = 0; i < 4; i++) {
        struct ordo_net_shape shape;
        cr_assert_eq(ordo_net_shape_make(&shape, ORDO_NET_FAT_TREE, trees[i].hosts, NULL), ORDO_OK);
        cr_expect_eq(shape.nodes, trees[i].hosts + trees[i].switches);
        cr_expect_eq(shape.hops, trees[i].hops);
        int flows[4096] = {0}, used = 0, half = (int)lround(sqrt(trees[i].paths));
        for (uint32_t flow = 0; flow < 3200; flow++) {
            int node = 0, core = 0;
            for (int hops = 0; node != trees[i].hosts - 1; hops++) {
                node = shape.link[ordo_net_shape_next(&shape, node, trees[i].hosts - 1, flow)].to;
                core = hops == 2 ? node : core;
            }
            flows[core]++;
        }
        for (int node = shape.nodes - half * half; node < shape.nodes; node++) {
            used += flows[node] > 0;
            cr_expect(abs(flows[node] - 3200 / trees[i].paths) < 1600 / trees[i].paths, "%d flows", flows[node]);
        }
        cr_expect_eq(used, trees[i].paths);
        ordo_net_shape_free(&shape);
    }
}

Test(net, huygens_synchronises_hosts_of_a_fat_tree)
{
    struct ordo_net_options options = ordo_net_defaults();
    struct ordo_net_score score;
    struct ordo_net_edges edges;
    struct ordo_net_huygens huygens = ordo_net_huygens_defaults();
    options.shape = ORDO_NET_FAT_TREE;
    options.hosts = 16;
    options.seconds = 0.2;
    cr_assert_eq(ordo_net_huygens_run(&options, &huygens, &score, &edges, NULL), ORDO_OK);
    cr_expect(score.bound_held && score.p99_ns < 100, "%g ns", score.p99_ns);
}

Test(net, clock_rates_and_timestamp_errors_stay_within_their_limits)
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

Test(net, bounds_hold_if_links_and_nodes_fail)
{
    static const char *const protocols[] = {"huygens:peers=4", "ntp:poll-ms=5"};
    int noticed = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct ordo_net_options options = small_network(seed);
        double whole_ns = play(protocols[seed % 2], &options).score.mean_absolute_ns;
        options.failing_links = 3;
        options.failing_nodes = 2;
        options.outage_s = 0;
        cr_expect_eq(play(protocols[seed % 2], &options).score.mean_absolute_ns, whole_ns,
                     "a failure of no length changes nothing");
        options.outage_s = options.seconds * 0.3;
        struct ordo_net_outcome outcome = play(protocols[seed % 2], &options);
        cr_expect(outcome.score.bound_held, "seed %llu", (unsigned long long)seed);
        noticed += outcome.score.mean_absolute_ns != whole_ns;
    }
    cr_expect_gt(noticed, 8);
}

Test(net, failures_of_links_and_nodes_spare_host_0)
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

Test(net, a_stepping_clock_breaks_the_bound)
{
    struct ordo_net_options options = small_network(2);
    options.clock.step_host = 1;
    options.clock.step_ns = 3000000;
    options.clock.step_at_true_ns = 55000000;
    struct ordo_net_outcome outcome = play("huygens:peers=4", &options);
    cr_expect(!outcome.score.bound_held || isnan(outcome.score.bound_ns));
}

Test(net, the_seed_determines_the_run)
{
    struct ordo_net_options options = small_network(7);
    struct ordo_net_outcome first = play("huygens:peers=4", &options), again = play("huygens:peers=4", &options);
    cr_expect_eq(first.score.mean_absolute_ns, again.score.mean_absolute_ns);
    cr_expect_eq(first.score.max_ns, again.score.max_ns);
    cr_expect_eq(first.score.bound_ns, again.score.bound_ns);
    options.traffic.seed++;
    cr_expect_neq(play("huygens:peers=4", &options).score.mean_absolute_ns, first.score.mean_absolute_ns);
}

Test(net, huygens_is_worse_if_any_one_part_is_removed, .disabled = ORDO_TESTS_BRIEF)
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

Test(net, huygens_in_real_time_forecasts_offsets_from_past_windows)
{
    struct ordo_net_options options = ordo_net_defaults();
    struct ordo_net_score later, now;
    struct ordo_net_edges edges;
    struct ordo_net_huygens huygens = ordo_net_huygens_defaults();
    options.hosts = 12;
    options.seconds = 2;
    huygens.window_ms = 200;
    cr_assert_eq(ordo_net_huygens_run(&options, &huygens, &later, &edges, NULL), ORDO_OK);
    huygens.real_time = true;
    cr_assert_eq(ordo_net_huygens_run(&options, &huygens, &now, &edges, NULL), ORDO_OK);
    cr_expect_geq(now.converged_after_s, 0.4, "nothing is known in the first two windows");
    cr_expect(isnan(now.bound_ns), "a forecast has no bound");
    /* The clocks are up to 100 us apart, and their rates 40 us/s. */
    cr_expect(now.p99_ns < 10 && later.p99_ns < 10, "%g and %g ns", now.p99_ns, later.p99_ns);
    options.clock.walk_ppb = 500;
    cr_assert_eq(ordo_net_huygens_run(&options, &huygens, &later, &edges, NULL), ORDO_OK);
    cr_expect_gt(later.p99_ns, 5 * now.p99_ns, "a rate that changes cannot be forecast");
}

Test(net, loops_do_not_correct_a_bending_clock)
{
    struct ordo_net_options options = ordo_net_defaults();
    double bent = 0, straight = 0, theory = 0;
    uint64_t seeds = ORDO_TESTS_BRIEF ? 1 : 4;
    options.hosts = 32;
    options.seconds = 0.5;
    options.clock.swing_ppb = 50;
    options.clock.swing_period_s = 4;
    options.clock.outlier_chance = 0;
    for (options.traffic.seed = 1; options.traffic.seed <= seeds; options.traffic.seed++) {
        struct ordo_net_edges edges = play("huygens:every-us=500", &options).edges;
        bent += edges.ratio / (double)seeds;
        straight += edges.straight_ratio / (double)seeds;
        theory = edges.theory;
    }
    cr_expect_gt(bent, 1.4 * theory, "%g and %g", bent, theory);
    cr_expect_lt(fabs(straight - theory), 0.15 * theory, "%g and %g", straight, theory);
}

/* True if the protocol accepts the option with this value. */
static bool takes(const char *protocol, const char *option, int length, long long value)
{
    char text[200];
    struct ordo_net_choice choice;
    (void)snprintf(text, sizeof text, "%s:%.*s=%lld", protocol, length, option, value);
    return ordo_net_choice_parse(&choice, text, NULL) == ORDO_OK;
}

Test(protocol, only_numbers_in_the_stated_range_are_accepted)
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

Test(protocol, a_refusal_lists_the_accepted_values)
{
    struct ordo_net_choice choice;
    struct ordo_error error;
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=11", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "ntp: 'servers=11' is wrong: give servers=1..8");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ptp:servers=1", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text,
                     "ptp: 'servers' is not an option of it; it takes clocks, delay, servo, sync-ms, fails-ms, "
                     "system-hz, read-ns, stamps, jitter-ns, waking-ns");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=2:poll-ms=5:servers=3", &error), ORDO_E_INVALID);
    cr_expect_str_eq(error.text, "ntp: 'servers' is given twice: leave one out");
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:=1", &error), ORDO_E_INVALID);
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:", &error), ORDO_E_INVALID);
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:servers=2:false=1:poll-ms=1", &error), ORDO_OK);
}

Test(net, a_refusal_lists_the_known_protocols_and_options)
{
    struct ordo_net_choice choice;
    struct ordo_error error;
    cr_expect_eq(ordo_net_choice_parse(&choice, "huygen", &error), ORDO_E_INVALID);
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++)
        cr_expect_not_null(strstr(error.text, (*at)->name), "%s", error.text);
    cr_expect_eq(ordo_net_choice_parse(&choice, "huygens:peers=0", &error), ORDO_E_INVALID);
    cr_expect_not_null(strstr(error.text, "give peers=1..1000"));
    cr_expect_eq(ordo_net_choice_parse(&choice, "ntp:coding=no", &error), ORDO_E_INVALID);
}

Test(net, firefly_uses_the_fastest_answers_of_a_peer)
{
    struct ordo_net_firefly_peer peer = {.host = 1};
    struct ordo_net_firefly_answer said;
    double drift = 1;
    cr_expect_not(ordo_net_firefly_listen(&peer, &said, &drift));
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 30; i++) { /* the clock gains 2 ppm; the error grows with the wait; one stamp is wrong */
            int wait = i * 7 % 30;
            bool lies = i == 11;
            struct ordo_net_firefly_answer answer = {.at_ps = round * INT64_C(20000000000) + i,
                                                     .rtt_ps = lies ? 1 : 1000 + wait * 100,
                                                     .offset_ps = lies ? 1e9 : round * 40000.0 + wait * 50,
                                                     .ahead_ps = wait};
            ordo_net_firefly_hear(&peer, &answer);
        }
        cr_assert(ordo_net_firefly_listen(&peer, &said, &drift));
        cr_assert_eq(said.ahead_ps, 2, "round %d: kept the answer that waited %g", round, said.ahead_ps);
        cr_assert(round < 2 ? drift == 0 : fabs(drift - 2e-6) < 1e-12, "round %d: %g", round, drift);
    }
    double values[] = {1e9, 3, 1, 2, -1e9, 2, 4, 0};
    cr_expect_float_eq(ordo_net_firefly_mean(values, 8), 2, 1e-12); /* of 1, 2, 2, 3 */
}

Test(net, firefly_synchronises_all_hosts_without_a_reference)
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
    options.hosts = 2; /* each host is the only peer of the other */
    cr_expect_lt(play("firefly:every-us=1000", &options).score.p95_ns, 20);
}

Test(networks, a_score_has_the_course_and_the_signed_quantiles_of_the_errors)
{
    struct ordo_net_claims claims = {0};
    struct ordo_net_score score;
    for (int i = 0; i < 4 * ORDO_NET_PARTS; i++) /* in each part four errors: -2, -1, 0 and 1 us, and a drift */
        ordo_net_claim_error(&claims, (int64_t)((i + 0.5) * 1e12), 1e6 * (i % 4 - 2) + 1e3 * (i / 4), -1);
    cr_assert_eq(ordo_net_score_claims(&score, &claims, 2, 4 * ORDO_NET_PARTS, 0, NULL), ORDO_OK);
    for (int i = 0; i < ORDO_NET_PARTS; i++) {
        cr_expect_eq(score.course[i].claims, 4);
        cr_expect_float_eq(score.course[i].at_s, 4 * i + 2, 1e-9);
        cr_expect_float_eq(score.course[i].mean_ns, -500 + i, 1e-9);
        cr_expect_float_eq(score.course[i].stddev_ns, sqrt(1.25) * 1000, 1e-6);
        cr_expect_float_eq(score.course[i].curve_ns[0], -2000 + i, 1e-9);
        cr_expect_float_eq(score.course[i].curve_ns[ORDO_NET_PART_CURVE - 1], 1000 + i, 1e-9);
    }
    cr_expect_float_eq(score.signed_ns[0], -2000, 1e-9);
    cr_expect_float_eq(score.signed_ns[1000], 1000 + ORDO_NET_PARTS - 1, 1e-9);
    cr_expect_float_eq(score.signed_ns[500], -1000 + ORDO_NET_PARTS - 1, 1e-9);
}
