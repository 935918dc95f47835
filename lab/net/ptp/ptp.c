#include "lab/net/ptp/ptp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"
#include "lab/net/ptp/node.h"

enum { ANNOUNCE_SYNCS = 2 };

/* The alarms of a node. */
enum { ANNOUNCE, SYNC, ASK, SYSTEM, FAIL };

struct run {
    const struct ordo_net_ptp *ptp;
    struct ordo_net *net;
    struct ordo_net_ptp_node *nodes;
    struct ordo_net_ptp_port *ports;
    int count, ports_count; /* number of clocks (on all hosts, or on all nodes); number of all ports */
    struct ordo_net_clock_options system_options;
    struct ordo_net_ptp_system *systems; /* by host; NULL: each host has only one clock */
    struct ordo_net_claims claims;
    uint64_t random;
    bool failed; /* host 0 has fallen silent */
};

struct ordo_net_ptp ordo_net_ptp_defaults(void)
{
    return (struct ordo_net_ptp){
        .sync_ms = 125, .stamps = ordo_net_stamps_defaults(), .read_ns = 500, .judgements = 200};
}

static int64_t sync_ps(const struct run *run)
{
    return run->ptp->sync_ms * INT64_C(1000000000);
}

static int64_t system_ps(const struct run *run)
{
    return INT64_C(1000000000000) / run->ptp->system_hz;
}

/* Sends a packet. Returns its stamp, by the node's free clock. */
static int64_t send_ptp(struct run *run, const struct ordo_net_ptp_port *port, struct ordo_net_packet packet)
{
    packet.from = port->id.node;
    int64_t wire_ps =
        port->link < 0 ? ordo_net_send(run->net, &packet, 0) : ordo_net_send_over(run->net, port->link, &packet);
    return ordo_net_stamps_sent(&run->ptp->stamps, wire_ps, &run->random);
}

static int64_t send_message(struct run *run, const struct ordo_net_ptp_port *port, struct ordo_net_ptp_message message)
{
    message.sender = port->id;
    return send_ptp(run, port, ordo_net_ptp_pack(&message));
}

static void announce(struct run *run, int index)
{
    struct ordo_net_ptp_node *node = &run->nodes[index];
    int64_t interval_ps = ANNOUNCE_SYNCS * sync_ps(run);
    if (ordo_net_ptp_node_decide(node, ordo_net_clock_now(run->net, index), interval_ps)) {
        node->exchange = (struct ordo_net_ptp_exchange){.synced = false};
        node->awaits_follow_up = node->awaits_answer = node->follows = false;
        ordo_net_pi_restart(&node->servo, true);
    }
    for (int i = 0; i < node->ports; i++) {
        struct ordo_net_ptp_dataset dataset = ordo_net_ptp_node_announces(node, &node->port[i]);
        if (node->port[i].state == ORDO_NET_PTP_MASTER)
            (void)send_ptp(run, &node->port[i], ordo_net_ptp_pack_announce(&dataset));
    }
    ordo_net_wake(run->net, index, interval_ps, ANNOUNCE);
}

/* Sends a Sync and a Follow_Up (a two-step clock): the Follow_Up tells when the Sync left, by the steered clock of the
 * node. A clock that does not yet follow its own master already sends Announces, so that the tree forms, but no Sync,
 * because its time is not useful yet. */
static void sync_slaves(struct run *run, int index)
{
    struct ordo_net_ptp_node *node = &run->nodes[index];
    const bool gives_time = !node->slave || node->follows;
    node->sync_sequence++;
    for (int i = 0; i < node->ports && gives_time; i++) {
        if (node->port[i].state != ORDO_NET_PTP_MASTER)
            continue;
        struct ordo_net_ptp_message message = {.type = ORDO_NET_PTP_SYNC, .sequence = node->sync_sequence};
        int64_t left_ps = send_message(run, &node->port[i], message);
        message.type = ORDO_NET_PTP_FOLLOW_UP;
        message.time_ps = ordo_net_steered_time(&node->clock, left_ps);
        (void)send_message(run, &node->port[i], message);
    }
    ordo_net_wake(run->net, index, sync_ps(run), SYNC);
}

/* Asks the master. The time between two questions is random, uniform from 0 to twice the interval, so that the
 * questions of many slaves do not coincide. */
