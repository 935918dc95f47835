/* PTP on the simulated network: its parts, the selection of the best master, and the accuracy of each kind of clock and
 * stamp. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "lab/net/protocol/protocol.h"
#include "lab/net/ptp/dataset.h"
#include "lab/net/ptp/exchange.h"
#include "lab/net/ptp/foreign.h"
#include "lab/net/ptp/message.h"
#include "lab/net/ptp/ptp.h"
#include "lab/net/servo/pi.h"

static struct ordo_net_ptp_dataset random_dataset(uint64_t *random)
{
    struct ordo_net_ptp_dataset dataset = {.priority1 = 128, .clock_class = 248};
    dataset.priority1 += (uint8_t)(ordo_random_next(random) % 2);
    dataset.accuracy = (uint8_t)(ordo_random_next(random) % 2);
    dataset.identity = (int)(ordo_random_next(random) % 3);
    dataset.steps = (int)(ordo_random_next(random) % 4);
    dataset.sender = (struct ordo_net_ptp_port_id){(int)(ordo_random_next(random) % 4), 1};
    dataset.receiver = (struct ordo_net_ptp_port_id){7, 1 + (int)(ordo_random_next(random) % 3)};
    if (dataset.identity == 0) /* a clock has the same dataset in all its announcements */
        dataset.priority1 = dataset.accuracy = 0;
    return dataset;
}

Test(ptp, the_comparison_of_two_datasets_is_antisymmetric)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        struct ordo_net_ptp_dataset a = random_dataset(&random), b = random_dataset(&random);
        enum ordo_net_ptp_order there = ordo_net_ptp_compare(&a, &b), back = ordo_net_ptp_compare(&b, &a);
        cr_assert_eq((int)there + (int)back, (int)ORDO_NET_PTP_SAME * 2);
    }
}

Test(ptp, qualities_are_compared_in_order)
{
    struct ordo_net_ptp_dataset good = {.priority1 = 1, .identity = 9}, bad = {.priority1 = 2, .identity = 1};
    cr_expect(ordo_net_ptp_is_better(&good, &bad));
    good.priority1 = 2;
    bad.clock_class = 7;
    cr_expect(ordo_net_ptp_is_better(&good, &bad));
    bad.clock_class = 0;
    bad.accuracy = 1;
    cr_expect(ordo_net_ptp_is_better(&good, &bad));
    bad.accuracy = 0;
    bad.variance = 1;
    cr_expect(ordo_net_ptp_is_better(&good, &bad));
    bad.variance = 0;
    bad.priority2 = 1;
    cr_expect(ordo_net_ptp_is_better(&good, &bad));
    bad.priority2 = 0;
    cr_expect_not(ordo_net_ptp_is_better(&good, &bad));
    good = bad;
    good.steps = 2;
    cr_expect_eq(ordo_net_ptp_compare(&bad, &good), ORDO_NET_PTP_BETTER);
}

Test(ptp, a_clock_with_a_reference_is_never_a_slave)
{
    struct ordo_net_ptp_dataset own = {.clock_class = 6, .identity = 5}, best = {.clock_class = 5, .identity = 1};
    cr_expect_eq(ordo_net_ptp_decide(&own, &best, &best), ORDO_NET_PTP_PASSIVE);
    best.clock_class = 7;
    cr_expect_eq(ordo_net_ptp_decide(&own, &best, &best), ORDO_NET_PTP_MASTER);
    own.clock_class = 248;
    cr_expect_eq(ordo_net_ptp_decide(&own, &best, &best), ORDO_NET_PTP_SLAVE);
    cr_expect_eq(ordo_net_ptp_decide(&own, NULL, &best), ORDO_NET_PTP_MASTER);
    cr_expect_eq(ordo_net_ptp_decide(&own, NULL, NULL), ORDO_NET_PTP_MASTER);
    best.receiver = (struct ordo_net_ptp_port_id){5, 1};
    struct ordo_net_ptp_dataset twin = best;
    twin.sender = (struct ordo_net_ptp_port_id){2, 1};
    twin.receiver.port = 2;
    cr_expect_eq(ordo_net_ptp_decide(&own, &twin, &best), ORDO_NET_PTP_PASSIVE);
}

