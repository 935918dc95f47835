/* The mean of two least-squares lines, one through the points of each direction. Every probe counts, even if it waited
 * in a queue. */
#include <stdlib.h>

#include "base/regression.h"
#include "net/offset/estimator.h"

/* Fits a least-squares line. Subtracts the first point's delta before, so that the doubles lose no digits. */
static bool fit_least_squares(const struct ordo_net_point *points, size_t count, int64_t at_ps,
                              struct ordo_net_line *line)
{
    double *x = calloc(count, 2 * sizeof *x);
    if (!x)
        return false;
    double *y = x + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)(points[i].at_ps - at_ps);
        y[i] = (double)(points[i].delta_ps - points[0].delta_ps);
    }
    struct ordo_line fitted = ordo_stats_line(x, y, count);
    *line = (struct ordo_net_line){at_ps, fitted.at_zero + (double)points[0].delta_ps, fitted.slope};
    free(x);
    return true;
}

static bool estimate_ols(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                         struct ordo_net_line *line)
{
    struct ordo_net_line above, below;
    (void)hulls;
    if (!fit_least_squares(samples->forward, samples->forwards, line->at_ps, &above) ||
        !fit_least_squares(samples->reverse, samples->reverses, line->at_ps, &below))
        return false;
    line->offset_ps = (above.offset_ps + below.offset_ps) / 2;
    line->slope = (above.slope + below.slope) / 2;
    return true;
}

const struct ordo_net_offset_estimator ordo_net_offset_estimator_ols = {
    .name = "ols",
    .title = "least squares through both directions",
    .estimate = estimate_ols,
};
