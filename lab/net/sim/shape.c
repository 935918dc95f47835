#include "lab/net/sim/shape.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/minmax.h"

enum { PER_SWITCH = 8, PER_LEAF = 16, BRANCHES = 4, HOSTS_MOST = 4096 };

const char *ordo_net_shape_name(int kind)
{
    static const char *const names[ORDO_NET_SHAPES] = {"star", "chain", "ring", "tree", "clos", "line", "fat-tree"};
    return kind >= 0 && kind < ORDO_NET_SHAPES ? names[kind] : NULL;
}

static void join_shape(struct ordo_net_shape *shape, int a, int b)
{
    shape->link[shape->links++] = (struct ordo_net_link){a, b};
    shape->link[shape->links++] = (struct ordo_net_link){b, a};
}

/* Connects the hosts to a row of switches. Returns the number of switches. */
static int place_hosts(struct ordo_net_shape *shape, int per_switch)
{
    for (int host = 0; host < shape->hosts; host++)
        join_shape(shape, host, shape->hosts + host / per_switch);
    return (shape->hosts + per_switch - 1) / per_switch;
}

static void make_row(struct ordo_net_shape *shape, int closed)
{
    int switches = place_hosts(shape, PER_SWITCH);
    for (int i = 0; i + 1 < switches; i++)
        join_shape(shape, shape->hosts + i, shape->hosts + i + 1);
    if (closed && switches > 2)
        join_shape(shape, shape->hosts + switches - 1, shape->hosts);
    shape->nodes = shape->hosts + switches;
}

static void make_tree(struct ordo_net_shape *shape)
{
    int begin = shape->hosts, end = begin + place_hosts(shape, PER_SWITCH);
    while (end - begin > 1) {
        for (int i = begin; i < end; i++)
            join_shape(shape, i, end + (i - begin) / BRANCHES);
        int above = (end - begin + BRANCHES - 1) / BRANCHES;
        begin = end;
        end += above;
    }
    shape->nodes = end;
}

static void make_clos(struct ordo_net_shape *shape)
{
    int leaves = place_hosts(shape, PER_LEAF), spines = leaves > 1 ? PER_LEAF : 0;
    for (int leaf = 0; leaf < leaves; leaf++)
        for (int spine = 0; spine < spines; spine++)
            join_shape(shape, shape->hosts + leaf, shape->hosts + leaves + spine);
    shape->nodes = shape->hosts + leaves + spines;
}

/* Returns half of the ports of a switch of the smallest fat tree for these hosts: 2 half^3 hosts have room. */
static int half_of_fat_tree(int hosts)
{
    int half = 1;
    while (2 * half * half * half < hosts)
        half++;
    return half;
}

/* Numbers the switches: those at the edge, pod by pod, then the aggregation switches, pod by pod, then the core. The
 * i-th aggregation switch of each pod has the i-th row of the core above it. */
static void make_fat_tree(struct ordo_net_shape *shape)
{
    int half = half_of_fat_tree(shape->hosts), pods = 2 * half;
    int edge = shape->hosts, above = edge + pods * half, core = above + pods * half;
    (void)place_hosts(shape, half);
    for (int pod = 0; pod < pods; pod++)
        for (int i = 0; i < half; i++)
            for (int j = 0; j < half; j++) {
                join_shape(shape, edge + pod * half + i, above + pod * half + j);
                join_shape(shape, above + pod * half + i, core + i * half + j);
            }
    shape->nodes = core + half * half;
    shape->several = true;
}

static void make_line(struct ordo_net_shape *shape)
{
    for (int host = 0; host + 1 < shape->hosts; host++)
        join_shape(shape, host, host + 1);
    shape->nodes = shape->hosts;
}

static void make_links(struct ordo_net_shape *shape, enum ordo_net_shape_kind kind)
{
    switch (kind) {
    case ORDO_NET_STAR:
        shape->nodes = shape->hosts + place_hosts(shape, shape->hosts);
        break;
    case ORDO_NET_TREE:
        make_tree(shape);
        break;
    case ORDO_NET_CLOS:
        make_clos(shape);
        break;
    case ORDO_NET_LINE:
        make_line(shape);
        break;
    case ORDO_NET_FAT_TREE:
        make_fat_tree(shape);
        break;
    default:
        make_row(shape, kind == ORDO_NET_RING);
        break;
    }
}

/* Finds the distances of all nodes to a host: relaxes all links, forwards and backwards in turn, until no distance
 * changes. A row of thousands of nodes has its links in order, and needs only a few rounds. */
