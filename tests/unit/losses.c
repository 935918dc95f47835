/* The losses by a failed link or node on the simulated network. Each possible cause of a loss has its own test.
 *
 * Hosts around one switch send each other a message every millisecond. A packet can be lost at two points: when its
 * host launches it, and when the switch forwards it. At each point the packet is lost if the next link, or a node at
 * one of its ends, has failed. */
#include <criterion/criterion.h>

#include "lab/net/sim/failures.h"
#include "lab/net/sim/network.h"

enum { HOSTS = 4, SWITCH = HOSTS, TICKS = 1000 };

static const int64_t tick_ps = INT64_C(1000000000), outage_ps = INT64_C(300000000000);
static const int64_t early_ps = 300000; /* the travel time to the switch is a little longer than this */

struct count {
    int sent, came;
};

struct watch {
    struct ordo_net_outage outage;
    struct count during[HOSTS][HOSTS], otherwise[HOSTS][HOSTS];
    struct count edge[2]; /* packets launched just before the failure begins, and just before it ends */
};

/* Returns 0 if a packet of this time was launched just before the failure begins, 1 if just before it ends, otherwise
 * -1. */
static int edge_of(const struct watch *watch, int64_t at_ps)
{
    return at_ps == watch->outage.begin_ps - early_ps ? 0 : at_ps == watch->outage.end_ps - early_ps ? 1 : -1;
}

static struct count *count_of(struct watch *watch, const struct ordo_net_packet *packet, int64_t at_ps)
{
    bool during = at_ps >= watch->outage.begin_ps && at_ps < watch->outage.end_ps;
    return &(during ? watch->during : watch->otherwise)[packet->from][packet->to];
}

/* True if the time is so close to the begin or the end of the failure that it proves nothing. */
static bool is_near(const struct watch *watch, int64_t at_ps)
{
    const int64_t near_ps = 100000000;
    return llabs(at_ps - watch->outage.begin_ps) < near_ps || llabs(at_ps - watch->outage.end_ps) < near_ps;
}

static void say(struct watch *watch, struct ordo_net *net, int from, int to, int64_t at_ps)
{
    struct ordo_net_packet packet = {.from = from, .to = to, .bytes = 64, .words = {at_ps}};
    int edge = edge_of(watch, at_ps);
    if (edge >= 0)
        watch->edge[edge].sent++;
    else if (is_near(watch, at_ps))
        return;
    else
        count_of(watch, &packet, at_ps)->sent++;
    (void)ordo_net_send(net, &packet, 0);
}

static void arrive(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct watch *watch = context;
    (void)net;
    (void)stamp_ps;
    int edge = edge_of(watch, packet->words[0]);
    if (edge >= 0)
        watch->edge[edge].came++;
    else
        count_of(watch, packet, packet->words[0])->came++;
}

static void wake(void *context, struct ordo_net *net, int host, int token)
{
    struct watch *watch = context;
    (void)host;
    int64_t edge_ps = (token == TICKS ? watch->outage.begin_ps : watch->outage.end_ps) - early_ps;
    int64_t at_ps = token < TICKS ? token * tick_ps : edge_ps;
    for (int from = 0; from < HOSTS; from++)
        for (int to = 0; to < HOSTS; to++)
            if (from != to)
                say(watch, net, from, to, at_ps);
}

static void judge(void *context, struct ordo_net *net, int64_t true_ps)
{
    (void)context;
    (void)net;
    (void)true_ps;
}

static struct ordo_net_options quiet(int links, int nodes)
{
    struct ordo_net_options options = ordo_net_defaults();
    options.shape = ORDO_NET_STAR;
    options.hosts = HOSTS;
    options.seconds = (double)TICKS * (double)tick_ps * 1e-12;
    options.traffic.load = 0;
    options.failing_links = links;
    options.failing_nodes = nodes;
    options.outage_s = (double)outage_ps * 1e-12;
    return options;
}

/* Sets the first seed with which the network draws a failure of this link (`to` -1: of the node `from`) which lasts for
 * the full time of a failure. Returns the failure. */
static struct ordo_net_outage find_outage(struct ordo_net_options *options, int from, int to)
{
    static struct ordo_net_failures failures;
    struct ordo_net_shape shape;
    cr_assert_eq(ordo_net_shape_make(&shape, options->shape, HOSTS, NULL), ORDO_OK);
    for (options->traffic.seed = 1; options->traffic.seed < 1000; options->traffic.seed++) {
        ordo_net_failures_make(&failures, &shape, options->failing_links, options->failing_nodes, outage_ps,
                               TICKS * tick_ps, options->traffic.seed);
        const struct ordo_net_outage *outage = &failures.outages[0];
        if (failures.count == 1 && outage->from == from && outage->to == to && outage->begin_ps > tick_ps &&
            outage->end_ps < TICKS * tick_ps)
            break;
    }
    ordo_net_shape_free(&shape);
    cr_assert_lt(options->traffic.seed, 1000, "no seed makes %d fail towards %d", from, to);
    return failures.outages[0];
}

