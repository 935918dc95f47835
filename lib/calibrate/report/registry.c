#include <stdlib.h>
#include <string.h>

#include "base/quantile.h"
#include "calibrate/report/report.h"

const struct ordo_report *ordo_report_find(const char *name)
{
    for (const struct ordo_report *const *report = ordo_reports; *report; report++)
        if (strcmp((*report)->name, name) == 0)
            return *report;
    return NULL;
}

struct ordo_class_summary ordo_report_class(const struct ordo_calibration *calibration, int distance)
{
    size_t n = (size_t)calibration->count, deltas = 0;
    struct ordo_class_summary summary = {0};
    int64_t *values = malloc((n * n + 1) * sizeof *values);
    if (!values)
        return summary;
    for (size_t i = 0; i < n * n; i++)
        if (calibration->delta_ticks[i] != ORDO_DELTA_NONE && calibration->share[i] == distance)
            values[deltas++] = calibration->delta_ticks[i];
    if (deltas > 0) {
        summary.pairs = (int)(deltas / 2);
        summary.median = ordo_stats_median_int(values, deltas); /* sorts */
        summary.min = values[0];
        summary.max = values[deltas - 1];
    }
    free(values);
    return summary;
}
