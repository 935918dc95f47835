#include "net/offset/cone.h"

#include <math.h>

/* Returns the tightest bound of all points, without the error of the stamps: an upper bound for sign 1, a lower bound
 * for sign -1. */
static double allowed(const struct ordo_net_point *points, size_t count, int64_t at_ps, double rate, int sign)
{
    double best_ps = INFINITY;
    for (size_t i = 0; i < count; i++)
        best_ps = fmin(best_ps,
                       sign * (double)points[i].delta_ps + rate * fabs((double)(points[i].at_ps - at_ps))); /* [H1] */
    return sign * best_ps;
}

struct ordo_interval ordo_net_cones_prove(const struct ordo_net_samples *samples, int64_t at_ps,
                                          const struct ordo_net_limits *limits)
{
    double high_ps = allowed(samples->forward, samples->forwards, at_ps, limits->rate, 1);
    double low_ps = allowed(samples->reverse, samples->reverses, at_ps, limits->rate, -1);
    return (struct ordo_interval){(int64_t)floor(low_ps) - limits->stamp_ps - 1,
                                  (int64_t)ceil(high_ps) + limits->stamp_ps + 1};
}
