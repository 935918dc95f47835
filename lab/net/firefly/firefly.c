#include "lab/net/firefly/firefly.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "lab/net/firefly/peer.h"
#include "net/graph/mesh.h"

enum { BYTES = 106 /* five words, 24 to authenticate them, 8 of UDP, 20 of IPv4, 14 of Ethernet */, JUDGEMENTS = 200 };

/* The words of a packet. An answer contains the time at which the question left, the time at which the question came,
 * the amount in ps that the answering host adds to its clock, and the rate at which this amount grows, in 10^-18. */
enum { IS_ANSWER, ASKED, CAME, AHEAD, RATE };

/* The alarms of a host. */
enum { ASK, AVERAGE };

/* A host moves by this part of the distance to the average of its peers. With 1, two hosts would swap their values for
 * ever. */
static const double gain = 0.5;

struct node {
    double ahead_ps, rate; /* amount added to the clock when it shows since_ps; growth rate of the amount */
    int64_t since_ps;
    struct ordo_net_firefly_peer *peers;
    int count, asked; /* the number of peers; the peer that was asked last */
    bool heard;       /* at least one peer has answered */
};

struct run {
    const struct ordo_net_firefly *firefly;
    struct ordo_net_mesh mesh;
    struct node *nodes;
    double *room; /* scratch for the answers of a host's peers: first the offsets, then the drifts */
    struct ordo_net_claims claims;
    uint64_t random;
};

struct ordo_net_firefly ordo_net_firefly_defaults(void)
{
    return (struct ordo_net_firefly){.peers = 10, .every_us = 250, .round_ms = 20};
}

static double ahead_at(const struct node *node, int64_t at_ps)
{
    return node->ahead_ps + node->rate * (double)(at_ps - node->since_ps);
}

static void answer_firefly(const struct run *run, struct ordo_net *net, const struct ordo_net_packet *question,
                           int64_t stamp_ps)
{
    const struct node *node = &run->nodes[question->to];
    struct ordo_net_packet packet = {
        .from = question->to, .to = question->from, .bytes = BYTES, .flow = question->flow};
    packet.words[IS_ANSWER] = 1;
    packet.words[ASKED] = question->sent_ps;
    packet.words[CAME] = stamp_ps;
    packet.words[AHEAD] = llround(ahead_at(node, stamp_ps));
    packet.words[RATE] = llround(node->rate * 1e18);
    ordo_net_send(net, &packet, 0);
}

static void learn_answer(struct node *node, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    int64_t there_ps = packet->words[CAME] - packet->words[ASKED], back_ps = packet->sent_ps - stamp_ps;
    const struct ordo_net_firefly_answer heard = {
        .at_ps = stamp_ps,
        .rtt_ps = there_ps - back_ps,
        .offset_ps = ((double)there_ps + (double)back_ps) / 2,
        .ahead_ps = (double)packet->words[AHEAD],
        .rate = (double)packet->words[RATE] * 1e-18,
    };
    for (int i = 0; i < node->count; i++)
        if (node->peers[i].host == packet->from)
            ordo_net_firefly_hear(&node->peers[i], &heard);
}

static void arrive_firefly(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    if (packet->words[IS_ANSWER])
        learn_answer(&run->nodes[packet->to], packet, stamp_ps);
    else
        answer_firefly(run, net, packet, stamp_ps);
}

/* Asks the next peer. Each question takes a path at random, and its answer takes the same path back. */
static void ask_peer(struct run *run, struct ordo_net *net, int host)
{
    struct node *node = &run->nodes[host];
    node->asked = (node->asked + 1) % node->count;
    struct ordo_net_packet packet = {.from = host,
                                     .to = node->peers[node->asked].host,
                                     .bytes = BYTES,
                                     .flow = (uint32_t)ordo_random_next(&run->random)};
    double after = (0.5 + ordo_random_unit(&run->random)) / node->count; /* each peer once in every_us */
    ordo_net_send(net, &packet, 0);
    ordo_net_wake(net, host, (int64_t)(after * run->firefly->every_us * 1e6), ASK);
}

/* Averages the answers of the peers. Each answer is extrapolated to now, by the drift of the two clocks and by the
 * growth rate of the peer's amount. */
