/* DTP: the promises about its counters, and the failures if a condition of these promises is violated. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/random.h"
#include "lab/net/dtp/daemon.h"
#include "lab/net/dtp/precision.h"
#include "lab/net/protocol/protocol.h"

/* Returns seven devices in a row, thus six hops. The first device has the fastest allowed oscillator, and the others
 * the slowest. */
static struct ordo_net_options six_hops(uint64_t seed)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.shape = ORDO_NET_LINE;
    options.hosts = 7;
    options.seconds = 1000; /* only a limit: the run ends after the given number of ticks */
    options.delay_ns = 485 + (int64_t)(seed % 31);
    options.clock.skew_ppb = 100000;
    options.clock.walk_ppb = options.clock.swing_ppb = 0;
    options.traffic.seed = seed;
    return options;
}

static struct ordo_net_outcome play(const struct ordo_net_options *options, const char *protocol)
{
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome = {.has_edges = false};
    struct ordo_error error = {.text = ""};
    cr_assert_eq(ordo_net_choice_parse(&choice, protocol, &error), ORDO_OK, "%s", error.text);
    int code = choice.protocol->run(options, &choice, &outcome, &error);
    cr_assert_eq(code, ORDO_OK, "%s: %s", protocol, error.text);
    return outcome;
}

Test(dtp, counters_differ_by_at_most_four_ticks_per_hop)
{
    static const char *const intervals[] = {"200", "1200", "4000"};
    const char *ticks = getenv("ORDO_SOAK") ? "1000000000" : "3000000";
    for (int i = 0; i < 6; i++) {
        char protocol[100];
        struct ordo_net_options options = six_hops((uint64_t)i);
        (void)snprintf(protocol, sizeof protocol, "dtp:beacon-ticks=%s:ticks=%s:oscillators=%s", intervals[i / 2],
                       ticks, i % 2 ? "random" : "extreme");
        struct ordo_net_outcome outcome = play(&options, protocol);
        cr_expect_eq(outcome.counters.hops, 6);
        cr_expect_eq(outcome.counters.bound_ticks, 24);
        cr_expect_eq(outcome.counters.violations, 0, "%s: %lld", protocol, (long long)outcome.counters.worst_ticks);
        cr_expect(outcome.counters.worst_ticks > 4 && outcome.counters.worst_ticks <= 24, "%s", protocol);
        cr_expect(outcome.score.bound_held);
        cr_expect_float_eq(outcome.score.bound_ns, 153.6, 1e-6);
    }
}

Test(dtp, two_devices_differ_by_at_most_four_ticks)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct ordo_net_options options = six_hops(seed);
        options.hosts = 2;
        struct ordo_net_outcome outcome = play(&options, "dtp:ticks=500000:oscillators=extreme");
        cr_expect(outcome.counters.worst_ticks <= 4 && outcome.score.bound_held, "seed %d", (int)seed);
        cr_expect_float_eq(outcome.score.bound_ns, 25.6, 1e-6);
    }
}

Test(dtp, a_too_long_beacon_interval_breaks_the_bound)
{
    struct ordo_net_options options = six_hops(15);
    struct ordo_net_outcome outcome = play(&options, "dtp:beacon-ticks=20000:ticks=5000000:oscillators=extreme");
    cr_expect_gt(outcome.counters.worst_ticks, 24);
    cr_expect_gt(outcome.counters.violations, 0);
    cr_expect_not(outcome.score.bound_held);
}

Test(dtp, a_too_small_alpha_makes_counters_too_fast)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct ordo_net_options options = six_hops(seed);
        struct ordo_net_outcome right = play(&options, "dtp:ticks=3000000"), wrong;
        cr_expect(right.counters.rate_held, "%g ppm", right.counters.rate_ppm);
        /* 24 ticks in 3 million are 8 ppm */
        cr_expect_leq(right.counters.rate_ppm, right.counters.fastest_ppm + 9);
        cr_expect_geq(right.counters.rate_ppm, right.counters.fastest_ppm - 9);
        wrong = play(&options, "dtp:ticks=3000000:alpha=0");
        cr_expect_not(wrong.counters.rate_held);
        cr_expect_gt(wrong.counters.rate_ppm, wrong.counters.fastest_ppm + 1000);
        cr_expect(wrong.score.bound_held, "the offsets do not show the wrong rate");
    }
}