static void ask_master(struct run *run, int index)
{
    struct ordo_net_ptp_node *node = &run->nodes[index];
    if (node->slave && node->exchange.synced && (node->servo.knows_rate || run->ptp->free_running)) {
        struct ordo_net_ptp_message message = {.type = ORDO_NET_PTP_DELAY_REQ, .sequence = ++node->delay_sequence};
        node->asked_ps = send_message(run, node->slave, message);
        node->awaits_answer = true;
    }
    ordo_net_wake(run->net, index, (int64_t)(2 * ordo_random_unit(&run->random) * (double)sync_ps(run)), ASK);
}

static bool is_peer_to_peer(const struct run *run)
{
    return run->ptp->delay == ORDO_NET_PTP_PEER_TO_PEER;
}

/* Asks the peer of each port in every state, so that a new slave port knows its delay at once. */
static void ask_peers(struct run *run, int index)
{
    struct ordo_net_ptp_node *node = &run->nodes[index];
    for (int i = 0; i < node->ports; i++) {
        struct ordo_net_ptp_peer *peer = &node->port[i].peer;
        struct ordo_net_ptp_message message = {.type = ORDO_NET_PTP_PDELAY_REQ, .sequence = ++peer->sequence};
        peer->asked_ps = send_message(run, &node->port[i], message);
        peer->awaits_answer = true;
        peer->awaits_follow_up = false;
    }
    ordo_net_wake(run->net, index, sync_ps(run), ASK);
}

/* Answers a peer (two steps): the Pdelay_Resp tells when the question came, and the follow-up when the answer left. Both
 * are times of the free clock, because only their difference counts. */
static void answer_peer(struct run *run, const struct ordo_net_ptp_port *port,
                        const struct ordo_net_ptp_message *question, int64_t stamp_ps)
{
    struct ordo_net_ptp_message answer = {.type = ORDO_NET_PTP_PDELAY_RESP,
                                          .sequence = question->sequence,
                                          .requester = question->sender.node,
                                          .time_ps = stamp_ps};
    int64_t left_ps = send_message(run, port, answer);
    answer.type = ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP;
    answer.time_ps = left_ps;
    (void)send_message(run, port, answer);
}

/* The network stamps the last bit of a packet that comes, so a longer message seems to take longer than a Sync. */
static void learn_link(struct run *run, struct ordo_net_ptp_port *port, int64_t left_ps)
{
    struct ordo_net_ptp_node *node = &run->nodes[port->id.node];
    struct ordo_net_ptp_peer *peer = &port->peer;
    int bytes = ordo_net_ptp_bytes(ORDO_NET_PTP_PDELAY_REQ) - ordo_net_ptp_bytes(ORDO_NET_PTP_SYNC);
    int64_t longer_ps = llround(bytes * 8000 / ordo_net_options_of(run->net)->traffic.gbps);
    peer->awaits_follow_up = false;
    ordo_net_ptp_take_peer(&peer->link, peer->asked_ps, peer->answered_ps, left_ps - peer->came_ps + 2 * longer_ps);
    if (node->slave == port && peer->link.count == 1)
        ordo_net_pi_restart(&node->servo, false);
}

/* Handles a message of the peer delay mechanism. */
static void hear_peer(struct run *run, struct ordo_net_ptp_port *port, const struct ordo_net_ptp_message *message,
                      int64_t stamp_ps)
{
    struct ordo_net_ptp_peer *peer = &port->peer;
    bool answers_us = message->requester == port->id.node && message->sequence == peer->sequence;
    if (message->type == ORDO_NET_PTP_PDELAY_REQ)
        answer_peer(run, port, message, stamp_ps);
    else if (message->type == ORDO_NET_PTP_PDELAY_RESP && answers_us && peer->awaits_answer) {
        peer->awaits_answer = false;
        peer->awaits_follow_up = true;
        peer->answered_ps = stamp_ps;
        peer->came_ps = message->time_ps;
    } else if (message->type == ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP && answers_us && peer->awaits_follow_up)
        learn_link(run, port, message->time_ps);
}

static void answer_ptp(struct run *run, int index, const struct ordo_net_ptp_port *port,
                       const struct ordo_net_ptp_message *question, int64_t stamp_ps)
{
    if (port->state == ORDO_NET_PTP_MASTER)
        (void)send_message(
            run, port,
            (struct ordo_net_ptp_message){.type = ORDO_NET_PTP_DELAY_RESP,
                                          .sequence = question->sequence,
                                          .requester = question->sender.node,
                                          .time_ps = ordo_net_steered_time(&run->nodes[index].clock, stamp_ps),
                                          .correction_ps = question->correction_ps});
}

/* Steers the clock after a Follow_Up. The first steps ignore the delay, because it cannot be measured well until the
 * rate is known. */
