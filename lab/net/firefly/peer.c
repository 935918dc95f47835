#include "lab/net/firefly/peer.h"

#include "base/spread.h"

void ordo_net_firefly_hear(struct ordo_net_firefly_peer *peer, const struct ordo_net_firefly_answer *answer)
{
    int place = peer->answers < ORDO_NET_FIREFLY_KEPT ? peer->answers++ : ORDO_NET_FIREFLY_KEPT;
    for (; place > 0 && peer->kept[place - 1].rtt_ps > answer->rtt_ps; place--)
        if (place < ORDO_NET_FIREFLY_KEPT)
            peer->kept[place] = peer->kept[place - 1];
    if (place < ORDO_NET_FIREFLY_KEPT)
        peer->kept[place] = *answer;
}

static const struct ordo_net_firefly_answer *median_answer(const struct ordo_net_firefly_peer *peer)
{
    for (int i = 0; i < peer->answers; i++) {
        int below = 0;
        for (int other = 0; other < peer->answers; other++)
            below += peer->kept[other].offset_ps < peer->kept[i].offset_ps ||
                     (peer->kept[other].offset_ps == peer->kept[i].offset_ps && other < i);
        if (below == (peer->answers - 1) / 2)
            return &peer->kept[i];
    }
    return &peer->kept[0];
}

/* Returns the slope of the past offsets by least squares. Computes relative to the last point, so that large numbers
 * lose no digits. */
static double slope_of(const struct ordo_net_firefly_peer *peer)
{
    int count = peer->rounds < ORDO_NET_FIREFLY_PAST ? peer->rounds : ORDO_NET_FIREFLY_PAST;
    int64_t origin_ps = peer->past[(peer->rounds - 1) % ORDO_NET_FIREFLY_PAST].at_ps;
    double x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
    for (int i = 0; i < count; i++) {
        double x = (double)(peer->past[i].at_ps - origin_ps), y = peer->past[i].offset_ps - peer->past[0].offset_ps;
        x_sum += x;
        y_sum += y;
        xx_sum += x * x;
        xy_sum += x * y;
    }
    double spread = count * xx_sum - x_sum * x_sum;
    return count < 3 || !(spread > 0) ? 0 : (count * xy_sum - x_sum * y_sum) / spread;
}

bool ordo_net_firefly_listen(struct ordo_net_firefly_peer *peer, struct ordo_net_firefly_answer *answer, double *drift)
{
    if (peer->answers == 0)
        return false;
    *answer = *median_answer(peer);
    int place = peer->rounds++ % ORDO_NET_FIREFLY_PAST;
    peer->past[place].at_ps = answer->at_ps;
    peer->past[place].offset_ps = answer->offset_ps;
    peer->answers = 0;
    *drift = slope_of(peer);
    return true;
}

double ordo_net_firefly_mean(double *values, int count)
{
    int cut = count / 4;
    ordo_stats_sort(values, (size_t)count);
    return ordo_stats_spread(values + cut, (size_t)(count - 2 * cut)).mean;
}
