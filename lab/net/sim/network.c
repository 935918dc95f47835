#include "lab/net/sim/network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/random.h"
#include "lab/net/sim/agenda.h"
#include "lab/net/sim/failures.h"
#include "lab/net/sim/trees.h"

enum { CHUNK_EVENTS = 1024, SECONDS_MOST = 1000000 };

enum event_kind { PACKET_AT_NODE, ALARM, JUDGEMENT };

struct event {
    struct ordo_net_event at; /* must be first: the agenda has pointers to it */
    enum event_kind kind;
    int node, token;
    struct ordo_net_packet packet;
};

struct chunk {
    struct chunk *next;
    struct event events[CHUNK_EVENTS];
};

struct ordo_net {
    struct ordo_net_options options;
    struct ordo_net_shape shape;
    struct ordo_net_pace pace;
    struct ordo_net_trees trees;
    struct ordo_net_failures failures;
    struct ordo_net_clock *clocks;       /* by node */
    int64_t *sent_ps;                    /* by host: the time at which its last packet has left */
    struct ordo_net_traffic_port *ports; /* by link */
    int64_t *delay_ps;
    struct ordo_net_agenda agenda;
    struct chunk *chunks;
    struct ordo_net_event *spare;
    int64_t now_ps, end_ps;
    bool full; /* memory ran out */
    struct ordo_net_counts counts;
    struct ordo_net_meter *meters; /* by host */
    int64_t metered_ps;            /* the meters count from this time; 0: from the beginning */
    void (*pass)(struct ordo_net_packet *packet, int64_t came_ps, int64_t leaves_ps);
};

struct ordo_net_options ordo_net_defaults(void)
{
    return (struct ordo_net_options){
        .shape = ORDO_NET_CLOS,
        .hosts = 128,
        .seconds = 10,
        .delay_ns = 500,
        .outage_s = 1,
        .clock = ordo_net_clock_defaults(),
        .traffic = {.load = 0.4, .gbps = 10, .buffer_bytes = 1 << 20, .seed = 1},
    };
}

static bool grow(struct ordo_net *net)
{
    struct chunk *chunk = malloc(sizeof *chunk);
    if (!chunk)
        return false;
    chunk->next = net->chunks;
    net->chunks = chunk;
    for (int i = 0; i < CHUNK_EVENTS; i++) {
        chunk->events[i].at.next = net->spare;
        net->spare = &chunk->events[i].at;
    }
    return true;
}

static struct event *new_event(struct ordo_net *net, enum event_kind kind, int node, int64_t at_ps)
{
    if (!net->spare && !grow(net)) {
        net->full = true;
        return NULL;
    }
    struct event *event = (struct event *)net->spare;
    net->spare = event->at.next;
    event->at.at_ps = at_ps;
    event->kind = kind;
    event->node = node;
    return event;
}

static void put_net_event(struct ordo_net *net, struct event *event)
{
    if (!ordo_net_agenda_put(&net->agenda, &event->at))
        net->full = true;
}

static void done(struct ordo_net *net, struct event *event)
{
    event->at.next = net->spare;
    net->spare = &event->at;
}

static bool make_links(struct ordo_net *net)
{
    uint64_t random = net->options.traffic.seed ^ UINT64_C(0x6c696e6b);
    net->ports = calloc((size_t)net->shape.links, sizeof *net->ports);
    net->delay_ps = calloc((size_t)net->shape.links, sizeof *net->delay_ps);
    if (!net->ports || !net->delay_ps)
        return false;
    for (int i = 0; i < net->shape.links; i++) {
        double longer_ns = ordo_random_unit(&random) * (double)net->options.asymmetry_ns;
        net->delay_ps[i] = net->options.delay_ns * 1000 + (int64_t)(longer_ns * 1000);
        ordo_net_traffic_port_make(&net->ports[i], &net->pace, (uint32_t)i, net->shape.link[i].to < net->options.hosts);
    }
    return true;
}

