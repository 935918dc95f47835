#include <stdlib.h>

#include "base/random.h"
#include "net/graph/mesh.h"

enum { SWAPS_FOR_EACH_EDGE = 10 };

static int pick_host(uint64_t *random, int below)
{
    return (int)((ordo_random_next(random) >> 32) * (uint64_t)below >> 32);
}

static void mark_edge(bool *joined, int hosts, struct ordo_net_edge edge, bool yes)
{
    joined[edge.a * hosts + edge.b] = joined[edge.b * hosts + edge.a] = yes;
}

/* Makes a ring in which each host has edges to the degree / 2 next hosts on each side; if the degree is odd, also to
 * the opposite host. */
static void make_ring(struct ordo_net_mesh *mesh, bool *joined, int degree)
{
    int hosts = mesh->hosts;
    for (int far = 1; far <= degree / 2; far++)
        for (int host = 0; host < hosts; host++)
            mesh->edge[mesh->edges++] = (struct ordo_net_edge){host, (host + far) % hosts};
    for (int host = 0; degree % 2 && host < hosts / 2; host++)
        mesh->edge[mesh->edges++] = (struct ordo_net_edge){host, host + hosts / 2};
    for (int i = 0; i < mesh->edges; i++)
        mark_edge(joined, hosts, mesh->edge[i], true);
}

/* Lets two random edges exchange an end, unless this would make a second edge between two hosts, or an edge from a host
 * to itself. */
static void swap(struct ordo_net_mesh *mesh, bool *joined, uint64_t *random)
{
    struct ordo_net_edge *one = &mesh->edge[pick_host(random, mesh->edges)];
    struct ordo_net_edge *other = &mesh->edge[pick_host(random, mesh->edges)];
    bool turned = ordo_random_next(random) >> 63;
    struct ordo_net_edge first = {one->a, turned ? other->a : other->b},
                         second = {turned ? other->b : other->a, one->b};
    if (one == other || first.a == first.b || second.a == second.b || joined[first.a * mesh->hosts + first.b] ||
        joined[second.a * mesh->hosts + second.b])
        return;
    mark_edge(joined, mesh->hosts, *one, false);
    mark_edge(joined, mesh->hosts, *other, false);
    mark_edge(joined, mesh->hosts, first, true);
    mark_edge(joined, mesh->hosts, second, true);
    *one = first;
    *other = second;
}

static bool is_whole(const struct ordo_net_mesh *mesh, int *order)
{
    return ordo_net_mesh_walk(mesh, NULL, order, order + mesh->hosts) == mesh->hosts;
}

bool ordo_net_mesh_regular(struct ordo_net_mesh *mesh, int hosts, int degree, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x726567756c6172);
    degree = degree < hosts - 1 ? degree + (degree % 2 & hosts % 2) : hosts - 1;
    bool *joined = calloc((size_t)hosts, (size_t)hosts * sizeof *joined);
    int *order = calloc((size_t)hosts, 2 * sizeof *order);
    *mesh = (struct ordo_net_mesh){.hosts = hosts};
    mesh->edge = calloc((size_t)hosts, (size_t)(degree + 1) * sizeof *mesh->edge);
    bool made = joined && order && mesh->edge;
    if (made) {
        make_ring(mesh, joined, degree);
        do
            for (int i = 0; degree < hosts - 1 && i < SWAPS_FOR_EACH_EDGE * mesh->edges; i++)
                swap(mesh, joined, &random);
        while (!is_whole(mesh, order));
    }
    free(joined);
    free(order);
    if (!made)
        ordo_net_mesh_free(mesh);
    return made;
}
