#include "lab/net/sim/failures.h"

#include "base/random.h"

static int pick_number(uint64_t *random, int count)
{
    return (int)(ordo_random_unit(random) * count);
}

static void add_failure(struct ordo_net_failures *failures, int from, int to, int64_t begin_ps, int64_t outage_ps)
{
    failures->outages[failures->count++] = (struct ordo_net_outage){from, to, begin_ps, begin_ps + outage_ps};
}

void ordo_net_failures_make(struct ordo_net_failures *failures, const struct ordo_net_shape *shape, int links,
                            int nodes, int64_t outage_ps, int64_t end_ps, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x6661696c);
    failures->count = 0;
    for (int i = 0; i < links; i++) {
        const struct ordo_net_link *link = &shape->link[pick_number(&random, shape->links)];
        int64_t begin_ps = (int64_t)(ordo_random_unit(&random) * (double)end_ps);
        if (link->from != 0 && link->to != 0)
            add_failure(failures, link->from, link->to, begin_ps, outage_ps);
    }
    for (int i = 0; i < nodes; i++) {
        int node = 1 + pick_number(&random, shape->nodes - 1);
        add_failure(failures, node, -1, (int64_t)(ordo_random_unit(&random) * (double)end_ps), outage_ps);
    }
}

static bool is_of(const struct ordo_net_outage *outage, const struct ordo_net_link *link)
{
    if (outage->to < 0)
        return link->from == outage->from || link->to == outage->from;
    return (link->from == outage->from && link->to == outage->to) ||
           (link->from == outage->to && link->to == outage->from);
}

bool ordo_net_failures_lose(const struct ordo_net_failures *failures, const struct ordo_net_link *link, int64_t at_ps)
{
    for (int i = 0; i < failures->count; i++) {
        const struct ordo_net_outage *outage = &failures->outages[i];
        if (at_ps >= outage->begin_ps && at_ps < outage->end_ps && is_of(outage, link))
            return true;
    }
    return false;
}