Test(ptp, a_master_must_be_heard_twice_and_recently)
{
    struct ordo_net_ptp_foreign foreign = {0};
    struct ordo_net_ptp_dataset one = {.sender = {1, 1}}, circling = {.sender = {2, 1}, .steps = 255};
    ordo_net_ptp_hear(&foreign, &one, 100);
    cr_expect_null(ordo_net_ptp_best(&foreign, 100, 100));
    ordo_net_ptp_hear(&foreign, &one, 200);
    cr_expect_not_null(ordo_net_ptp_best(&foreign, 500, 100));
    cr_expect_null(ordo_net_ptp_best(&foreign, 501, 100));
    ordo_net_ptp_hear(&foreign, &circling, 1500);
    ordo_net_ptp_hear(&foreign, &circling, 1510);
    cr_expect_null(ordo_net_ptp_best(&foreign, 1510, 100));
}

Test(ptp, the_best_of_many_masters_is_kept)
{
    struct ordo_net_ptp_foreign foreign = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 20; i > 0; i--) {
            struct ordo_net_ptp_dataset dataset = {.identity = i, .sender = {i, 1}};
            ordo_net_ptp_hear(&foreign, &dataset, round);
        }
    cr_assert_not_null(ordo_net_ptp_best(&foreign, 2, 100));
    cr_expect_eq(ordo_net_ptp_best(&foreign, 2, 100)->identity, 1);
}

Test(ptp, an_unpacked_message_has_the_packed_fields)
{
    const struct ordo_net_ptp_message message = {.type = ORDO_NET_PTP_DELAY_RESP,
                                                 .sender = {5100, 4100},
                                                 .requester = 4095,
                                                 .sequence = 65535,
                                                 .time_ps = -17,
                                                 .correction_ps = 4711};
    struct ordo_net_packet packet = ordo_net_ptp_pack(&message);
    ordo_net_ptp_correct(&packet, 1000); /* has no effect, because the message is no event message */
    struct ordo_net_ptp_message read = ordo_net_ptp_unpack(&packet);
    cr_expect(read.type == message.type && ordo_net_ptp_same_port(read.sender, message.sender));
    cr_expect(read.requester == 4095 && read.sequence == 65535 && read.time_ps == -17 && read.correction_ps == 4711);
    struct ordo_net_ptp_dataset said = {1, 2, 3, 4, 50000, 4097, 254, {9, 8}, {0, 0}};
    packet = ordo_net_ptp_pack_announce(&said);
    struct ordo_net_ptp_dataset heard = ordo_net_ptp_unpack_announce(&packet);
    cr_expect_eq(memcmp(&said, &heard, sizeof said), 0);
}

Test(ptp, an_exchange_gives_offset_and_delay)
{
    struct ordo_net_ptp_exchange exchange = {0};
    /* The clock is ahead by 5000 ps and gains 10 ppm; each direction takes 700 ps. In switches that report it, the Sync
     * waits for 90 ps and the Delay_Req for 1000 ps. */
    ordo_net_ptp_take_sync(&exchange, 0, 5000 + 700 + 90, 90);
    ordo_net_ptp_take_delay(&exchange, 1000000000 + 5000 + 10000, 1000000000 + 700 + 1000, 1000, 1e-5);
    cr_expect_eq(exchange.delay_ps, 700, "%lld", (long long)exchange.delay_ps);
    cr_expect_eq(ordo_net_ptp_offset(&exchange), 5000);
    for (int i = 0; i < 4; i++) /* a few messages with an unreported wait change nothing */
        ordo_net_ptp_take_delay(&exchange, 5790, 700 + 790000, 0, 0);
    for (int i = 0; i < 5; i++)
        ordo_net_ptp_take_delay(&exchange, 1000000000 + 5000 + 10000, 1000000000 + 700, 0, 1e-5);
    cr_expect_eq(exchange.delay_ps, 700, "%lld", (long long)exchange.delay_ps);
}