static void find_distances(struct ordo_net_shape *shape, int host, int *distance)
{
    for (int node = 0; node < shape->nodes; node++)
        distance[node] = node == host ? 0 : shape->nodes;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < 2 * shape->links; i++) {
            const struct ordo_net_link *link = &shape->link[i < shape->links ? i : 2 * shape->links - 1 - i];
            if (distance[link->to] + 1 < distance[link->from]) {
                distance[link->from] = distance[link->to] + 1;
                changed = 1;
            }
        }
    }
    for (int other = 0; other < shape->hosts; other++)
        shape->hops = (int)ordo_max(shape->hops, distance[other]);
}

static int is_way(const struct ordo_net_shape *shape, int link, const int *distance)
{
    return distance[shape->link[link].to] + 1 == distance[shape->link[link].from];
}

/* Lists the ways by host and node: first counts them, then writes them. */
static int find_ways(struct ordo_net_shape *shape, int *distance)
{
    int count = 0;
    for (int host = 0; host < shape->hosts; host++) {
        find_distances(shape, host, distance);
        int *begin = &shape->way_begin[host * shape->nodes], *end = begin + shape->nodes;
        for (int i = 0; i < shape->links; i++)
            begin[shape->link[i].from] += is_way(shape, i, distance);
        for (; begin < end; begin++) {
            int here = *begin;
            *begin = count;
            count += here;
        }
    }
    shape->way_begin[shape->hosts * shape->nodes] = count;
    return count;
}

static void write_ways(struct ordo_net_shape *shape, int *distance, int *written)
{
    for (int host = 0; host < shape->hosts; host++) {
        find_distances(shape, host, distance);
        for (int node = 0; node < shape->nodes; node++)
            written[node] = shape->way_begin[host * shape->nodes + node];
        for (int i = 0; i < shape->links; i++)
            if (is_way(shape, i, distance))
                shape->ways[written[shape->link[i].from]++] = i;
    }
}

static int route(struct ordo_net_shape *shape, struct ordo_error *error)
{
    int *distance = calloc((size_t)shape->nodes, 2 * sizeof *distance);
    shape->way_begin = calloc((size_t)shape->hosts * (size_t)shape->nodes + 1, sizeof *shape->way_begin);
    if (distance && shape->way_begin)
        shape->ways = calloc((size_t)find_ways(shape, distance) + 1, sizeof *shape->ways);
    if (shape->ways)
        write_ways(shape, distance, distance + shape->nodes);
    free(distance);
    return shape->ways
               ? ORDO_OK
               : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a network of %d hosts: out of memory", shape->hosts);
}

int ordo_net_shape_make(struct ordo_net_shape *shape, enum ordo_net_shape_kind kind, int hosts,
                        struct ordo_error *error)
{
    *shape = (struct ordo_net_shape){.hosts = hosts};
    if (hosts < 2 || hosts > HOSTS_MOST)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%d hosts: take from 2 to %d", hosts, HOSTS_MOST);
    int half = half_of_fat_tree(hosts); /* its links have more room than those of any other shape need */
    shape->link = calloc((size_t)hosts * 6 + 64 + 8 * (size_t)(half * half * half), sizeof *shape->link);
    if (!shape->link)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a network of %d hosts: out of memory", hosts);
    make_links(shape, kind);
    int code = route(shape, error);
    if (code)
        ordo_net_shape_free(shape);
    return code;
}

void ordo_net_shape_free(struct ordo_net_shape *shape)
{
    free(shape->link);
    free(shape->way_begin);
    free(shape->ways);
    *shape = (struct ordo_net_shape){0};
}

/* Hashes a flow. In a fat tree a flow meets two switches with several ways. If both used the same hash, the second
 * choice would follow from the first, and most paths would never be used. */
static uint32_t hash_flow(const struct ordo_net_shape *shape, int node, uint32_t flow)
{
    uint32_t hash = flow * UINT32_C(2654435761);
    if (!shape->several)
        return hash >> 8;
    hash = (hash ^ (uint32_t)node * UINT32_C(0x85ebca6b)) * UINT32_C(0xc2b2ae35);
    hash = (hash ^ hash >> 15) * UINT32_C(0x27d4eb2f);
    return hash >> 8;
}

int ordo_net_shape_next(const struct ordo_net_shape *shape, int node, int host, uint32_t flow)
{
    const int *begin = &shape->way_begin[host * shape->nodes + node];
    uint32_t count = (uint32_t)(begin[1] - begin[0]);
    return shape->ways[begin[0] + (int)(count > 1 ? hash_flow(shape, node, flow) % count : 0)];
}