static bool make_nodes(struct ordo_net *net, struct ordo_error *error)
{
    net->clocks = calloc((size_t)net->shape.nodes, sizeof *net->clocks);
    net->sent_ps = calloc((size_t)net->options.hosts, sizeof *net->sent_ps);
    net->meters = calloc((size_t)net->options.hosts, sizeof *net->meters);
    bool made = net->clocks && net->sent_ps && net->meters && ordo_net_agenda_make(&net->agenda) &&
                ordo_net_trees_make(&net->trees, &net->shape);
    for (int node = 0; made && node < net->shape.nodes; node++)
        made = !ordo_net_clock_make(&net->clocks[node], &net->options.clock, node, net->options.traffic.seed,
                                    net->end_ps, error);
    return made;
}

static int refuse_options(const struct ordo_net_options *options, struct ordo_error *error)
{
    const struct ordo_net_traffic *traffic = &options->traffic;
    if (!(options->seconds > 0 && options->seconds <= SECONDS_MOST))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%g seconds: take more than 0, and at most %d",
                              options->seconds, SECONDS_MOST);
    if (!(traffic->load >= 0 && traffic->load < 1) || !(traffic->gbps > 0))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "load %g at %g Gbit/s: take a load from 0 to below 1 and a rate above 0", traffic->load,
                              traffic->gbps);
    if (options->failing_links < 0 || options->failing_links > ORDO_NET_FAILURES || options->failing_nodes < 0 ||
        options->failing_nodes > ORDO_NET_FAILURES || !(options->outage_s >= 0 && options->outage_s <= 86400))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%d links and %d nodes fail for %g s: take 0 to %d, for 0 to 86400 s",
                              options->failing_links, options->failing_nodes, options->outage_s, ORDO_NET_FAILURES);
    if (options->clock.granule_ns < 1 || options->delay_ns < 1 || options->asymmetry_ns < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "granule %lld ns, delay %lld ns: must be positive",
                              (long long)options->clock.granule_ns, (long long)options->delay_ns);
    return ORDO_OK;
}

struct ordo_net *ordo_net_new(const struct ordo_net_options *options, struct ordo_error *error)
{
    struct ordo_net *net = refuse_options(options, error) ? NULL : calloc(1, sizeof *net);
    if (!net)
        return NULL;
    net->options = *options;
    net->end_ps = (int64_t)(options->seconds * 1e12);
    ordo_net_pace_make(&net->pace, &options->traffic);
    if (ordo_net_shape_make(&net->shape, options->shape, options->hosts, error)) {
        free(net);
        return NULL;
    }
    ordo_net_failures_make(&net->failures, &net->shape, options->failing_links, options->failing_nodes,
                           (int64_t)(options->outage_s * 1e12), net->end_ps, options->traffic.seed);
    if (make_links(net) && make_nodes(net, error))
        return net;
    (void)ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a network of %d hosts: out of memory", options->hosts);
    ordo_net_free(net);
    return NULL;
}

