#include "net/graph/mesh.h"

#include <stdlib.h>

#include "base/random.h"

static int pick_below(uint64_t *random, int below)
{
    return (int)((ordo_random_next(random) >> 32) * (uint64_t)below >> 32);
}

static void join_hosts(struct ordo_net_mesh *mesh, bool *joined, int a, int b)
{
    joined[a * mesh->hosts + b] = joined[b * mesh->hosts + a] = true;
    mesh->edge[mesh->edges++] = (struct ordo_net_edge){a, b};
}

/* Returns a random host that is not `host` and has no edge to it; -1: there is none. */
static int free_peer(const struct ordo_net_mesh *mesh, const bool *joined, int host, uint64_t *random)
{
    int begin = pick_below(random, mesh->hosts);
    for (int tries = 0; tries < 16; tries++, begin = pick_below(random, mesh->hosts))
        if (begin != host && !joined[host * mesh->hosts + begin])
            return begin;
    for (int i = 0; i < mesh->hosts; i++) {
        int other = (begin + i) % mesh->hosts;
        if (other != host && !joined[host * mesh->hosts + other])
            return other;
    }
    return -1;
}

/* Adds edges until all hosts are connected to host 0. */
static bool connect(struct ordo_net_mesh *mesh, bool *joined, uint64_t *random)
{
    int *order = calloc((size_t)mesh->hosts, 2 * sizeof *order), reached = 0;
    while (order && (reached = ordo_net_mesh_walk(mesh, NULL, order, order + mesh->hosts)) < mesh->hosts) {
        int alone = 0;
        while (alone == 0 || order[mesh->hosts + alone] >= 0)
            alone++;
        join_hosts(mesh, joined, order[pick_below(random, reached)], alone);
    }
    free(order);
    return order != NULL;
}

bool ordo_net_mesh_make(struct ordo_net_mesh *mesh, int hosts, int peers, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x6d657368);
    bool *joined = calloc((size_t)hosts, (size_t)hosts * sizeof *joined);
    *mesh = (struct ordo_net_mesh){.hosts = hosts};
    mesh->edge = calloc((size_t)hosts, (size_t)(peers + 1) * sizeof *mesh->edge);
    bool made = joined && mesh->edge;
    for (int i = 0; made && i < hosts * peers; i++) {
        int peer = free_peer(mesh, joined, i % hosts, &random);
        if (peer >= 0)
            join_hosts(mesh, joined, i % hosts, peer);
    }
    made = made && connect(mesh, joined, &random);
    free(joined);
    if (!made)
        ordo_net_mesh_free(mesh);
    return made;
}

void ordo_net_mesh_free(struct ordo_net_mesh *mesh)
{
    free(mesh->edge);
    *mesh = (struct ordo_net_mesh){0};
}

static bool is_used(const bool *used, int edge)
{
    return !used || used[edge];
}

/* Breadth-first search from host 0. */
int ordo_net_mesh_walk(const struct ordo_net_mesh *mesh, const bool *used, int *order, int *via)
{
    enum { UNREACHED = -2 };
    int reached = 1;
    for (int host = 0; host < mesh->hosts; host++)
        via[host] = host == 0 ? -1 : UNREACHED;
    order[0] = 0;
    for (int before = 0, end = 1; before < end; before = end, end = reached)
        for (int at = before; at < end; at++)
            for (int i = 0; i < mesh->edges; i++) {
                const struct ordo_net_edge *edge = &mesh->edge[i];
                int other = edge->a == order[at] ? edge->b : edge->b == order[at] ? edge->a : -1;
                if (other < 0 || via[other] != UNREACHED || !is_used(used, i))
                    continue;
                via[other] = i;
                order[reached++] = other;
            }
    return reached;
}