Test(ptp, a_servo_keeps_a_clock_close_to_true_time)
{
    for (int software = 0; software < 2; software++) {
        struct ordo_net_steered clock = {0};
        struct ordo_net_pi servo = {.gains = ordo_net_gains_of(0.125, software)};
        double left_ps = 0;
        for (int64_t i = 1; i < 400; i++) {
            int64_t at_ps = i * INT64_C(125000000000);
            double ahead_ps = 5e6 + 20e-6 * (double)at_ps;
            ordo_net_pi_take(&servo, &clock, at_ps, ahead_ps);
            left_ps = ahead_ps - ordo_net_steered_ahead(&clock, at_ps);
        }
        cr_expect_lt(fabs(left_ps), 1, "%g", left_ps);
        ordo_net_pi_restart(&servo, false);
        ordo_net_pi_take(&servo, &clock, INT64_C(51000000000000), 1e6);
        cr_expect_float_eq(ordo_net_steered_ahead(&clock, INT64_C(51000000000000)), 1e6, 1, "a step");
        cr_expect_float_eq(clock.rate, 20e-6, 1e-9, "the rate stays");
        ordo_net_pi_restart(&servo, true);
        ordo_net_pi_take(&servo, &clock, INT64_C(52000000000000), 3e6);
        ordo_net_pi_take(&servo, &clock, INT64_C(56000000000000), 3e6 - 4e7);
        cr_expect_float_eq(clock.rate, -10e-6, 1e-9, "another source, another rate: %g", clock.rate);
    }
}

Test(ptp, a_peer_exchange_gives_the_delay_of_the_link)
{
    struct ordo_net_ptp_exchange link = {0};
    /* Each direction takes 700 ps; the peer, whose clock shows another time, holds the question for 250 ps. */
    ordo_net_ptp_take_peer(&link, 5000, 5000 + 700 + 250 + 700, 250);
    cr_expect_eq(link.delay_ps, 700, "%lld", (long long)link.delay_ps);
    for (int i = 0; i < 4; i++) /* a few messages that wait change nothing */
        ordo_net_ptp_take_peer(&link, 5000, 5000 + 90000, 250);
    for (int i = 0; i < 5; i++)
        ordo_net_ptp_take_peer(&link, 5000, 5000 + 700 + 250 + 700, 250);
    cr_expect_eq(link.delay_ps, 700, "%lld", (long long)link.delay_ps);
}

static struct ordo_net_score play(const char *text, const struct ordo_net_options *options,
                                  struct ordo_net_ptp_found *found)
{
    struct ordo_net_choice choice;
    struct ordo_net_score score;
    struct ordo_error error = {.text = ""};
    cr_assert_eq(ordo_net_choice_parse(&choice, text, &error), ORDO_OK, "%s", error.text);
    int code = ordo_net_ptp_run(options, (const struct ordo_net_ptp *)choice.own, &score, found, &error);
    cr_assert_eq(code, ORDO_OK, "%s: %s", text, error.text);
    return score;
}

static struct ordo_net_options network_of(enum ordo_net_shape_kind shape, int hosts, double seconds)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.shape = shape;
    options.hosts = hosts;
    options.seconds = seconds;
    return options;
}

Test(ptp, boundary_clocks_form_a_tree_below_host_0)
{
    for (int shape = ORDO_NET_STAR; shape <= ORDO_NET_CLOS; shape++) {
        struct ordo_net_options options = network_of((enum ordo_net_shape_kind)shape, 40, 2);
        struct ordo_net_ptp_found found;
        options.traffic.load = 0.05;
        struct ordo_net *net = ordo_net_new(&options, NULL);
        const struct ordo_net_shape made = *ordo_net_shape_of(net);
        (void)play("ptp:clocks=boundary:sync-ms=20", &options, &found);
        cr_expect_eq(found.grandmaster, 0, "%s", ordo_net_shape_name(shape));
        cr_expect_eq(found.slaves, made.nodes - 1, "%s: every other clock has one master", ordo_net_shape_name(shape));
        cr_expect_eq(found.masters + found.slaves + found.passive, made.links);
        cr_expect_eq(found.passive, made.links / 2 - (made.nodes - 1), "%s: a link that would close a loop is cut",
                     ordo_net_shape_name(shape));
        ordo_net_free(net);
    }
}

Test(ptp, data_of_another_master_is_not_passed_on)
{
    struct ordo_net_options options = network_of(ORDO_NET_TREE, 40, 2);
    options.traffic.load = 0;
    struct ordo_net_score score = play("ptp:clocks=boundary:sync-ms=20", &options, NULL);
    cr_expect_lt(score.p99_ns, 2000, "%g", score.p99_ns);
}