Test(dtp, one_device_that_is_too_fast_speeds_up_all_others)
{
    struct ordo_net_options options = six_hops(3);
    struct ordo_net_outcome outcome = play(&options, "dtp:ticks=10000000:fault-ppm=1000");
    cr_expect_float_eq(outcome.counters.fastest_ppm, 1100, 0.2);
    cr_expect_float_eq(outcome.counters.rate_ppm, 1100, 3);
    cr_expect_eq(outcome.counters.violations, 0, "the other devices follow the faulty one");
    cr_expect_not(outcome.counters.rate_held);
}

Test(dtp, software_access_adds_eight_ticks)
{
    struct ordo_net_options options = six_hops(4);
    struct ordo_net_outcome wire = play(&options, "dtp:ticks=3000000:beacon-ticks=4000:oscillators=extreme");
    struct ordo_net_outcome program =
        play(&options, "dtp:ticks=3000000:beacon-ticks=4000:oscillators=extreme:access=software");
    cr_expect_float_eq(program.score.bound_ns, 153.6 + 51.2, 1e-6);
    cr_expect(program.score.bound_held && program.score.max_ns <= 204.8);
    cr_expect_gt(program.score.max_ns, wire.score.max_ns);
    cr_expect_eq(program.counters.worst_ticks, wire.counters.worst_ticks);
}

Test(dtp, only_an_asymmetric_wire_breaks_the_bound)
{
    for (int kind = ORDO_NET_STAR; kind < ORDO_NET_SHAPES; kind++) {
        struct ordo_net_options options = six_hops((uint64_t)kind);
        options.shape = (enum ordo_net_shape_kind)kind;
        options.hosts = 20;
        cr_expect(play(&options, "dtp:ticks=500000").score.bound_held, "%s", ordo_net_shape_name(kind));
        options.asymmetry_ns = 1000;
        cr_expect_not(play(&options, "dtp:ticks=500000").score.bound_held, "%s", ordo_net_shape_name(kind));
    }
}

Test(dtp, beacons_are_ignored_until_the_delay_is_known)
{
    struct ordo_net_dtp_device device = {.global = 1000};
    struct ordo_net_dtp_port port;
    cr_assert_eq(ordo_net_dtp_init(&device, &port, 7), 1007);
    ordo_net_dtp_beacon(&port, 100, 9000); /* D2 */
    cr_expect_not(ordo_net_dtp_is_ahead(&port, &device));
    ordo_net_dtp_measure(&port, 3, 27, 1007);
    cr_expect_eq(port.delay, 8); /* the round trip is 20: (20 - 3) / 2, rounded down */
    ordo_net_dtp_measure(&port, 3, 9, 1007);
    cr_expect_eq(port.delay, -1); /* D1: -1 / 2, rounded down */
    ordo_net_dtp_beacon(&port, 100, 1102);
    cr_expect(ordo_net_dtp_is_ahead(&port, &device) && port.local == 1001);
    ordo_net_dtp_beacon(&port, 100, 1050);
    cr_expect_eq(port.local, 1001, "a counter never goes back");
}

/* Two counters with ticks of a few femtoseconds. Now and then one of them is moved. Both are read at every tick. */
struct moves {
    struct ordo_net_dtp_device devices[2];
    struct ordo_net_dtp_precision precision;
    int64_t looked_fs, worst;
    uint64_t random;
};

static void look(struct moves *moves)
{
    for (; moves->looked_fs < ordo_net_phy_now_fs(moves->precision.phy); moves->looked_fs++)
        moves->worst = ordo_max(moves->worst, llabs(ordo_net_dtp_counter(&moves->precision, 0, moves->looked_fs) -
                                                    ordo_net_dtp_counter(&moves->precision, 1, moves->looked_fs)));
}

static void move(void *context, struct ordo_net_phy *phy, int node, int token)
{
    struct moves *moves = context;
    (void)phy, (void)token;
    look(moves);
    ordo_net_dtp_precision_move(&moves->precision, node);
    moves->devices[node].global += (int64_t)(ordo_random_next(&moves->random) % 3);
    cr_assert_eq(moves->precision.worst, moves->worst);
}

