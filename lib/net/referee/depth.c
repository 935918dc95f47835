#include "net/referee/depth.h"

#include <stdlib.h>

/* At one place, begins come before ends, because the ends of an interval belong to it. */
static int by_place(const void *left, const void *right)
{
    const struct ordo_net_edge_of_depth *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return b->change - a->change;
}

static void add_edges(struct ordo_net_depth *depth, struct ordo_interval common)
{
    depth->hosts++;
    if (common.low > common.high)
        return;
    depth->edge[depth->count++] = (struct ordo_net_edge_of_depth){common.low, 1};
    depth->edge[depth->count++] = (struct ordo_net_edge_of_depth){common.high, -1};
}

/* A host has no wrong claim if x is in all its views, so in their intersection. The claims of a host are neighbours. */
bool ordo_net_depth_make(struct ordo_net_depth *depth, int hosts, const struct ordo_net_case *cases, int count,
                         struct ordo_interval within)
{
    *depth = (struct ordo_net_depth){.edge = calloc(2 * (size_t)hosts + 1, sizeof *depth->edge), .within = within};
    if (!depth->edge)
        return false;
    for (int i = 0; i < count;) {
        struct ordo_interval common = {INT64_MIN, INT64_MAX};
        int host = cases[i].host;
        for (; i < count && cases[i].host == host; i++)
            common = ordo_interval_intersect(common, cases[i].view_ns);
        if (common.low != INT64_MIN)
            add_edges(depth, common);
    }
    qsort(depth->edge, (size_t)depth->count, sizeof *depth->edge, by_place);
    return true;
}

void ordo_net_depth_free(struct ordo_net_depth *depth)
{
    free(depth->edge);
    depth->edge = NULL;
}

static int larger_int(int a, int b)
{
    return a > b ? a : b;
}

/* Between two edges the number of agreeing hosts is constant. It is largest at the begin of `in`, or at a place
 * from which on another host agrees. */
int ordo_net_depth_least(const struct ordo_net_depth *depth, struct ordo_interval in)
{
    struct ordo_interval both = ordo_interval_intersect(in, depth->within);
    int agree = 0, most = 0;
    for (int i = 0; i < depth->count && both.low <= both.high; i++) {
        const struct ordo_net_edge_of_depth *edge = &depth->edge[i];
        if (edge->at_ns > both.high)
            break;
        if (edge->change < 0 && edge->at_ns >= both.low)
            most = larger_int(most, agree);
        agree += edge->change;
        if (edge->at_ns >= both.low)
            most = larger_int(most, agree);
    }
    return depth->hosts - larger_int(most, both.low <= both.high ? agree : 0);
}