static void follow_sync(struct run *run, struct ordo_net_ptp_node *node, const struct ordo_net_ptp_message *message)
{
    node->awaits_follow_up = false;
    ordo_net_ptp_take_sync(&node->exchange, message->time_ps, node->came_ps, node->correction_ps);
    if (is_peer_to_peer(run)) {
        node->exchange.count = node->slave->peer.link.count;
        node->exchange.delay_ps = node->slave->peer.link.delay_ps;
    }
    bool has_delay = node->exchange.count > 0;
    double offset_ps = (double)ordo_net_ptp_offset(&node->exchange);
    if (run->ptp->free_running)
        node->clock = (struct ordo_net_steered){.since_ps = node->came_ps, .offset_ps = offset_ps};
    else if (has_delay || !node->servo.knows_rate)
        ordo_net_pi_take(&node->servo, &node->clock, node->came_ps, offset_ps);
    bool ready = has_delay && (node->servo.knows_rate || run->ptp->free_running);
    node->follows |= ready;
    node->measured |= ready;
}

static void learn_delay(struct ordo_net_ptp_node *node, const struct ordo_net_ptp_message *message)
{
    node->awaits_answer = false;
    ordo_net_ptp_take_delay(&node->exchange, node->asked_ps, message->time_ps, message->correction_ps,
                            node->clock.rate);
    if (node->exchange.count == 1)
        ordo_net_pi_restart(&node->servo, false);
}

static void hear_announce(struct run *run, struct ordo_net_ptp_port *port, const struct ordo_net_packet *packet)
{
    struct ordo_net_ptp_dataset dataset = ordo_net_ptp_unpack_announce(packet);
    dataset.receiver = port->id;
    ordo_net_ptp_hear(&port->foreign, &dataset, ordo_net_clock_now(run->net, port->id.node));
}

/* Handles a message that a slave's port received from its master. */
static void hear_master(struct run *run, struct ordo_net_ptp_node *node, int index,
                        const struct ordo_net_ptp_message *message, int64_t stamp_ps)
{
    if (message->type == ORDO_NET_PTP_SYNC) {
        node->awaits_follow_up = true;
        node->sync_came = message->sequence;
        node->came_ps = stamp_ps;
        node->correction_ps = message->correction_ps;
    } else if (message->type == ORDO_NET_PTP_FOLLOW_UP && node->awaits_follow_up &&
               message->sequence == node->sync_came)
        follow_sync(run, node, message);
    else if (message->type == ORDO_NET_PTP_DELAY_RESP && node->awaits_answer && message->requester == index &&
             message->sequence == node->delay_sequence)
        learn_delay(node, message);
}

/* Returns the port at which a packet came. Each end of a link has a port of its own; on a segment each node has one
 * port. */
static struct ordo_net_ptp_port *port_of(const struct run *run, const struct ordo_net_packet *packet)
{
    struct ordo_net_ptp_node *node = &run->nodes[packet->to];
    const struct ordo_net_link *links = ordo_net_shape_of(run->net)->link;
    for (int i = 0; i < node->ports; i++)
        if (node->port[i].link < 0 || links[node->port[i].link].to == packet->from)
            return &node->port[i];
    return NULL;
}

static void arrive_ptp(void *context, struct ordo_net *net, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    struct run *run = context;
    struct ordo_net_ptp_port *port = port_of(run, packet);
    struct ordo_net_ptp_node *node = &run->nodes[packet->to];
    (void)net;
    if (!port || (run->failed && packet->to == 0))
        return;
    struct ordo_net_ptp_message message = ordo_net_ptp_unpack(packet);
    stamp_ps = ordo_net_stamps_came(&run->ptp->stamps, packet->to, stamp_ps, &run->random);
    if (message.type == ORDO_NET_PTP_ANNOUNCE)
        hear_announce(run, port, packet);
    else if (message.type == ORDO_NET_PTP_DELAY_REQ)
        answer_ptp(run, packet->to, port, &message, stamp_ps);
    else if (message.type >= ORDO_NET_PTP_PDELAY_REQ)
        hear_peer(run, port, &message, stamp_ps);
    else if (node->slave == port && ordo_net_ptp_same_port(message.sender, node->parent.sender))
        hear_master(run, node, packet->to, &message, stamp_ps);
}

static void pass(struct ordo_net_packet *packet, int64_t came_ps, int64_t leaves_ps)
{
    ordo_net_ptp_correct(packet, leaves_ps - came_ps);
}