static void average_answers(struct run *run, struct ordo_net *net, int host)
{
    struct node *node = &run->nodes[host];
    double *offsets = run->room, *drifts = run->room + node->count, drift;
    int64_t now_ps = ordo_net_clock_now(net, host);
    int heard = 0;
    double own_ps = ahead_at(node, now_ps);
    for (int i = 0; i < node->count; i++) {
        struct ordo_net_firefly_answer said;
        if (!ordo_net_firefly_listen(&node->peers[i], &said, &drift))
            continue;
        double apart_ps = said.offset_ps + said.ahead_ps + (drift + said.rate) * (double)(now_ps - said.at_ps);
        offsets[heard] = apart_ps - own_ps;
        drifts[heard++] = drift + said.rate - node->rate;
    }
    if (heard > 0) {
        node->ahead_ps = own_ps + gain * ordo_net_firefly_mean(offsets, heard);
        node->rate += gain * ordo_net_firefly_mean(drifts, heard);
        node->since_ps = now_ps;
        node->heard = true;
    }
    ordo_net_wake(net, host, run->firefly->round_ms * INT64_C(1000000000), AVERAGE);
}

static void wake_firefly(void *context, struct ordo_net *net, int host, int token)
{
    (token == ASK ? ask_peer : average_answers)(context, net, host);
}

/* Judges all hosts. On each host, the clock plus the added amount is the common time. A host's clock is therefore ahead
 * of host 0's clock by host 0's amount less the host's own amount. */
static void judge_peers(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    double reference_ps = ahead_at(&run->nodes[0], ordo_net_clock_now(net, 0));
    for (int host = 1; host < run->mesh.hosts; host++) {
        const struct node *node = &run->nodes[host];
        if (node->heard && run->nodes[0].heard)
            ordo_net_claim(&run->claims, net, host, true_ps,
                           reference_ps - ahead_at(node, ordo_net_clock_now(net, host)), NULL);
    }
}

static void befriend(struct node *node, int host)
{
    node->peers[node->count++].host = host;
}

static bool prepare_firefly(struct run *run, const struct ordo_net_options *options)
{
    size_t hosts = (size_t)options->hosts;
    if (!ordo_net_mesh_regular(&run->mesh, options->hosts, run->firefly->peers, options->traffic.seed))
        return false;
    run->nodes = calloc(hosts, sizeof *run->nodes);
    run->room = calloc(hosts, 2 * sizeof *run->room);
    for (size_t host = 0; run->nodes && host < hosts; host++) {
        size_t degree = (size_t)(2 * run->mesh.edges / options->hosts);
        run->nodes[host].peers = calloc(degree, sizeof *run->nodes[host].peers);
        if (!run->nodes[host].peers)
            return false;
    }
    for (int i = 0; run->nodes && i < run->mesh.edges; i++) {
        befriend(&run->nodes[run->mesh.edge[i].a], run->mesh.edge[i].b);
        befriend(&run->nodes[run->mesh.edge[i].b], run->mesh.edge[i].a);
    }
    return run->nodes && run->room;
}

/* Starts all hosts, each at a time of its own. */
static void start_firefly(struct run *run, struct ordo_net *net)
{
    for (int host = 0; host < run->mesh.hosts; host++) {
        double share = ordo_random_unit(&run->random);
        ordo_net_wake(net, host, (int64_t)(share * run->firefly->every_us * 1e6 / run->nodes[host].count), ASK);
        ordo_net_wake(net, host, (int64_t)((1 + share) * run->firefly->round_ms * 1e9), AVERAGE);
    }
}

static void release(struct run *run)
{
    for (int host = 0; run->nodes && host < run->mesh.hosts; host++)
        free(run->nodes[host].peers);
    free(run->nodes);
    free(run->room);
    ordo_net_mesh_free(&run->mesh);
    ordo_net_claims_free(&run->claims);
}

int ordo_net_firefly_run(const struct ordo_net_options *options, const struct ordo_net_firefly *firefly,
                         struct ordo_net_score *score, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_firefly, wake_firefly, judge_peers};
    struct run run = {.firefly = firefly, .random = options->traffic.seed ^ UINT64_C(0x66697265666c79)};
    struct ordo_error own = {0};
    struct ordo_net *net = ordo_net_new(options, error ? error : &own);
    if (!net)
        return error ? error->code : own.code;
    int code = prepare_firefly(&run, options) ? ORDO_OK
                                              : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "firefly: out of memory");
    if (!code) {
        start_firefly(&run, net);
        code = ordo_net_run(net, &calls, &run, (int64_t)(options->seconds * 1e12 / JUDGEMENTS), error);
    }
    if (!code)
        code = ordo_net_score_make(score, &run.claims, net, error);
    release(&run);
    ordo_net_free(net);
    return code;
}