static struct watch play(int from, int to)
{
    static const struct ordo_net_protocol_calls calls = {arrive, wake, judge};
    struct ordo_net_options options = quiet(to >= 0, to < 0);
    struct watch watch = {.outage = find_outage(&options, from, to)};
    struct ordo_net *net = ordo_net_new(&options, NULL);
    int missing = 0;
    cr_assert_not_null(net);
    for (int i = 0; i < TICKS; i++)
        ordo_net_wake(net, 0, i * tick_ps, i);
    ordo_net_wake(net, 0, watch.outage.begin_ps - early_ps, TICKS);
    ordo_net_wake(net, 0, watch.outage.end_ps - early_ps, TICKS + 1);
    cr_assert_eq(ordo_net_run(net, &calls, &watch, TICKS * tick_ps, NULL), ORDO_OK);
    for (int i = 0; i < HOSTS * HOSTS; i++) {
        const struct count *otherwise = &watch.otherwise[i / HOSTS][i % HOSTS],
                           *during = &watch.during[i / HOSTS][i % HOSTS];
        cr_expect_eq(otherwise->came, otherwise->sent, "from %d to %d: a packet is lost without a failure", i / HOSTS,
                     i % HOSTS);
        missing += during->sent - during->came;
    }
    for (int edge = 0; edge < 2; edge++)
        missing += watch.edge[edge].sent - watch.edge[edge].came;
    cr_expect_eq((int)ordo_net_counted(net).lost, missing, "lost packets are counted");
    ordo_net_free(net);
    return watch;
}

/* Expects that all messages during the failure arrived, except the messages from host `from` and to host `to` (-1: no
 * host). */
static void expect_others_hear(const struct watch *watch, int from, int to)
{
    for (int i = 0; i < HOSTS * HOSTS; i++) {
        const struct count *during = &watch->during[i / HOSTS][i % HOSTS];
        if (i / HOSTS != from && i % HOSTS != to)
            cr_expect_eq(during->came, during->sent, "from %d to %d", i / HOSTS, i % HOSTS);
    }
}

static void expect_silent(const struct watch *watch, int from, int to)
{
    const struct count *during = &watch->during[from][to];
    cr_expect(during->sent > 250 && during->came == 0, "from %d to %d: %d of %d came", from, to, during->came,
              during->sent);
}

Test(losses, a_failed_link_loses_messages_from_its_host)
{
    struct watch there = play(1, SWITCH), back = play(SWITCH, 2); /* a link is drawn in one of its two directions */
    for (int to = 0; to < HOSTS; to++) {
        if (to != 1)
            expect_silent(&there, 1, to);
        if (to != 2)
            expect_silent(&back, 2, to);
    }
}

Test(losses, a_failed_link_loses_messages_from_the_switch)
{
    struct watch there = play(1, SWITCH), back = play(SWITCH, 2);
    for (int from = 0; from < HOSTS; from++) {
        if (from != 1)
            expect_silent(&there, from, 1);
        if (from != 2)
            expect_silent(&back, from, 2);
    }
}

Test(losses, a_failed_node_sends_nothing)
{
    struct watch watch = play(3, -1);
    for (int to = 0; to < 3; to++)
        expect_silent(&watch, 3, to);
}

Test(losses, messages_to_a_failed_switch_are_lost)
{
    struct watch watch = play(SWITCH, -1);
    for (int i = 0; i < HOSTS * HOSTS; i++)
        if (i / HOSTS != i % HOSTS)
            expect_silent(&watch, i / HOSTS, i % HOSTS);
    cr_expect_eq(watch.edge[1].sent, HOSTS * (HOSTS - 1));
    cr_expect_eq(watch.edge[1].came, 0, "%d packets reached a switch after its return, although they were lost before",
                 watch.edge[1].came);
}

Test(losses, messages_to_a_failed_host_are_lost)
{
    struct watch watch = play(3, -1);
    for (int from = 0; from < 3; from++)
        expect_silent(&watch, from, 3);
}

Test(losses, a_failed_switch_forwards_nothing)
{
    struct watch watch = play(SWITCH, -1);
    cr_expect_eq(watch.edge[0].sent, HOSTS * (HOSTS - 1));
    cr_expect_eq(watch.edge[0].came, 0, "%d packets that were in the switch when it failed left it",
                 watch.edge[0].came);
}

Test(losses, a_working_link_loses_nothing)
{
    struct watch link = play(1, SWITCH), node = play(3, -1);
    expect_others_hear(&link, 1, 1);
    expect_others_hear(&node, 3, 3);
    cr_expect_eq(link.edge[0].came, link.edge[0].sent - (HOSTS - 1), "only packets on their way to the link are lost");
    cr_expect_eq(link.edge[1].came, link.edge[1].sent - (HOSTS - 1), "only packets launched into the failure are lost");
}