static void keep_system(struct run *run, int host)
{
    struct ordo_net_ptp_system *system = &run->systems[host];
    struct ordo_net_ptp_node *node = &run->nodes[host];
    int64_t shown_ps = ordo_net_clock_now(run->net, host);
    system->now_ps += system_ps(run);
    if (host == 0)
        ordo_net_ptp_system_lead(system, shown_ps, &node->servo, &node->clock);
    else if (node->measured)
        ordo_net_ptp_system_follow(system, shown_ps, &node->clock);
    ordo_net_wake(run->net, host, system_ps(run), SYSTEM);
}

static void wake_ptp(void *context, struct ordo_net *net, int node, int token)
{
    struct run *run = context;
    (void)net;
    if (token == FAIL)
        run->failed = true;
    else if (run->failed && node == 0)
        return;
    else if (token == ANNOUNCE)
        announce(run, node);
    else if (token == SYNC)
        sync_slaves(run, node);
    else if (token == ASK)
        (is_peer_to_peer(run) ? ask_peers : ask_master)(run, node);
    else
        keep_system(run, node);
}

/* Judges a host whose own clock is not that of its interface. The judge knows the difference of the two clocks, and
 * turns the claim about the host's own clock into a claim about its interface's clock. */
static void judge_system(struct run *run, int host, int64_t true_ps)
{
    const struct ordo_net_ptp_system *own = &run->systems[host], *first = &run->systems[0];
    int64_t own_ps = ordo_net_clock_at(&own->clock, true_ps), first_ps = ordo_net_clock_at(&first->clock, true_ps);
    int64_t beyond_ps = (own_ps - ordo_net_clock_true(run->net, host, true_ps)) -
                        (first_ps - ordo_net_clock_true(run->net, 0, true_ps));
    double claim_ps = ordo_net_steered_ahead(&own->steered, own_ps) - (double)beyond_ps;
    if (own->servo.locked)
        ordo_net_claim(&run->claims, run->net, host, true_ps, claim_ps, NULL);
}

static void judge_nodes(void *context, struct ordo_net *net, int64_t true_ps)
{
    struct run *run = context;
    for (int host = 1; host < ordo_net_options_of(net)->hosts; host++) {
        const struct ordo_net_ptp_node *node = &run->nodes[host];
        double ahead_ps = ordo_net_steered_ahead(&node->clock, ordo_net_clock_now(net, host));
        if (run->systems)
            judge_system(run, host, true_ps);
        else if (node->measured)
            ordo_net_claim(&run->claims, net, host, true_ps, ahead_ps, NULL);
    }
}

static bool make_nodes(struct run *run)
{
    const struct ordo_net_shape *shape = ordo_net_shape_of(run->net);
    bool boundary = run->ptp->clocks == ORDO_NET_PTP_BOUNDARY;
    run->count = boundary ? shape->nodes : shape->hosts;
    run->nodes = calloc((size_t)run->count, sizeof *run->nodes);
    run->ports = calloc((size_t)(boundary ? shape->links : shape->hosts), sizeof *run->ports);
    for (int i = 0; run->nodes && run->ports && i < run->count; i++) {
        int count = 1;
        const int *links = boundary ? ordo_net_links_of(run->net, i, &count) : NULL;
        ordo_net_ptp_node_make(&run->nodes[i], i, &run->ports[run->ports_count], links, count);
        run->nodes[i].servo.gains = ordo_net_gains_of(run->ptp->sync_ms * 1e-3, run->ptp->stamps.software);
        run->ports_count += count;
    }
    return run->nodes && run->ports;
}

static int make_systems(struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (run->ptp->system_hz == 0)
        return ORDO_OK;
    run->system_options = options->clock;
    run->system_options.noise_ns = run->ptp->read_ns;
    run->systems = calloc((size_t)options->hosts, sizeof *run->systems);
    for (int host = 0; run->systems && !code && host < options->hosts; host++) {
        struct ordo_net_ptp_system *system = &run->systems[host];
        code = ordo_net_ptp_system_make(system, &run->system_options, host, options->traffic.seed,
                                        (int64_t)(options->seconds * 1e12), 1.0 / run->ptp->system_hz, error);
        system->now_ps = system_ps(run) * (host + 1) / (options->hosts + 1) - system_ps(run);
    }
    run->nodes[0].servo.gains = ordo_net_gains_of(1.0 / run->ptp->system_hz, false);
    return run->systems ? code : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "ptp: out of memory");
}