Test(dtp, the_reported_difference_is_the_maximum_over_all_instants)
{
    const struct ordo_net_link links[2] = {{0, 1}, {1, 0}};
    const struct ordo_net_phy_calls calls = {NULL, move};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct moves moves = {.random = seed};
        struct ordo_net_phy_options options = {.period_fs = 9, .delay_fs = 1, .seed = seed};
        struct ordo_net_phy *phy = ordo_net_phy_new(&options, 2, 2, links, NULL);
        moves.precision = (struct ordo_net_dtp_precision){.bound_ticks = 4, .phy = phy, .devices = moves.devices};
        cr_assert(ordo_net_dtp_precision_make(&moves.precision, 2, 2));
        ordo_net_phy_oscillator(phy, 0)->period_fs = 9 + (int64_t)(seed % 4);
        int64_t at_fs = 0;
        for (int i = 0; i < 20; i++)
            ordo_net_phy_wake(phy, at_fs += (int64_t)(ordo_random_next(&moves.random) % 90),
                              (int)(ordo_random_next(&moves.random) % 2), 0);
        cr_assert_eq(ordo_net_phy_run(phy, &calls, &moves, at_fs, NULL), ORDO_OK);
        ordo_net_dtp_precision_free(&moves.precision);
        ordo_net_phy_free(phy);
    }
}

Test(dtp, a_too_short_run_is_refused)
{
    struct ordo_net_options options = six_hops(1);
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome;
    struct ordo_error error;
    cr_assert_eq(ordo_net_choice_parse(&choice, "dtp:ticks=5000:beacon-ticks=4000", &error), ORDO_OK);
    cr_expect_eq(choice.protocol->run(&options, &choice, &outcome, &error), ORDO_E_MEASURE);
    cr_expect_not_null(strstr(error.text, "meet within"));
    cr_expect_eq(ordo_net_choice_parse(&choice, "dtp:oscillators=slow", &error), ORDO_E_INVALID);
}

static const uint64_t half = UINT64_C(1) << ORDO_NET_DTP_HALF_BITS;

Test(dtp, a_message_fits_into_56_bits_and_differs_from_an_idle_block)
{
    enum ordo_net_dtp_kind kind;
    uint64_t value;
    for (int i = ORDO_NET_DTP_INIT; i <= ORDO_NET_DTP_MSB; i++) {
        uint64_t bits = ordo_net_dtp_encode((enum ordo_net_dtp_kind)i, UINT64_MAX - 5);
        cr_expect(bits != 0 && bits >> ORDO_NET_DTP_MESSAGE_BITS == 0);
        cr_assert(ordo_net_dtp_decode(bits, &kind, &value));
        cr_expect(kind == (enum ordo_net_dtp_kind)i && value == half - 6);
    }
    cr_expect_not(ordo_net_dtp_decode(0, &kind, &value), "an idle block");
    cr_expect_not(ordo_net_dtp_decode(UINT64_C(7) << ORDO_NET_DTP_HALF_BITS, &kind, &value), "an unknown kind");
}

Test(dtp, a_lower_half_is_completed_across_a_wrap)
{
    uint64_t random = 1;
    for (int i = 0; i < 100000; i++) {
        int64_t own = (int64_t)(ordo_random_next(&random) >> 2);
        int64_t apart = (int64_t)(ordo_random_next(&random) >> 12) - (int64_t)(half / 2); /* below 2^52 */
        if (own + apart >= 0)
            cr_assert_eq(ordo_net_dtp_nearest(own, (uint64_t)(own + apart) & (half - 1)), own + apart);
    }
    cr_expect_eq(ordo_net_dtp_nearest((int64_t)half - 1, 3), (int64_t)half + 3);
    cr_expect_eq(ordo_net_dtp_nearest((int64_t)half + 3, half - 1), (int64_t)half - 1);
}

