/* The drift of the ranks' clocks: how far each is from the clock of rank 0 over time, and how straight that line is. Global
 * clocks are lines that are extrapolated, so they are as good as the drift is linear (Hunold and Carpen-Amarie, CLUSTER
 * 2018, Section III.C and Figure 2). */
#ifndef ORDO_CLUSTER_SYNC_DRIFT_H
#define ORDO_CLUSTER_SYNC_DRIFT_H

#include "cluster/transport/transport.h"

/** One measurement of the offset of a rank's clock to that of rank 0 (offset = the rank's minus rank 0's). */
struct ordo_drift_point {
    int64_t at_ns;           /* the instant, on the rank's clock */
    int64_t offset_ns;       /* estimate */
    int64_t low_ns, high_ns; /* certain bounds */
};

/** Collective: rank 0 measures all other ranks, one after another, by `pingpong` exchanges with each. `points`, for one
 * point a rank, is used on rank 0 only; the point of rank 0 is its time and an offset of 0. Returns 0 or ORDO_E_SYSTEM. */
int ordo_sync_offsets(struct ordo_transport *transport, int pingpong, struct ordo_drift_point *points);

/** A line through offsets over time. */
struct ordo_drift_line {
    int points;
    double offset_ns; /* at the first point */
    double slope_ppb; /* change of the offset; NaN with one point */
    double
        r_squared; /* share of the offsets' variance that the line explains; NaN if they are equal, or with two points */
    double residual_ns; /* largest distance of a point from the line */
};

/** Fits a line to the points of one rank that are at most `most_s` seconds after the first; `step` points apart in the
 * array. ORDO_E_SYSTEM: out of memory. */
int ordo_drift_fit(const struct ordo_drift_point *points, int count, int step, double most_s,
                   struct ordo_drift_line *line);

#endif