/* Starts the clocks. Their alarms of each kind are spread evenly over the interval. */
static void start_clocks(struct run *run)
{
    for (int i = 0; i < run->count; i++) {
        int64_t first_ps = sync_ps(run) * i / run->count;
        ordo_net_wake(run->net, i, first_ps, ANNOUNCE);
        ordo_net_wake(run->net, i, first_ps + sync_ps(run) / 2, SYNC);
        ordo_net_wake(run->net, i, first_ps, ASK);
    }
    for (int host = 0; run->systems && host < ordo_net_options_of(run->net)->hosts; host++)
        ordo_net_wake(run->net, host, run->systems[host].now_ps + system_ps(run), SYSTEM);
    if (run->ptp->fails_ms > 0)
        ordo_net_wake(run->net, 0, run->ptp->fails_ms * INT64_C(1000000000), FAIL);
}

static void find_clocks(const struct run *run, struct ordo_net_ptp_found *found)
{
    double delays_ps = 0;
    int slaves = 0;
    for (int i = 0; i < run->count; i++) {
        const struct ordo_net_ptp_node *node = &run->nodes[i];
        int steps = node->slave ? node->parent.steps + 1 : 0;
        found->clocks[ordo_min(steps, ORDO_NET_PTP_STEPS - 1)]++;
        delays_ps += node->slave ? (double)node->exchange.delay_ps : 0;
        slaves += node->slave != NULL;
    }
    found->delay_ns = slaves ? delays_ps * 1e-3 / slaves : 0;
}

static struct ordo_net_ptp_found find_masters(const struct run *run)
{
    struct ordo_net_ptp_found found = {.grandmaster = -1};
    const struct ordo_net_ptp_node *last = &run->nodes[ordo_net_options_of(run->net)->hosts - 1];
    if (last->slave)
        found.grandmaster = last->parent.identity;
    for (int i = 0; i < run->ports_count; i++) {
        found.masters += run->ports[i].state == ORDO_NET_PTP_MASTER;
        found.slaves += run->ports[i].state == ORDO_NET_PTP_SLAVE;
        found.passive += run->ports[i].state == ORDO_NET_PTP_PASSIVE;
    }
    find_clocks(run, &found);
    return found;
}

static int play_ptp(struct run *run, const struct ordo_net_options *options, struct ordo_error *error)
{
    static const struct ordo_net_protocol_calls calls = {arrive_ptp, wake_ptp, judge_nodes};
    int code = make_nodes(run) ? make_systems(run, options, error)
                               : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "ptp: out of memory");
    if (code)
        return code;
    if (run->ptp->clocks == ORDO_NET_PTP_TRANSPARENT)
        ordo_net_stamp_in_switches(run->net, pass);
    start_clocks(run);
    return ordo_net_run(run->net, &calls, run, (int64_t)(options->seconds * 1e12 / run->ptp->judgements), error);
}

static void end(struct run *run)
{
    for (int host = 0; run->systems && host < ordo_net_options_of(run->net)->hosts; host++)
        ordo_net_ptp_system_free(&run->systems[host]);
    free(run->systems);
    ordo_net_claims_free(&run->claims);
    free(run->nodes);
    free(run->ports);
    ordo_net_free(run->net);
}

/* A clock asks the peer at the end of its link. A switch without a clock would pass the question on to many peers. */
static int refuse_delay(const struct ordo_net_options *options, const struct ordo_net_ptp *ptp,
                        struct ordo_error *error)
{
    bool alone = ptp->clocks == ORDO_NET_PTP_ORDINARY && options->hosts == 2;
    return ptp->delay == ORDO_NET_PTP_END_TO_END || ptp->clocks == ORDO_NET_PTP_BOUNDARY || alone
               ? ORDO_OK
               : ordo_error_set(error, ORDO_E_INVALID, 0,
                                "ptp: delay=p2p needs a clock at both ends of each link: use clocks=boundary");
}

int ordo_net_ptp_run(const struct ordo_net_options *options, const struct ordo_net_ptp *ptp,
                     struct ordo_net_score *score, struct ordo_net_ptp_found *found, struct ordo_error *error)
{
    struct run run = {.ptp = ptp, .random = options->traffic.seed ^ UINT64_C(0x707470)};
    struct ordo_error own = {0};
    if (refuse_delay(options, ptp, error))
        return ORDO_E_INVALID;
    run.net = ordo_net_new(options, error ? error : &own);
    if (!run.net)
        return error ? error->code : own.code;
    int code = play_ptp(&run, options, error);
    if (!code && found)
        *found = find_masters(&run);
    if (!code)
        code = ordo_net_score_make(score, &run.claims, run.net, error);
    end(&run);
    return code;
}
