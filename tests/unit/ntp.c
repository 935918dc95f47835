/* NTP with false servers: the selection of the believed servers, the interval that they prove together, and the
 * protocol. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/random.h"
#include "lab/net/ntp/ntp.h"
#include "lab/net/ntp/select.h"
#include "lab/net/protocol/protocol.h"

static struct ordo_net_ntp_common common; /* the common interval of the last selection */

static int believed(struct ordo_net_ntp_source *sources, int count)
{
    int which = 0;
    bool agreed = ordo_net_ntp_select(sources, count, &common);
    for (int i = 0; i < count; i++)
        which |= sources[i].believed << i;
    cr_expect_eq(agreed, which != 0);
    return which;
}

Test(select, one_server_is_believed_with_its_own_bound)
{
    struct ordo_net_ntp_source one[] = {{5, 3, false}};
    cr_expect_eq(believed(one, 1), 1);
    cr_expect_float_eq(ordo_net_ntp_combine(one, 1, &common), 5, 1e-12);
}

Test(select, a_server_that_contradicts_the_majority_is_rejected)
{
    struct ordo_net_ntp_source four[] = {{0, 10, true}, {100, 10, true}, {4, 10, true}, {-4, 10, true}};
    cr_expect_eq(believed(four, 4), 13);
    cr_expect_float_eq(ordo_net_ntp_combine(four, 4, &common), 0, 1e-12);
}

Test(select, a_correct_server_behind_an_asymmetric_path_may_be_rejected)
{
    struct ordo_net_ntp_source four[] = {{0, 10, false}, {1, 10, false}, {2, 10, false}, {100, 110, false}};
    cr_expect_eq(believed(four, 4), 7);
}

Test(select, contradicting_halves_are_no_majority)
{
    struct ordo_net_ntp_source four[] = {{0, 1, true}, {0, 1, true}, {9, 1, true}, {9, 1, true}},
                               two[] = {{0, 1, true}, {9, 1, true}},
                               three[] = {{0, 1, true}, {9, 1, true}, {20, 1, true}};
    cr_expect_eq(believed(four, 4), 0);
    cr_expect_eq(believed(two, 2), 0);
    cr_expect_eq(believed(three, 3), 0);
}

Test(select, a_wrong_majority_is_believed)
{
    struct ordo_net_ntp_source three[] = {{0, 1, false}, {9, 1, false}, {9, 1, false}};
    cr_expect_eq(believed(three, 3), 6);
}

Test(select, a_server_with_a_smaller_bound_weighs_more)
{
    struct ordo_net_ntp_source two[] = {{0, 1, false}, {3, 3, false}};
    cr_expect_eq(believed(two, 2), 3);
    cr_expect_float_eq(ordo_net_ntp_combine(two, 2, &common), 3 / 3.0 / (1 + 1 / 3.0), 1e-12);
    two[1].offset_ps = 0.8;
    cr_expect_eq(believed(two, 2), 3);
    cr_expect_float_eq(ordo_net_ntp_combine(two, 2, &common), 0.8 / 3 / (1 + 1 / 3.0), 1e-12);
}

Test(select, correct_servers_with_distant_midpoints_are_believed)
{
    struct ordo_net_ntp_source four[] = {{-20, 26, false}, {-10, 26, false}, {15, 26, false}, {24, 26, false}},
                               five[] = {{-20, 26, false},
                                         {-10, 26, false},
                                         {900, 26, true},
                                         {15, 26, false},
                                         {24, 26, false}};
    cr_expect_eq(believed(four, 4), 15);
    cr_expect(common.low_ps == -2 && common.high_ps == 6);
    cr_expect_float_eq(ordo_net_ntp_combine(four, 4, &common), 2.25, 1e-12);
    cr_expect_eq(believed(five, 5), 27, "the false server is not believed");
    cr_expect_float_eq(ordo_net_ntp_combine(five, 5, &common), 2.25, 1e-12);
}

/* Draws sources. More than half of their intervals contain the truth, which is 0. */
static int draw_sources(struct ordo_net_ntp_source *sources, uint64_t *random)
{
    int count = 1 + (int)(ordo_random_next(random) % ORDO_NET_NTP_SERVERS);
    for (int i = 0; i < count; i++) {
        double distance_ps = 1 + 99 * ordo_random_unit(random), middle = 2 * ordo_random_unit(random) - 1;
        bool right = i >= (count - 1) / 2;
        sources[i] = (struct ordo_net_ntp_source){right ? middle * distance_ps : 300 * middle, distance_ps, false};
    }
    return count;
}

static bool is_near(const struct ordo_net_ntp_source *sources, int count, double found_ps)
{
    bool near = false;
    for (int i = (count - 1) / 2; i < count; i++)
        near = near || fabs(found_ps - sources[i].offset_ps) <= sources[i].distance_ps * (1 + 1e-12);
    return near;
}

