#include "lab/net/huygens/probes.h"

#include <stdlib.h>

#include "base/random.h"

enum { PROBE_BYTES = 64 };

/* The words of a probe. */
enum { FLOW, NUMBER, SECOND };

bool ordo_net_probes_make(struct ordo_net_probes *probes, const struct ordo_net_mesh *mesh,
                          const struct ordo_net_probe_plan *plan)
{
    *probes = (struct ordo_net_probes){.mesh = mesh, .plan = *plan, .random = plan->seed ^ UINT64_C(0x70726f6265)};
    probes->flow = calloc((size_t)mesh->edges * 2, sizeof *probes->flow);
    return probes->flow != NULL;
}

void ordo_net_probes_free(struct ordo_net_probes *probes)
{
    for (int i = 0; probes->flow && i < 2 * probes->mesh->edges; i++)
        free(probes->flow[i].point);
    free(probes->flow);
    probes->flow = NULL;
}

static int sender(const struct ordo_net_probes *probes, int flow)
{
    const struct ordo_net_edge *edge = &probes->mesh->edge[flow / 2];
    return flow % 2 ? edge->b : edge->a;
}

static void set_alarm(struct ordo_net_probes *probes, struct ordo_net *net, int flow, double least)
{
    double after = least + ordo_random_unit(&probes->random);
    ordo_net_wake(net, sender(probes, flow), (int64_t)(after * (double)probes->plan.every_ps), flow);
}

void ordo_net_probes_start(struct ordo_net_probes *probes, struct ordo_net *net)
{
    for (int flow = 0; flow < 2 * probes->mesh->edges; flow++)
        set_alarm(probes, net, flow, 0);
}

/* Sends a pair. Both packets of a pair take one path. Each pair takes another path, because now and then a path is free
 * of queues. */
void ordo_net_probes_wake(struct ordo_net_probes *probes, struct ordo_net *net, int flow)
{
    const struct ordo_net_edge *edge = &probes->mesh->edge[flow / 2];
    struct ordo_net_packet packet = {.from = sender(probes, flow),
                                     .to = flow % 2 ? edge->a : edge->b,
                                     .bytes = PROBE_BYTES,
                                     .flow = (uint32_t)ordo_random_next(&probes->random)};
    packet.words[FLOW] = flow;
    packet.words[NUMBER] = (int64_t)packet.flow;
    ordo_net_send(net, &packet, 0);
    packet.words[SECOND] = 1;
    ordo_net_send(net, &packet, probes->plan.spacing_ps);
    set_alarm(probes, net, flow, 0.5);
}

static void leave_point(struct ordo_net_probes *probes, struct ordo_net_flow *flow, struct ordo_net_point point)
{
    if (flow->count == flow->room) {
        size_t room = flow->room ? 2 * flow->room : 64;
        struct ordo_net_point *larger = realloc(flow->point, room * sizeof *larger);
        if (!larger) {
            probes->full = true;
            return;
        }
        flow->point = larger;
        flow->room = room;
    }
    flow->point[flow->count++] = point;
}

/* Returns the point of a packet: the stamp of b less the stamp of a, at the stamp of a. */
static struct ordo_net_point point_of(bool back, int64_t sent_ps, int64_t came_ps)
{
    return back ? (struct ordo_net_point){came_ps, sent_ps - came_ps}
                : (struct ordo_net_point){sent_ps, came_ps - sent_ps};
}

static bool is_pure(const struct ordo_net_probes *probes, const struct ordo_net_flow *flow,
                    const struct ordo_net_packet *second, int64_t stamp_ps)
{
    int64_t longer_ps = (stamp_ps - flow->came_ps) - (second->sent_ps - flow->sent_ps);
    return llabs(longer_ps) <= probes->plan.tolerance_ps;
}

void ordo_net_probes_arrive(struct ordo_net_probes *probes, const struct ordo_net_packet *packet, int64_t stamp_ps)
{
    bool back = packet->words[FLOW] % 2;
    struct ordo_net_flow *flow = &probes->flow[packet->words[FLOW]];
    if (!packet->words[SECOND]) {
        flow->number = packet->words[NUMBER];
        flow->sent_ps = packet->sent_ps;
        flow->came_ps = stamp_ps;
        return;
    }
    if (flow->number != packet->words[NUMBER]) /* the first packet was lost, or belongs to another pair */
        return;
    probes->pairs++;
    if (probes->plan.coded && !is_pure(probes, flow, packet, stamp_ps))
        return;
    probes->kept++;
    leave_point(probes, flow, point_of(back, flow->sent_ps, flow->came_ps));
    if (!probes->plan.coded)
        leave_point(probes, flow, point_of(back, packet->sent_ps, stamp_ps));
}

struct ordo_net_samples ordo_net_probes_of(struct ordo_net_probes *probes, int edge)
{
    struct ordo_net_flow *there = &probes->flow[2 * edge], *back = there + 1;
    ordo_net_points_sort(there->point, there->count);
    ordo_net_points_sort(back->point, back->count);
    return (struct ordo_net_samples){there->point, back->point, there->count, back->count};
}

void ordo_net_probes_forget(struct ordo_net_probes *probes)
{
    for (int i = 0; i < 2 * probes->mesh->edges; i++)
        probes->flow[i].count = 0;
}
