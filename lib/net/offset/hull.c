#include "net/offset/hull.h"

#include <math.h>
#include <stdlib.h>

/* True if b is no corner of the hull: for sign 1, b is on or above the line from a to c; for sign -1, on or below. */
static bool needless(struct ordo_net_point a, struct ordo_net_point b, struct ordo_net_point c, int sign)
{
    double to_b = (double)(b.delta_ps - a.delta_ps) * (double)(c.at_ps - a.at_ps);
    double to_c = (double)(c.delta_ps - a.delta_ps) * (double)(b.at_ps - a.at_ps);
    return sign * (to_b - to_c) >= 0;
}

/* Makes a hull. If two points have the same instant, keeps the point with the tighter bound. */
static bool make_hull(struct ordo_net_hull *hull, const struct ordo_net_point *points, size_t count, int sign)
{
    struct ordo_net_point *corner = hull->corner = calloc(count, sizeof *corner);
    size_t last = 0;
    for (size_t i = 0; corner && i < count; i++) {
        if (last > 0 && corner[last - 1].at_ps == points[i].at_ps) {
            if (sign * (points[i].delta_ps - corner[last - 1].delta_ps) >= 0)
                continue;
            last--;
        }
        while (last > 1 && needless(corner[last - 2], corner[last - 1], points[i], sign))
            last--;
        corner[last++] = points[i];
    }
    hull->corners = last;
    if (corner && last > 0 && (corner = realloc(hull->corner, last * sizeof *corner))) /* a hull has few corners */
        hull->corner = corner;
    return hull->corner;
}

bool ordo_net_hulls_make(struct ordo_net_hulls *hulls, const struct ordo_net_samples *samples)
{
    *hulls = (struct ordo_net_hulls){0};
    if (make_hull(&hulls->above, samples->forward, samples->forwards, 1) &&
        make_hull(&hulls->below, samples->reverse, samples->reverses, -1))
        return true;
    ordo_net_hulls_free(hulls);
    return false;
}

void ordo_net_hulls_free(struct ordo_net_hulls *hulls)
{
    free(hulls->above.corner);
    free(hulls->below.corner);
    *hulls = (struct ordo_net_hulls){0};
}

/* Returns the offset, at `at_ps`, of the line with this slope that touches the hull. */
static double touch(const struct ordo_net_hull *hull, int64_t at_ps, double slope, int sign)
{
    double best_ps = INFINITY;
    for (size_t i = 0; i < hull->corners; i++) {
        const struct ordo_net_point *corner = &hull->corner[i];
        best_ps = fmin(best_ps, sign * ((double)corner->delta_ps - slope * (double)(corner->at_ps - at_ps)));
    }
    return sign * best_ps;
}

static void try_slope(const struct ordo_net_hulls *hulls, double slope, struct ordo_net_line *line, double *half_ps)
{
    double above_ps = touch(&hulls->above, line->at_ps, slope, 1);
    double below_ps = touch(&hulls->below, line->at_ps, slope, -1);
    if (!((above_ps - below_ps) / 2 > *half_ps))
        return;
    *half_ps = (above_ps - below_ps) / 2;
    line->offset_ps = (above_ps + below_ps) / 2;
    line->slope = slope;
}

/* The width of the corridor is a concave, piecewise linear function of its slope. Its pieces meet at the slopes of the
 * hulls' sides, so one of these slopes is the best. */
struct ordo_net_line ordo_net_corridor(const struct ordo_net_hulls *hulls, int64_t at_ps, double *half_ps)
{
    const struct ordo_net_hull *each[] = {&hulls->above, &hulls->below};
    struct ordo_net_line line = {at_ps, 0, 0};
    *half_ps = -INFINITY;
    for (int k = 0; k < 2; k++)
        for (size_t i = 1; i < each[k]->corners; i++) {
            const struct ordo_net_point *a = &each[k]->corner[i - 1], *b = &each[k]->corner[i];
            try_slope(hulls, (double)(b->delta_ps - a->delta_ps) / (double)(b->at_ps - a->at_ps), &line, half_ps);
        }
    if (isinf(*half_ps)) /* both hulls have a single corner */
        try_slope(hulls, 0, &line, half_ps);
    return line;
}

/* Returns the tightest bound of a hull at an instant, without the error of the stamps: an upper bound for sign 1, a
 * lower bound for sign -1. */
static double allowed(const struct ordo_net_hull *hull, int64_t at_ps, const struct ordo_net_limits *limits, int sign)
{
    double best_ps = INFINITY;
    for (size_t i = 0; i < hull->corners; i++) {
        const struct ordo_net_point *b = &hull->corner[i], *a = b - 1;
        double after_ps = (double)(b->at_ps - at_ps);
        best_ps = fmin(best_ps, sign * (double)b->delta_ps + limits->rate * fabs(after_ps)); /* [H1] */
        if (i == 0 || a->at_ps > at_ps || b->at_ps < at_ps)
            continue;
        double before_ps = (double)(at_ps - a->at_ps), share = before_ps / (before_ps + after_ps);
        double mean_ps = sign * ((1 - share) * (double)a->delta_ps + share * (double)b->delta_ps);
        double bent_ps = limits->change * ((1 - share) * before_ps + share * after_ps);
        best_ps = fmin(best_ps, mean_ps + bent_ps); /* [H2] */
    }
    return sign * best_ps;
}

struct ordo_interval ordo_net_hulls_prove(const struct ordo_net_hulls *hulls, int64_t at_ps,
                                          const struct ordo_net_limits *limits)
{
    double high_ps = allowed(&hulls->above, at_ps, limits, 1), low_ps = allowed(&hulls->below, at_ps, limits, -1);
    return (struct ordo_interval){(int64_t)floor(low_ps) - limits->stamp_ps - 1,
                                  (int64_t)ceil(high_ps) + limits->stamp_ps + 1};
}