Test(ptp, the_next_best_clock_replaces_a_silent_grandmaster)
{
    struct ordo_net_options options = network_of(ORDO_NET_TREE, 40, 4);
    struct ordo_net_ptp_found found;
    options.traffic.load = 0.05;
    struct ordo_net_score score = play("ptp:sync-ms=20:fails-ms=2000", &options, &found);
    cr_expect_eq(found.grandmaster, 1);
    cr_expect_eq(found.slaves, 38);
    cr_expect_lt(score.p99_ns, 20000); /* the next best clock continues from its own estimate of the time */
    (void)play("ptp:clocks=boundary:sync-ms=20:fails-ms=2000", &options, &found);
    cr_expect_eq(found.grandmaster, 1);
}

struct tally {
    int came[40];
};

static void tally_arrival(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct tally *tally = context;
    (void)net, (void)stamp_ps;
    tally->came[packet->to]++;
}

static void tally_wake(void *context, struct ordo_net *net, int node, int token)
{
    const struct ordo_net_packet packet = {.from = node, .to = ORDO_NET_ALL, .bytes = 86};
    (void)context, (void)token;
    (void)ordo_net_send(net, &packet, 0);
}

static void tally_nothing(void *context, struct ordo_net *net, int64_t true_ps)
{
    (void)context, (void)net, (void)true_ps;
}

Test(ptp, a_multicast_reaches_every_other_host_once)
{
    static const struct ordo_net_protocol_calls calls = {tally_arrival, tally_wake, tally_nothing};
    for (int shape = ORDO_NET_STAR; shape <= ORDO_NET_CLOS; shape++)
        for (int from = 0; from < 40; from++) {
            struct ordo_net_options options = network_of((enum ordo_net_shape_kind)shape, 40, 0.001);
            struct tally tally = {{0}};
            struct ordo_net *net = ordo_net_new(&options, NULL);
            ordo_net_wake(net, from, 0, 0);
            cr_assert_eq(ordo_net_run(net, &calls, &tally, 1000000000, NULL), ORDO_OK);
            for (int host = 0; host < 40; host++)
                cr_assert_eq(tally.came[host], host != from, "%s: %d to %d", ordo_net_shape_name(shape), from, host);
            cr_expect_eq(ordo_net_metered(net, from).sent_packets, 1);
            ordo_net_free(net);
        }
}

Test(ptp, transparent_clocks_remove_the_time_in_queues)
{
    struct ordo_net_options options = network_of(ORDO_NET_TREE, 16, 1.5);
    double ordinary = play("ptp:sync-ms=20", &options, NULL).p75_ns;
    double transparent = play("ptp:sync-ms=20:clocks=transparent", &options, NULL).p75_ns;
    double software = play("ptp:sync-ms=20:clocks=transparent:stamps=software", &options, NULL).p75_ns;
    cr_expect_lt(transparent * 3, ordinary, "%g, %g", transparent, ordinary);
    cr_expect_gt(software, 5 * transparent, "%g, %g", software, transparent);
    options.traffic.load = 0;
    double quiet = play("ptp:sync-ms=20", &options, NULL).p75_ns;
    double none = play("ptp:sync-ms=20:servo=none", &options, NULL).p75_ns;
    cr_expect_gt(none, 3 * quiet, "%g, %g", none, quiet); /* without a servo a clock drifts from one Sync to the next */
}

Test(ptp, the_peer_delay_mechanism_measures_a_link_alone)
{
    struct ordo_net_options options = network_of(ORDO_NET_TREE, 24, 5);
    struct ordo_net_ptp_found found;
    options.clock.outlier_chance = 0;
    double peers = play("ptp:clocks=boundary:delay=p2p:sync-ms=50", &options, &found).p99_ns, delay_ns = found.delay_ns;
    cr_expect_lt(peers, 500, "%g", peers);
    (void)play("ptp:clocks=boundary:delay=e2e:sync-ms=50", &options, &found);
    cr_expect_float_eq(delay_ns, found.delay_ns, 8, "%g, %g: each link is a segment", delay_ns, found.delay_ns);
    cr_expect_float_eq(delay_ns, 500 + 69, 20, "the delay of a link, and the transmission: %g", delay_ns);
    cr_expect_eq(found.clocks[0], 1);
    cr_expect_eq(found.clocks[1], 1, "%d: a host has one neighbour", found.clocks[1]);
    options = network_of(ORDO_NET_LINE, 2, 20);
    options.traffic.load = 0;
    double direct = play("ptp:delay=p2p", &options, &found).p75_ns, end = play("ptp", &options, NULL).p75_ns;
    cr_expect_lt(direct, 3 * end, "%g, %g", direct, end);
}

