#include "cluster/sync/drift.h"

#include <math.h>
#include <stdlib.h>

#include "base/regression.h"
#include "cluster/sync/link.h"
#include "cluster/transport/tags.h"

/* Measures this rank against rank 0, and sends the result to it. */
static int measure_own(struct ordo_transport *t, int pingpong)
{
    struct ordo_fit_point fit;
    int64_t granule_ns;
    int code = ordo_link_measure_once(t, 0, pingpong, &fit, &granule_ns);
    const struct ordo_drift_point point = {.at_ns = fit.offset.at_ns,
                                           .offset_ns = fit.offset.offset_ns,
                                           .low_ns = -fit.visit.delta_ba - granule_ns,
                                           .high_ns = fit.visit.delta_ab + granule_ns};
    return code ? code : t->send(t, 0, ORDO_TAG_CHECK, &point, sizeof point);
}

int ordo_sync_offsets(struct ordo_transport *t, int pingpong, struct ordo_drift_point *points)
{
    int code = ORDO_OK;
    if (t->rank != 0)
        return measure_own(t, pingpong);
    points[0] = (struct ordo_drift_point){.at_ns = t->now_ns(t)};
    for (int rank = 1; rank < t->size && !code; rank++) {
        code = ordo_link_serve_once(t, rank, pingpong);
        code = code ? code : t->receive(t, rank, ORDO_TAG_CHECK, &points[rank], sizeof *points);
    }
    return code;
}

/* Sets the share of the variance that the line explains, and the largest distance. */
static void judge_line(struct ordo_drift_line *line, const double *x, const double *y, double at_zero, double mean)
{
    double rest = 0, total = 0;
    for (int i = 0; i < line->points; i++) {
        double distance = y[i] - (at_zero + line->slope_ppb * x[i]);
        rest += distance * distance;
        total += (y[i] - mean) * (y[i] - mean);
        line->residual_ns = fmax(line->residual_ns, fabs(distance));
    }
    line->r_squared = line->points > 2 && total > 0 ? 1 - rest / total : NAN;
}

int ordo_drift_fit(const struct ordo_drift_point *points, int count, int step, double most_s,
                   struct ordo_drift_line *line)
{
    double *x = calloc((size_t)count + 1, 2 * sizeof *x), *y = x ? x + count : NULL;
    *line = (struct ordo_drift_line){0};
    if (!x)
        return ORDO_E_SYSTEM;
    for (int i = 0; i < count; i++) {
        double at_s = (double)(points[i * step].at_ns - points[0].at_ns) / 1e9;
        if (at_s > most_s)
            break;
        x[i] = at_s;
        y[i] = (double)(points[i * step].offset_ns - points[0].offset_ns);
        line->points++;
    }
    struct ordo_line fit = ordo_stats_line(x, y, (size_t)line->points);
    line->offset_ns = (double)points[0].offset_ns + fit.at_zero;
    line->slope_ppb = fit.slope;
    judge_line(line, x, y, fit.at_zero, fit.mean_y);
    if (line->points < 2)
        line->slope_ppb = NAN;
    free(x);
    return ORDO_OK;
}
