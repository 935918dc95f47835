#include "net/sim/network.h"

#include <errno.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "base/random.h"
#include "net/sim/agenda.h"

enum { CHUNK_EVENTS = 1024 };

enum event_kind { PACKET_AT_NODE, ALARM, JUDGEMENT };

struct event {
    struct ordo_net_event at; /* first: an event is found by it */
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
    struct ordo_net_clock *clocks; /* of the hosts */
    int64_t *sent_ps;              /* by host: when its last packet has left */
    struct ordo_net_port *ports;   /* by link */
    int64_t *delay_ps;
    struct ordo_net_agenda agenda;
    struct chunk *chunks;
    struct ordo_net_event *spare;
    int64_t now_ps, end_ps;
    bool full; /* memory ran out */
    struct ordo_net_counts counts;
};

struct ordo_net_options ordo_net_defaults(void)
{
    return (struct ordo_net_options){
        .shape = ORDO_NET_CLOS,
        .hosts = 128,
        .seconds = 10,
        .delay_ns = 500,
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

static void put(struct ordo_net *net, struct event *event)
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
        ordo_net_port_make(&net->ports[i], &net->pace, (uint32_t)i, net->shape.link[i].to < net->options.hosts);
    }
    return true;
}

static bool make_hosts(struct ordo_net *net, struct ordo_error *error)
{
    net->clocks = calloc((size_t)net->options.hosts, sizeof *net->clocks);
    net->sent_ps = calloc((size_t)net->options.hosts, sizeof *net->sent_ps);
    bool made = net->clocks && net->sent_ps && ordo_net_agenda_make(&net->agenda);
    for (int host = 0; made && host < net->options.hosts; host++)
        made = !ordo_net_clock_make(&net->clocks[host], &net->options.clock, host, net->options.traffic.seed,
                                    net->end_ps, error);
    return made;
}

static int refuse(const struct ordo_net_options *options, struct ordo_error *error)
{
    const struct ordo_net_traffic *traffic = &options->traffic;
    if (!(options->seconds > 0 && options->seconds <= 86400))
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%g seconds: take more than 0, and at most 86400",
                              options->seconds);
    if (!(traffic->load >= 0 && traffic->load < 1) || !(traffic->gbps > 0))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "load %g at %g Gbit/s: take a load from 0 to below 1 and a rate above 0", traffic->load,
                              traffic->gbps);
    if (options->clock.granule_ns < 1 || options->delay_ns < 1 || options->asymmetry_ns < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "granule %lld ns, delay %lld ns: must be positive",
                              (long long)options->clock.granule_ns, (long long)options->delay_ns);
    return ORDO_OK;
}

struct ordo_net *ordo_net_new(const struct ordo_net_options *options, struct ordo_error *error)
{
    struct ordo_net *net = refuse(options, error) ? NULL : calloc(1, sizeof *net);
    if (!net)
        return NULL;
    net->options = *options;
    net->end_ps = (int64_t)(options->seconds * 1e12);
    ordo_net_pace_make(&net->pace, &options->traffic);
    if (ordo_net_shape_make(&net->shape, options->shape, options->hosts, error)) {
        free(net);
        return NULL;
    }
    if (make_links(net) && make_hosts(net, error))
        return net;
    (void)ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a network of %d hosts: out of memory", options->hosts);
    ordo_net_free(net);
    return NULL;
}

void ordo_net_free(struct ordo_net *net)
{
    if (!net)
        return;
    for (int host = 0; net->clocks && host < net->options.hosts; host++)
        ordo_net_clock_free(&net->clocks[host]);
    for (struct chunk *chunk = net->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    ordo_net_agenda_free(&net->agenda);
    ordo_net_shape_free(&net->shape);
    free(net->clocks);
    free(net->sent_ps);
    free(net->ports);
    free(net->delay_ps);
    free(net);
}

void ordo_net_send(struct ordo_net *net, const struct ordo_net_packet *packet, int64_t after_ps)
{
    int link = ordo_net_shape_next(&net->shape, packet->from, packet->to, packet->flow);
    int64_t begins_ps = ordo_max(net->now_ps + after_ps, net->sent_ps[packet->from]);
    int64_t ends_ps = begins_ps + ordo_net_wire_ps(&net->pace, packet->bytes);
    net->sent_ps[packet->from] = ends_ps;
    net->counts.packets++;
    net->counts.bytes += (uint64_t)packet->bytes;
    struct event *event = new_event(net, PACKET_AT_NODE, net->shape.link[link].to, ends_ps + net->delay_ps[link]);
    if (!event)
        return;
    event->packet = *packet;
    event->packet.sent_ps = ordo_net_clock_stamp(&net->clocks[packet->from], begins_ps);
    put(net, event);
}

void ordo_net_wake(struct ordo_net *net, int host, int64_t after_ps, int token)
{
    struct event *event = new_event(net, ALARM, host, net->now_ps + ordo_max(after_ps, 0));
    if (!event)
        return;
    event->token = token;
    put(net, event);
}

/* A packet whose last bit has come to a switch: through the queue, and to the next node. */
static void forward(struct ordo_net *net, struct event *event)
{
    int link = ordo_net_shape_next(&net->shape, event->node, event->packet.to, event->packet.flow);
    int64_t leaves_ps = ordo_net_port_pass(&net->ports[link], &net->pace, net->now_ps, event->packet.bytes);
    if (leaves_ps < 0) {
        net->counts.lost++;
        done(net, event);
        return;
    }
    event->node = net->shape.link[link].to;
    event->at.at_ps = leaves_ps + net->delay_ps[link];
    put(net, event);
}

static void judge_again(struct ordo_net *net, int64_t judge_every_ps)
{
    int64_t next_ps = ordo_min(net->now_ps + judge_every_ps, net->end_ps);
    struct event *event = net->now_ps < net->end_ps ? new_event(net, JUDGEMENT, 0, next_ps) : NULL;
    if (event)
        put(net, event);
}

static void happen(struct ordo_net *net, struct event *event, const struct ordo_net_protocol_calls *calls,
                   void *context, int64_t judge_every_ps)
{
    net->now_ps = event->at.at_ps;
    if (event->kind == PACKET_AT_NODE && event->node != event->packet.to) {
        forward(net, event);
        return;
    }
    if (event->kind == PACKET_AT_NODE)
        calls->arrive(context, net, &event->packet, ordo_net_clock_stamp(&net->clocks[event->node], net->now_ps));
    else if (event->kind == ALARM)
        calls->wake(context, net, event->node, event->token);
    else {
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

int64_t ordo_net_clock_now(const struct ordo_net *net, int host)
{
    return ordo_net_clock_at(&net->clocks[host], net->now_ps);
}

int64_t ordo_net_clock_true(const struct ordo_net *net, int host, int64_t true_ps)
{
    return ordo_net_clock_at(&net->clocks[host], true_ps);
}

struct ordo_net_counts ordo_net_counted(const struct ordo_net *net)
{
    return net->counts;
}