Test(dtp, a_counter_of_106_bits_adds_and_subtracts_over_both_halves)
{
    uint64_t random = 2;
    for (int i = 0; i < 100000; i++) {
        struct ordo_net_dtp_time time = {.high = ordo_random_next(&random) & (half - 1),
                                         .low = ordo_random_next(&random) & (half - 1)};
        int64_t ticks = (int64_t)(ordo_random_next(&random) >> 2) - (INT64_C(1) << 61);
        struct ordo_net_dtp_time later = ordo_net_dtp_time_add(time, ticks);
        cr_assert(later.high < half && later.low < half);
        cr_assert_eq(ordo_net_dtp_time_minus(later, time), ticks);
        cr_assert_eq(ordo_net_dtp_time_minus(time, later), -ticks);
    }
    struct ordo_net_dtp_time last = {half - 1, half - 1}, zero = ordo_net_dtp_time_add(last, 1);
    cr_expect(zero.high == 0 && zero.low == 0, "the counter wraps at 2^106");
}

Test(dtp, counters_that_wrap_differ_like_counters_that_do_not)
{
    struct ordo_net_options options = six_hops(6);
    struct ordo_net_outcome low = play(&options, "dtp:ticks=3000000");
    struct ordo_net_outcome wrapped = play(&options, "dtp:ticks=3000000:first=wrap");
    cr_expect_eq(low.counters.worst_ticks, wrapped.counters.worst_ticks);
    cr_expect_eq(low.score.max_ns, wrapped.score.max_ns);
    cr_expect(wrapped.score.bound_held && wrapped.counters.rate_held);
}

/* The largest counter of the beginning, and how far a counter has got beyond it, without the ticks since then. */
struct largest {
    int64_t first, beyond;
    int heard;
};

static void note_largest(void *context, const struct ordo_net_dtp_heard *message)
{
    struct largest *largest = context;
    int64_t ticks = message->came_fs / ORDO_NET_DTP_PERIOD_FS;
    enum ordo_net_dtp_kind kind;
    uint64_t value;
    cr_assert(ordo_net_dtp_decode(message->bits, &kind, &value));
    if (kind == ORDO_NET_DTP_INIT) /* before any beacon of its receiver */
        largest->first = ordo_max(largest->first, message->global - ticks);
    largest->beyond = message->global - ticks - largest->first;
    largest->heard++;
}

Test(dtp, devices_that_are_far_apart_join_at_the_largest_counter)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct ordo_net_options options = six_hops(seed);
        struct ordo_net_dtp dtp = ordo_net_dtp_defaults();
        struct ordo_net_score score;
        struct ordo_net_counters counters;
        struct largest largest = {0};
        options.shape = seed % 2 ? ORDO_NET_LINE : ORDO_NET_FAT_TREE;
        dtp.first = ORDO_NET_DTP_FAR;
        dtp.ticks = 1000000;
        dtp.heard = note_largest;
        dtp.context = &largest;
        cr_assert_eq(ordo_net_dtp_run(&options, &dtp, &score, &counters, NULL), ORDO_OK);
        cr_expect(score.bound_held && counters.rate_held, "seed %d: %lld ticks", (int)seed,
                  (long long)counters.worst_ticks);
        /* 100 ppm of a million ticks, and the bound */
        cr_expect(largest.heard > 1000 && llabs(largest.beyond) <= 130, "seed %d: %lld", (int)seed,
                  (long long)largest.beyond);
    }
}

/* A processor whose TSC makes 20 ticks for each tick of DTP, and a device whose counter begins at `first`. */
struct reading {
    struct ordo_net_dtp_daemon daemon;
    struct ordo_net_dtp_time first;
};

enum { TSC_PER_TICK = 20 };

/* Reads the counter at a tick; the way to the device takes `out` TSC ticks, and the way back `back`. */
static bool poll_at(struct reading *reading, int64_t tick, uint64_t out, uint64_t back)
{
    uint64_t tsc = (uint64_t)tick * TSC_PER_TICK;
    struct ordo_net_dtp_time time = ordo_net_dtp_time_add(reading->first, tick);
    return ordo_net_dtp_daemon_take(&reading->daemon, tsc - out, ordo_net_dtp_encode(ORDO_NET_DTP_MSB, time.high),
                                    tsc + back) &&
           ordo_net_dtp_daemon_take(&reading->daemon, tsc - out, ordo_net_dtp_encode(ORDO_NET_DTP_BEACON, time.low),
                                    tsc + back);
}