void ordo_net_free(struct ordo_net *net)
{
    if (!net)
        return;
    for (int node = 0; net->clocks && node < net->shape.nodes; node++)
        ordo_net_clock_free(&net->clocks[node]);
    for (struct chunk *chunk = net->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    ordo_net_agenda_free(&net->agenda);
    ordo_net_trees_free(&net->trees);
    ordo_net_shape_free(&net->shape);
    free(net->clocks);
    free(net->sent_ps);
    free(net->meters);
    free(net->ports);
    free(net->delay_ps);
    free(net);
}

static void count_sent(struct ordo_net *net, const struct ordo_net_packet *packet)
{
    net->counts.packets++;
    net->counts.bytes += (uint64_t)packet->bytes;
    if (packet->from >= net->options.hosts)
        return;
    net->meters[packet->from].sent_packets++;
    net->meters[packet->from].sent_bytes += (uint64_t)packet->bytes;
}

/* Sends a packet whose first bit enters the link at `begins_ps`. Returns the packet's stamp. */
static int64_t launch(struct ordo_net *net, int link, const struct ordo_net_packet *packet, int64_t begins_ps)
{
    int64_t stamp_ps = ordo_net_clock_stamp(&net->clocks[packet->from], begins_ps);
    if (ordo_net_failures_lose(&net->failures, &net->shape.link[link], begins_ps)) {
        net->counts.lost++;
        return stamp_ps;
    }
    int64_t comes_ps = begins_ps + ordo_net_wire_ps(&net->pace, packet->bytes) + net->delay_ps[link];
    struct event *event = new_event(net, PACKET_AT_NODE, net->shape.link[link].to, comes_ps);
    if (!event)
        return stamp_ps;
    event->packet = *packet;
    event->packet.sent_ps = stamp_ps;
    event->packet.left_ps = begins_ps;
    put_net_event(net, event);
    return stamp_ps;
}

static int64_t send_from_host(struct ordo_net *net, int link, const struct ordo_net_packet *packet, int64_t after_ps)
{
    int64_t begins_ps = ordo_max(net->now_ps + after_ps, net->sent_ps[packet->from]);
    net->sent_ps[packet->from] = begins_ps + ordo_net_wire_ps(&net->pace, packet->bytes);
    count_sent(net, packet);
    return launch(net, link, packet, begins_ps);
}

int64_t ordo_net_send(struct ordo_net *net, const struct ordo_net_packet *packet, int64_t after_ps)
{
    int link = packet->to == ORDO_NET_ALL ? net->trees.out[net->trees.begin[packet->from]]
                                          : ordo_net_shape_next(&net->shape, packet->from, packet->to, packet->flow);
    return send_from_host(net, link, packet, after_ps);
}

int64_t ordo_net_send_over(struct ordo_net *net, int link, const struct ordo_net_packet *packet)
{
    struct ordo_net_packet here = *packet;
    here.from = net->shape.link[link].from;
    here.to = net->shape.link[link].to;
    if (here.from < net->options.hosts)
        return send_from_host(net, link, &here, 0);
    int64_t leaves_ps = ordo_net_traffic_port_pass(&net->ports[link], &net->pace, net->now_ps, here.bytes);
    count_sent(net, &here);
    if (leaves_ps >= 0)
        return launch(net, link, &here, leaves_ps - ordo_net_wire_ps(&net->pace, here.bytes));
    net->counts.lost++;
    return ordo_net_clock_stamp(&net->clocks[here.from], net->now_ps);
}

const int *ordo_net_links_of(const struct ordo_net *net, int node, int *count)
{
    *count = net->trees.begin[node + 1] - net->trees.begin[node];
    return &net->trees.out[net->trees.begin[node]];
}

const struct ordo_net_shape *ordo_net_shape_of(const struct ordo_net *net)
{
    return &net->shape;
}

void ordo_net_wake(struct ordo_net *net, int node, int64_t after_ps, int token)
{
    struct event *event = new_event(net, ALARM, node, net->now_ps + ordo_max(after_ps, 0));
    if (!event)
        return;
    event->token = token;
    put_net_event(net, event);
}

/* Forwards a packet whose last bit has come to a switch: through the queue of a port to the next node. */
static void forward(struct ordo_net *net, struct event *event, int link)
{
    int64_t leaves_ps = ordo_net_traffic_port_pass(&net->ports[link], &net->pace, net->now_ps, event->packet.bytes);
    if (leaves_ps < 0 || ordo_net_failures_lose(&net->failures, &net->shape.link[link], leaves_ps)) {
        net->counts.lost++;
        done(net, event);
        return;
    }
    if (net->pass) {
        struct ordo_net_clock *clock = &net->clocks[event->node];
        int64_t came_ps = ordo_net_clock_stamp(clock, net->now_ps);
        int64_t begins_ps = leaves_ps - ordo_net_wire_ps(&net->pace, event->packet.bytes);
        net->pass(&event->packet, came_ps, ordo_net_clock_stamp(clock, begins_ps));
    }
    event->node = net->shape.link[link].to;
    event->at.at_ps = leaves_ps + net->delay_ps[link];
    put_net_event(net, event);
}

/* Forwards a copy of a multicast packet over each link of its sender's tree. */
static void spread(struct ordo_net *net, struct event *event)
{
    int links, node = event->node;
    const int *link = ordo_net_links_of(net, node, &links);
    const uint8_t *tree = ordo_net_trees_of(&net->trees, &net->shape, event->packet.from);
    net->full |= !tree;
    for (int i = 0; tree && i < links; i++) {
        struct event *copy = tree[link[i]] ? new_event(net, PACKET_AT_NODE, node, net->now_ps) : NULL;
        if (!copy)
            continue;
        copy->packet = event->packet;
        forward(net, copy, link[i]);
    }
    done(net, event);
}

static void log_packet(struct ordo_net_log *log, const struct ordo_net_packet *packet, int64_t came_ps)
{
    if (!log || log->count == log->room)
        return;
    struct ordo_net_logged *logged = &log->packet[log->count++];
    *logged = (struct ordo_net_logged){packet->from, packet->to, packet->bytes, packet->left_ps, came_ps, {0}};
    memcpy(logged->words, packet->words, sizeof logged->words);
}

static void come(struct ordo_net *net, struct event *event, const struct ordo_net_protocol_calls *calls, void *context)
{
    if (event->node < net->options.hosts) {
        net->meters[event->node].came_packets++;
        net->meters[event->node].came_bytes += (uint64_t)event->packet.bytes;
    }
    event->packet.to = event->node;
    log_packet(net->options.log, &event->packet, net->now_ps);
    calls->arrive(context, net, &event->packet, ordo_net_clock_stamp(&net->clocks[event->node], net->now_ps));
    done(net, event);
}

static void at_node(struct ordo_net *net, struct event *event, const struct ordo_net_protocol_calls *calls,
                    void *context)
{
    const struct ordo_net_packet *packet = &event->packet;
    if (packet->to == event->node || (packet->to == ORDO_NET_ALL && event->node < net->options.hosts))
        come(net, event, calls, context);
    else if (packet->to == ORDO_NET_ALL)
        spread(net, event);
    else
        forward(net, event, ordo_net_shape_next(&net->shape, event->node, packet->to, packet->flow));
}

void ordo_net_stamp_in_switches(struct ordo_net *net,
                                void (*pass)(struct ordo_net_packet *packet, int64_t came_ps, int64_t leaves_ps))
{
    net->pass = pass;
}

static void judge_again(struct ordo_net *net, int64_t judge_every_ps)
{
    int64_t next_ps = ordo_min(net->now_ps + judge_every_ps, net->end_ps);
    struct event *event = net->now_ps < net->end_ps ? new_event(net, JUDGEMENT, 0, next_ps) : NULL;
    if (event)
        put_net_event(net, event);
}

/* Resets the meters at the first judgement of the second half of the run. */
static void meter_second_half(struct ordo_net *net)
{
    if (net->metered_ps > 0 || net->now_ps < net->end_ps / 2 || net->now_ps == net->end_ps)
        return;
    net->metered_ps = net->now_ps;
    for (int host = 0; host < net->options.hosts; host++)
        net->meters[host] = (struct ordo_net_meter){0};
}

static void happen(struct ordo_net *net, struct event *event, const struct ordo_net_protocol_calls *calls,
                   void *context, int64_t judge_every_ps)
{
    net->now_ps = event->at.at_ps;
    if (event->kind == PACKET_AT_NODE) {
        at_node(net, event, calls, context);
        return;
    }
    if (event->kind == ALARM)
        calls->wake(context, net, event->node, event->token);
    else {
        meter_second_half(net);
        calls->judge(context, net, net->now_ps);
        judge_again(net, judge_every_ps);
    }
    done(net, event);
}

int ordo_net_run(struct ordo_net *net, const struct ordo_net_protocol_calls *calls, void *context,
                 int64_t judge_every_ps, struct ordo_error *error)
{
    struct event *event;
    judge_again(net, judge_every_ps);
    while (!net->full && (event = (struct event *)ordo_net_agenda_take(&net->agenda)) && event->at.at_ps <= net->end_ps)
        happen(net, event, calls, context, judge_every_ps);
    return net->full ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a simulated network: out of memory") : ORDO_OK;
}

const struct ordo_net_options *ordo_net_options_of(const struct ordo_net *net)
{
    return &net->options;
}

int64_t ordo_net_clock_now(const struct ordo_net *net, int node)
{
    return ordo_net_clock_at(&net->clocks[node], net->now_ps);
}

int64_t ordo_net_clock_true(const struct ordo_net *net, int host, int64_t true_ps)
{
    return ordo_net_clock_at(&net->clocks[host], true_ps);
}

struct ordo_net_counts ordo_net_counted(const struct ordo_net *net)
{
    return net->counts;
}

struct ordo_net_meter ordo_net_metered(const struct ordo_net *net, int host)
{
    struct ordo_net_meter meter = net->meters[host];
    meter.seconds = (double)(net->end_ps - net->metered_ps) * 1e-12;
    return meter;
}