Test(select, the_result_of_a_correct_majority_is_in_its_interval)
{
    struct ordo_net_ntp_source sources[ORDO_NET_NTP_SERVERS];
    uint64_t random = 3;
    for (int round = 0; round < 100000; round++) {
        int count = draw_sources(sources, &random);
        cr_assert_neq(believed(sources, count), 0, "round %d", round);
        double found_ps = ordo_net_ntp_combine(sources, count, &common);
        cr_assert(is_near(sources, count, found_ps), "round %d: %g", round, found_ps);
        cr_assert(found_ps >= common.low_ps && found_ps <= common.high_ps, "round %d: %g", round, found_ps);
    }
}

/* Draws intervals. All but `wrong` of them contain the truth, which is 0; the wrong ones are at random places, or all
 * at the same place. */
static void draw(struct ordo_interval *intervals, int count, int wrong, uint64_t *random)
{
    for (int i = 0; i < count; i++) {
        int64_t low = -(int64_t)(ordo_random_next(random) % 100), high = (int64_t)(ordo_random_next(random) % 100);
        int64_t away = i >= wrong ? 0 : ordo_random_next(random) % 2 ? high + 1 : low - 1;
        intervals[i] = (struct ordo_interval){low - away, high - away};
    }
}

Test(select, the_proved_interval_is_correct_and_tight)
{
    struct ordo_interval intervals[ORDO_NET_NTP_SERVERS], proved, less;
    uint64_t random = 5;
    int sharp = 0;
    for (int round = 0; round < 100000; round++) {
        int count = 1 + (int)(ordo_random_next(&random) % ORDO_NET_NTP_SERVERS), wrong = (count - 1) / 2;
        draw(intervals, count, wrong, &random);
        cr_assert(ordo_net_ntp_prove(intervals, count, wrong, &proved));
        cr_assert(proved.low <= 0 && proved.high >= 0, "round %d: [%lld, %lld]", round, (long long)proved.low,
                  (long long)proved.high);
        sharp += proved.low == 0 || proved.high == 0;
        if (wrong > 0 && ordo_net_ntp_prove(intervals, count, wrong - 1, &less))
            cr_assert(less.low >= proved.low && less.high <= proved.high, "fewer wrong servers prove more");
    }
    cr_expect_gt(sharp, 100);
    cr_expect_not(ordo_net_ntp_prove(intervals, 2, 2, &proved));
    const struct ordo_interval apart[] = {{0, 1}, {5, 6}, {9, 10}};
    cr_expect_not(ordo_net_ntp_prove(apart, 3, 1, &proved));
}

static struct ordo_net_outcome play(const char *protocol, uint64_t seed)
{
    struct ordo_net_options options = ordo_net_defaults();
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome = {.has_edges = false};
    struct ordo_error error = {.text = ""};
    options.hosts = 16;
    options.shape = ORDO_NET_TREE;
    options.seconds = 2;
    options.traffic.load = 0.3;
    options.traffic.seed = seed;
    cr_assert_eq(ordo_net_choice_parse(&choice, protocol, &error), ORDO_OK, "%s", error.text);
    int code = choice.protocol->run(&options, &choice, &outcome, &error);
    cr_assert_eq(code, ORDO_OK, "%s: %s", protocol, error.text);
    return outcome;
}

Test(ntp, a_false_minority_is_rejected)
{
    static const char *const wrong[] = {"ntp:poll-ms=20:servers=4:false=1:wrong-us=300",
                                        "ntp:poll-ms=20:servers=5:false=2:wrong-us=300",
                                        "ntp:poll-ms=20:servers=4:false=1:wrong-us=0:late-us=500"};
    for (uint64_t seed = 1; seed <= (ORDO_TESTS_BRIEF ? 1 : 3); seed++)
        for (int i = 0; i < 3; i++) {
            struct ordo_net_outcome outcome = play(wrong[i], seed);
            const struct ordo_net_ntp_outcome *servers = &outcome.servers;
            cr_expect(outcome.score.bound_held && outcome.score.bound_ns > 0, "%s: bounds", wrong[i]);
            cr_expect_lt(outcome.score.p95_ns, 3000, "%s: %g ns", wrong[i], outcome.score.p95_ns);
            for (int server = 0; server < servers->servers; server++)
                if (server < servers->servers - servers->false_servers)
                    cr_expect_lt(servers->rejected[server], 0.4, "%s: server %d is right", wrong[i], server);
                else
                    cr_expect_gt(servers->rejected[server], 0.95, "%s: server %d: %g", wrong[i], server,
                                 servers->rejected[server]);
        }
}

Test(ntp, servers_agree_within_their_stated_error)
{
    static const char *const wide[] = {"ntp:poll-ms=20:servers=4:reference-ns=25000",
                                       "ntp:poll-ms=20:servers=5:false=1:reference-ns=25000"};
    for (uint64_t seed = 11; seed <= (ORDO_TESTS_BRIEF ? 11 : 12); seed++)
        for (int i = 0; i < 2; i++) {
            struct ordo_net_outcome outcome = play(wide[i], seed);
            cr_expect(outcome.score.bound_held && outcome.servers.undecided < 0.01, "%g undecided",
                      outcome.servers.undecided);
            cr_expect_lt(outcome.score.mean_absolute_ns, 5000, "%g ns", outcome.score.mean_absolute_ns);
            cr_expect(i == 0 || outcome.servers.rejected[4] > 0.95);
        }
}

