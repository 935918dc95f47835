#include "lab/net/sim/trees.h"

#include <stdlib.h>

static void list_links(struct ordo_net_trees *trees, const struct ordo_net_shape *shape)
{
    for (int i = 0; i < shape->links; i++)
        trees->begin[shape->link[i].from + 1]++;
    for (int node = 0; node < shape->nodes; node++)
        trees->begin[node + 1] += trees->begin[node];
    for (int i = shape->links - 1; i >= 0; i--)
        trees->out[--trees->begin[shape->link[i].from + 1]] = i;
    for (int node = 0; node < shape->nodes; node++)
        trees->begin[node] = trees->begin[node + 1];
    trees->begin[shape->nodes] = shape->links;
}

bool ordo_net_trees_make(struct ordo_net_trees *trees, const struct ordo_net_shape *shape)
{
    *trees = (struct ordo_net_trees){.hosts = shape->hosts};
    trees->begin = calloc((size_t)shape->nodes + 1, sizeof *trees->begin);
    trees->out = calloc((size_t)shape->links + 1, sizeof *trees->out);
    trees->tree = calloc((size_t)shape->hosts, sizeof *trees->tree);
    if (!trees->begin || !trees->out || !trees->tree)
        return false;
    list_links(trees, shape);
    return true;
}

void ordo_net_trees_free(struct ordo_net_trees *trees)
{
    for (int host = 0; trees->tree && host < trees->hosts; host++)
        free(trees->tree[host]);
    free(trees->tree);
    free(trees->begin);
    free(trees->out);
}

/* Grows the tree of a host from the paths to all other hosts. A link belongs to the tree if the first path that reaches
 * the link's end goes over the link. Later paths add no further link to this node, so the node gets only one copy. */
static void grow(uint8_t *tree, uint8_t *reached, const struct ordo_net_shape *shape, int root)
{
    reached[root] = 1;
    for (int host = 0; host < shape->hosts; host++)
        for (int node = root; node != host;) {
            int link = ordo_net_shape_next(shape, node, host, 0);
            node = shape->link[link].to;
            tree[link] |= !reached[node];
            reached[node] = 1;
        }
}

const uint8_t *ordo_net_trees_of(struct ordo_net_trees *trees, const struct ordo_net_shape *shape, int host)
{
    uint8_t *reached;
    if (trees->tree[host] || !(reached = calloc((size_t)shape->nodes, 1)))
        return trees->tree[host];
    trees->tree[host] = calloc((size_t)shape->links, 1);
    if (trees->tree[host])
        grow(trees->tree[host], reached, shape, host);
    free(reached);
    return trees->tree[host];
}
