/* Figures for a monitoring system: Prometheus text in a file that is replaced whole. */
#ifndef ORDO_WATCH_METRICS_H
#define ORDO_WATCH_METRICS_H

#include <stdint.h>

#include "base/error.h"

/** What a verdict can be. */
enum verdict { VERDICT_VALID, VERDICT_DISRUPTED, VERDICT_MISSING, VERDICTS };

struct metrics {
    enum verdict verdict;
    int trust; /* enum ordo_trust_class of the clock now */
    uint64_t boundary_ticks, generation;
    double boundary_s, age_s;
    unsigned worst_a, worst_b; /* the pair whose clocks may be furthest apart */
    double worst_s;            /* by how much at most, by the latest looks */
    double drift_ppb;          /* the largest that is likely or proved, without its sign; 0: none */
    double left_s;             /* until it reaches the boundary; infinite: never */
    uint64_t looks, unanswered, walks, disruptions, calibrations, refusals, warnings, troubles;
    double share, cpu_s, uptime_s; /* share of one core used for watching; what it was asked to be is `asked` */
    double asked;
    double seen_s; /* CLOCK_REALTIME of the last round */
};

/** Replaces the file `path`. */
int metrics_write(const struct metrics *metrics, const char *path, struct ordo_error *error);

#endif
