#include "calibrate/record/calibration.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct ordo_calibration *ordo_calibration_new(int count)
{
    struct ordo_calibration *calibration = calloc(1, sizeof *calibration);
    size_t n = (size_t)count;
    if (!calibration)
        return NULL;
    calibration->clock = ORDO_CLOCK_ID;
    calibration->count = count;
    calibration->cpus = calloc(n, sizeof *calibration->cpus);
    calibration->share = calloc(n * n, sizeof *calibration->share);
    calibration->delta_ticks = calloc(n * n, sizeof *calibration->delta_ticks);
    calibration->offset_ticks = calloc(n * n, sizeof *calibration->offset_ticks);
    calibration->places = calloc(n, sizeof *calibration->places);
    calibration->correction_ticks = calloc(n, sizeof *calibration->correction_ticks);
    if (calibration->cpus && calibration->share && calibration->delta_ticks && calibration->offset_ticks &&
        calibration->places && calibration->correction_ticks)
        return calibration;
    ordo_calibration_free(calibration);
    return NULL;
}

void ordo_calibration_free(struct ordo_calibration *calibration)
{
    if (!calibration)
        return;
    free(calibration->cpus);
    free(calibration->share);
    free(calibration->delta_ticks);
    free(calibration->offset_ticks);
    free(calibration->places);
    free(calibration->correction_ticks);
    free(calibration->visits);
    free(calibration);
}

void ordo_calibration_warn(struct ordo_calibration *calibration, const char *format, ...)
{
    enum { MOST = sizeof calibration->warnings / sizeof *calibration->warnings };
    va_list arguments;
    int count = calibration->warning_count, same = 0;
    if (count == MOST)
        return;
    va_start(arguments, format);
    (void)vsnprintf(calibration->warnings[count], sizeof *calibration->warnings, format, arguments);
    va_end(arguments);
    while (strcmp(calibration->warnings[same], calibration->warnings[count]) != 0)
        same++;
    calibration->warning_count += same == count;
    if (same < count)
        calibration->warnings[count][0] = '\0';
}

double ordo_calibration_ns(const struct ordo_calibration *calibration, int64_t ticks)
{
    return (double)ticks * 1e9 / calibration->tick_hz;
}

int64_t ordo_calibration_worst_offset(const struct ordo_calibration *calibration, int *a, int *b)
{
    int64_t worst = 0;
    for (int i = 0; i < calibration->count; i++)
        for (int j = 0; j < calibration->count; j++) {
            int64_t at_least = calibration->offset_ticks[i * calibration->count + j].low;
            if (i != j && at_least > worst) {
                worst = at_least;
                *a = i;
                *b = j;
            }
        }
    return worst;
}