Test(ntp, a_false_majority_is_believed_and_breaks_the_bound)
{
    struct ordo_net_outcome outcome = play("ntp:poll-ms=20:servers=3:false=2:wrong-us=300", 1);
    cr_expect_not(outcome.score.bound_held);
    cr_expect(outcome.servers.rejected[0] > 0.9 && outcome.servers.rejected[2] < 0.1);
}

Test(ntp, two_contradicting_halves_give_no_time)
{
    struct ordo_net_options options = ordo_net_defaults();
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome;
    struct ordo_error error;
    options.hosts = 4;
    options.seconds = 0.5;
    cr_assert_eq(ordo_net_choice_parse(&choice, "ntp:poll-ms=20:servers=2:false=1", &error), ORDO_OK);
    cr_expect_eq(choice.protocol->run(&options, &choice, &outcome, &error), ORDO_E_MEASURE);
    cr_expect_not_null(strstr(error.text, "in 100.0% of the selections no majority of the 2 servers agreed"));
    options.hosts = 2;
    cr_expect_eq(choice.protocol->run(&options, &choice, &outcome, &error), ORDO_E_INVALID);
    cr_expect_not_null(strstr(error.text, "leave one that asks"));
}

Test(ntp, several_correct_servers_are_better_than_one)
{
    double one_ns = 0, four_ns = 0;
    for (uint64_t seed = 1; seed <= (ORDO_TESTS_BRIEF ? 1 : 4); seed++) {
        struct ordo_net_outcome one = play("ntp:poll-ms=20", seed), four = play("ntp:poll-ms=20:servers=4", seed);
        one_ns += one.score.mean_absolute_ns;
        four_ns += four.score.mean_absolute_ns;
        cr_expect(four.score.bound_held && !one.has_servers && four.has_servers);
    }
    cr_expect_lt(four_ns, one_ns, "%g and %g ns", four_ns, one_ns);
}

Test(strata, a_host_steers_by_the_lowest_stratum_and_then_by_the_least_distance)
{
    struct ordo_net_ntp_upstream asked[] = {{3, 4, 10}, {5, 2, 900}, {6, 2, 800}, {7, 0, 1}, {8, 16, 1}};
    cr_expect_eq(ordo_net_ntp_choose(asked, 5), 2);
    cr_expect_eq(ordo_net_ntp_choose(asked, 2), 1);
    cr_expect_eq(ordo_net_ntp_choose(asked, 1), 0);
    cr_expect_eq(ordo_net_ntp_choose(asked + 3, 2), -1); /* one has not answered, and one is unsynchronised */
    struct ordo_net_ntp_upstream last[] = {{1, 15, 1}, {2, 14, 1}};
    cr_expect_eq(ordo_net_ntp_choose(last, 1), -1);
    cr_expect_eq(ordo_net_ntp_choose(last, 2), 1);
}

Test(strata, a_host_asks_different_hosts_before_it)
{
    uint64_t random = 5;
    int counts[6] = {0}, picked[8];
    for (int i = 0; i < 6000; i++) {
        cr_assert_eq(ordo_net_ntp_pick(6, 2, &random, picked), 2);
        cr_assert(picked[0] < picked[1] && picked[0] >= 0 && picked[1] < 6);
        counts[picked[0]]++;
        counts[picked[1]]++;
    }
    for (int i = 0; i < 6; i++)
        cr_expect(counts[i] > 1800 && counts[i] < 2200, "host %d: %d", i, counts[i]);
    cr_expect_eq(ordo_net_ntp_pick(1, 8, &random, picked), 1);
    cr_expect_eq(ordo_net_ntp_pick(0, 8, &random, picked), 0);
}

Test(strata, hosts_build_shortest_paths_and_keep_their_bounds)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.hosts = 48;
    options.seconds = 4;
    options.traffic.load = 0.3;
    for (int peers = 1; peers <= 3; peers++) {
        struct ordo_net_ntp ntp = ordo_net_ntp_defaults();
        struct ordo_net_ntp_outcome outcome;
        struct ordo_net_score score;
        ntp.peers = peers;
        cr_assert_eq(ordo_net_ntp_run(&options, &ntp, &score, &outcome, NULL), ORDO_OK);
        cr_expect(score.bound_held);
        cr_expect_eq(outcome.clocks[1], 1);
        cr_expect_eq(outcome.clocks[16], 0);
        cr_expect_gt(outcome.clocks[3], 0);
        cr_expect_eq(outcome.shortest, 48, "%d peers: %d", peers, outcome.shortest);
    }
    struct ordo_net_choice choice;
    struct ordo_net_outcome outcome = {.has_edges = false};
    cr_assert_eq(ordo_net_choice_parse(&choice, "ntp:peers=2:servers=2", NULL), ORDO_OK);
    cr_expect_eq(choice.protocol->run(&options, &choice, &outcome, NULL), ORDO_E_INVALID);
}
