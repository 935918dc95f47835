#include "lab/net/dtp/precision.h"

#include <stdlib.h>

#include "base/minmax.h"

bool ordo_net_dtp_precision_make(struct ordo_net_dtp_precision *precision, int nodes, int links)
{
    precision->nodes = nodes;
    precision->moved_fs = calloc((size_t)nodes, sizeof *precision->moved_fs);
    precision->neighbours = calloc((size_t)nodes * (size_t)nodes, sizeof *precision->neighbours);
    if (!precision->moved_fs || !precision->neighbours)
        return false;
    for (int i = 0; i < links; i++) {
        const struct ordo_net_link *link = ordo_net_phy_link(precision->phy, i);
        precision->neighbours[link->from * nodes + link->to] = true;
    }
    return true;
}

void ordo_net_dtp_precision_free(struct ordo_net_dtp_precision *precision)
{
    free(precision->moved_fs);
    free(precision->neighbours);
}

int64_t ordo_net_dtp_counter(const struct ordo_net_dtp_precision *precision, int node, int64_t true_fs)
{
    return precision->devices[node].global +
           ordo_net_oscillator_ticks(ordo_net_phy_oscillator(precision->phy, node), true_fs);
}

static int64_t lead_at(const struct ordo_net_dtp_precision *precision, int a, int b, int64_t true_fs)
{
    return ordo_net_dtp_counter(precision, a, true_fs) - ordo_net_dtp_counter(precision, b, true_fs);
}

/* Returns the largest lead of counter a over counter b within [from, until); neither is moved within this time. */
static int64_t lead(const struct ordo_net_dtp_precision *precision, int a, int b, int64_t from_fs, int64_t until_fs)
{
    const struct ordo_net_oscillator *ticks = ordo_net_phy_oscillator(precision->phy, a);
    int64_t first_fs = ordo_net_oscillator_at(ticks, ordo_net_oscillator_next(ticks, from_fs));
    int64_t last_fs = ordo_net_oscillator_at(ticks, ordo_net_oscillator_ticks(ticks, until_fs - 1));
    int64_t most = lead_at(precision, a, b, from_fs);
    if (first_fs < until_fs) /* P1: then a has a tick in the interval, and last_fs >= first_fs */
        most = ordo_max(most, ordo_max(lead_at(precision, a, b, first_fs), lead_at(precision, a, b, last_fs)));
    return most;
}

static void compare_devices(struct ordo_net_dtp_precision *precision, int a, int b, int64_t until_fs)
{
    int64_t from_fs = ordo_max(ordo_max(precision->moved_fs[a], precision->moved_fs[b]), precision->since_fs);
    if (from_fs >= until_fs)
        return;
    int64_t apart = ordo_max(lead(precision, a, b, from_fs, until_fs), lead(precision, b, a, from_fs, until_fs));
    precision->worst = ordo_max(precision->worst, apart);
    if (precision->neighbours[a * precision->nodes + b])
        precision->worst_neighbours = ordo_max(precision->worst_neighbours, apart);
    precision->violations += apart > precision->bound_ticks;
}

void ordo_net_dtp_precision_move(struct ordo_net_dtp_precision *precision, int node)
{
    int64_t now_fs = ordo_net_phy_now_fs(precision->phy);
    for (int other = 0; now_fs > precision->since_fs && other < precision->nodes; other++)
        if (other != node)
            compare_devices(precision, node, other, now_fs);
    precision->moved_fs[node] = now_fs;
}

void ordo_net_dtp_precision_end(struct ordo_net_dtp_precision *precision)
{
    for (int a = 0; a < precision->nodes; a++)
        for (int b = 0; b < a; b++)
            compare_devices(precision, a, b, ordo_net_phy_now_fs(precision->phy));
}
