/* The clock filter of NTP (D. L. Mills, RFC 5905, section 10): in each half of the window, finds the forward and the
 * reverse probe that together took the shortest time, and takes the mean of their deltas as the offset. The estimate is
 * the line through the two offsets. */
#include "net/offset/estimator.h"

/* The best pair of a search: a forward and a reverse point, adjacent in time, with the smallest difference of
 * deltas. */
struct shortest {
    double at_ps, offset_ps;
    int64_t rtt_ps;
};

static void look_at(struct shortest *shortest, const struct ordo_net_point *there, const struct ordo_net_point *back)
{
    int64_t rtt_ps = there->delta_ps - back->delta_ps;
    if (rtt_ps >= shortest->rtt_ps)
        return;
    shortest->rtt_ps = rtt_ps;
    shortest->at_ps = ((double)there->at_ps + (double)back->at_ps) / 2;
    shortest->offset_ps = ((double)there->delta_ps + (double)back->delta_ps) / 2;
}

/* Searches the forward points up to `until_ps`. Begins at the positions `*forward` and `*reverse`, at which the last
 * search ended. */
static struct shortest search(const struct ordo_net_samples *samples, int64_t until_ps, size_t *forward,
                              size_t *reverse)
{
    struct shortest shortest = {0, 0, INT64_MAX};
    for (; *forward < samples->forwards && samples->forward[*forward].at_ps <= until_ps; ++*forward) {
        while (*reverse + 1 < samples->reverses && samples->reverse[*reverse].at_ps < samples->forward[*forward].at_ps)
            ++*reverse;
        look_at(&shortest, &samples->forward[*forward], &samples->reverse[*reverse]);
    }
    return shortest;
}

static bool estimate_min_rtt(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                             struct ordo_net_line *line)
{
    size_t forward = 0, reverse = 0;
    struct shortest first = search(samples, line->at_ps, &forward, &reverse);
    struct shortest second = search(samples, INT64_MAX, &forward, &reverse);
    (void)hulls;
    if (first.rtt_ps == INT64_MAX)
        first = second;
    if (second.rtt_ps == INT64_MAX)
        second = first;
    double apart_ps = second.at_ps - first.at_ps;
    line->slope = apart_ps > 0 ? (second.offset_ps - first.offset_ps) / apart_ps : 0;
    line->offset_ps = first.offset_ps + line->slope * ((double)line->at_ps - first.at_ps);
    return true;
}

const struct ordo_net_offset_estimator ordo_net_offset_estimator_min_rtt = {
    .name = "min-rtt",
    .title = "the probes there and back that took the shortest time together",
    .estimate = estimate_min_rtt,
};
