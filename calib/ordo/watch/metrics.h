/* Metrics for a monitoring system: Prometheus text in a file that is replaced as a whole. */
#ifndef ORDO_WATCH_METRICS_H
#define ORDO_WATCH_METRICS_H

#include <stdint.h>

#include "base/error.h"

/** The possible verdicts. */
enum verdict { VERDICT_VALID, VERDICT_DISRUPTED, VERDICT_MISSING, VERDICTS };

struct metrics {
    enum verdict verdict;
    int trust; /* enum ordo_trust_class of the clock now */
    uint64_t boundary_ticks, generation;
    double boundary_s, age_s;
    unsigned worst_a, worst_b; /* the pair with the largest possible offset */
    double worst_s;            /* the largest possible offset of this pair, by the latest looks */
    double drift_ppb;          /* magnitude of the largest drift, likely or proved; 0: no drift */
    double left_s;             /* time until a pair's offset reaches the boundary; infinite: never */
    uint64_t looks, unanswered, walks, disruptions, calibrations, refusals, warnings, troubles;
    double share, cpu_s, uptime_s; /* `share`: of one core, used for watching; `asked`: the share that was requested */
    double asked;
    double seen_s; /* CLOCK_REALTIME at which these metrics were collected */
};

/** Replaces the file `path`. */
int metrics_write(const struct metrics *metrics, const char *path, struct ordo_error *error);

#endif