/* Returns the error of the daemon's time at a tick, in ticks. */
static double error_at(const struct reading *reading, int64_t tick)
{
    struct ordo_net_dtp_time time;
    double fraction;
    cr_assert(ordo_net_dtp_daemon_at(&reading->daemon, (uint64_t)tick * TSC_PER_TICK, &time, &fraction));
    return (double)ordo_net_dtp_time_minus(time, ordo_net_dtp_time_add(reading->first, tick)) + fraction;
}

Test(dtp, a_daemon_follows_a_counter_whose_halves_wrap)
{
    const struct ordo_net_dtp_time firsts[] = {{0, 0}, {7, half - 20000}, {half - 1, half - 20000}, {7, half - 100}};
    for (int i = 0; i < 4; i++) {
        struct reading reading = {.daemon = {.window = 4, .jump = 1000}, .first = firsts[i]};
        for (int64_t tick = 1000; tick <= 50000; tick += 1000) {
            cr_assert(poll_at(&reading, tick, 2000, 2000));
            if (tick > 5000)
                cr_expect_float_eq(error_at(&reading, tick + 500), 0, 1e-3, "counter %d, tick %d", i, (int)tick);
        }
    }
}

Test(dtp, a_daemon_averages_the_errors_of_its_readings)
{
    double squares[2] = {0, 0};
    for (int smooth = 0; smooth < 2; smooth++) {
        struct reading reading = {.daemon = {.window = smooth ? 10 : 1, .jump = 1000}, .first = {3, 5}};
        uint64_t random = 9;
        for (int i = 1; i <= 2000; i++) {
            int64_t tick = i * INT64_C(1000000);
            cr_assert(poll_at(&reading, tick, 1000 + ordo_random_next(&random) % 800,
                              1000 + ordo_random_next(&random) % 800));
            if (i > 100)
                squares[smooth] += pow(error_at(&reading, tick + 500000), 2);
        }
    }
    double ratio = sqrt(squares[0] / squares[1]);
    cr_expect(ratio > 2.6 && ratio < 3.8, "the root of 10, not %g", ratio);
}

Test(dtp, a_daemon_begins_again_after_a_jump_and_ignores_other_messages)
{
    struct reading reading = {.daemon = {.window = 2, .jump = 100}, .first = {0, 77}};
    struct ordo_net_dtp_time time;
    double fraction;
    cr_expect_not(ordo_net_dtp_daemon_take(&reading.daemon, 1, 0, 2), "an idle block");
    cr_expect_not(ordo_net_dtp_daemon_take(&reading.daemon, 1, ordo_net_dtp_encode(ORDO_NET_DTP_INIT, 5), 2));
    for (int64_t tick = 1000; tick <= 5000; tick += 1000)
        (void)poll_at(&reading, tick, 40, 40);
    cr_expect_float_eq(error_at(&reading, 5500), 0, 1e-3);
    reading.first.low += 4000; /* the device has joined a network that is ahead */
    (void)poll_at(&reading, 6000, 40, 40);
    cr_expect_not(ordo_net_dtp_daemon_at(&reading.daemon, 130000, &time, &fraction));
    for (int64_t tick = 7000; tick <= 9000; tick += 1000)
        (void)poll_at(&reading, tick, 40, 40);
    cr_expect_float_eq(error_at(&reading, 9500), 0, 1e-3);
}

Test(dtp, programs_with_daemons_usually_keep_to_four_ticks_each)
{
    struct ordo_net_options options = six_hops(2);
    options.hosts = 2;
    struct ordo_net_outcome smooth = play(&options, "dtp:access=daemon"),
                            raw = play(&options, "dtp:access=daemon:smooth=1");
    cr_expect_lt(smooth.score.p95_ns, (4 + 8) * 6.4);
    cr_expect_lt(smooth.score.stddev_ns, raw.score.stddev_ns / 2);
    cr_expect(isnan(smooth.score.bound_ns), "a daemon promises nothing");
}