Test(ptp, a_new_slave_port_knows_the_delay_of_its_link)
{
    struct ordo_net_options options = network_of(ORDO_NET_TREE, 24, 4);
    struct ordo_net_ptp_found found;
    struct ordo_net_score score = play("ptp:clocks=boundary:delay=p2p:sync-ms=20:fails-ms=2000", &options, &found);
    cr_expect_eq(found.grandmaster, 1);
    cr_expect_lt(score.p99_ns, 20000, "%g", score.p99_ns);
}

Test(ptp, the_peer_delay_mechanism_needs_a_clock_at_both_ends)
{
    struct ordo_net_options options = network_of(ORDO_NET_STAR, 4, 1);
    struct ordo_net_ptp ptp = ordo_net_ptp_defaults();
    struct ordo_net_score score;
    struct ordo_error error = {.text = ""};
    ptp.delay = ORDO_NET_PTP_PEER_TO_PEER;
    cr_expect_eq(ordo_net_ptp_run(&options, &ptp, &score, NULL, &error), ORDO_E_INVALID);
    ptp.clocks = ORDO_NET_PTP_TRANSPARENT;
    cr_expect_eq(ordo_net_ptp_run(&options, &ptp, &score, NULL, &error), ORDO_E_INVALID);
}

Test(ptp, a_log_has_the_packets_in_the_order_of_their_arrival)
{
    struct ordo_net_options options = network_of(ORDO_NET_STAR, 2, 1);
    struct ordo_net_logged packets[8];
    struct ordo_net_log log = {.packet = packets, .room = 8};
    options.log = &log;
    (void)play("ptp:sync-ms=20", &options, NULL);
    cr_assert_eq(log.count, 8);
    for (size_t i = 0; i < log.count; i++) {
        cr_expect_gt(packets[i].came_ps, packets[i].left_ps);
        cr_expect(i == 0 || packets[i].came_ps >= packets[i - 1].came_ps);
        cr_expect_neq(packets[i].from, packets[i].to);
    }
}

Test(ptp, a_host_clock_is_less_accurate_than_its_network_interface)
{
    struct ordo_net_options options = network_of(ORDO_NET_STAR, 4, 60);
    options.traffic.load = 0;
    double interface = play("ptp:sync-ms=1000", &options, NULL).stddev_ns;
    double often = play("ptp:sync-ms=1000:system-hz=10", &options, NULL).stddev_ns;
    double seldom = play("ptp:sync-ms=1000:system-hz=1", &options, NULL).stddev_ns;
    cr_expect_lt(interface * 3, often, "%g, %g", interface, often);
    cr_expect_lt(often * 1.5, seldom, "%g, %g", often, seldom);
}

Test(ptp, the_bounds_of_ntp_hold_with_software_timestamps)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct ordo_net_options options = network_of((enum ordo_net_shape_kind)(seed % 5), 12, 0.2);
        struct ordo_net_choice choice;
        struct ordo_net_score score;
        options.traffic.seed = seed;
        cr_assert_eq(
            ordo_net_choice_parse(&choice, "ntp:poll-ms=5:stamps=software:jitter-ns=20000:waking-ns=30000", NULL),
            ORDO_OK);
        cr_assert_eq(ordo_net_ntp_run(&options, (const struct ordo_net_ntp *)choice.own, &score, NULL, NULL), ORDO_OK);
        cr_expect(score.bound_held && score.bound_ns > 15000 && score.mean_signed_ns > 5000, "seed %llu: %g",
                  (unsigned long long)seed, score.mean_signed_ns);
    }
}
