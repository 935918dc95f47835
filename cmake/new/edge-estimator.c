/* Authors, paper, section, and the conditions under which the line is right. Here: a horizontal line halfway between
 * the smallest deltas of the two directions. It is right if the clocks do not drift, and the smallest delays of both
 * directions are equal. */
#include "net/offset/estimator.h"

static bool estimate_NAME(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                          struct ordo_net_line *line)
{
    int64_t above_ps = samples->forward[0].delta_ps, below_ps = samples->reverse[0].delta_ps;
    (void)hulls;
    for (size_t i = 1; i < samples->forwards; i++)
        above_ps = samples->forward[i].delta_ps < above_ps ? samples->forward[i].delta_ps : above_ps;
    for (size_t i = 1; i < samples->reverses; i++)
        below_ps = samples->reverse[i].delta_ps > below_ps ? samples->reverse[i].delta_ps : below_ps;
    line->offset_ps = ((double)above_ps + (double)below_ps) / 2;
    line->slope = 0;
    return true;
}

const struct ordo_net_offset_estimator ordo_net_offset_estimator_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .estimate = estimate_NAME,
};
