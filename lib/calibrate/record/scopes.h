/* The caches, packages and nodes of a calibration or a record, each with the boundary of its own pairs. */
#ifndef ORDO_CALIBRATE_RECORD_SCOPES_H
#define ORDO_CALIBRATE_RECORD_SCOPES_H

#include <stdint.h>

#include <ordo/scope.h>

#include "calibrate/record/calibration.h"

/** The data from which scopes are computed: n CPUs in ascending order, their distances and their deltas. */
struct ordo_scopes {
    int count;
    const unsigned *cpus;
    const struct ordo_place *places;
    const int64_t *delta_ticks;
    int64_t added_ticks; /* granule and margin */
};

struct ordo_scope_found {
    const char *kind; /* "l3", "package", "numa" */
    const unsigned *cpus;
    int count;
    int64_t boundary_ticks; /* 0: some pairs of the scope were not measured */
};

/** Calls `visit` for each scope, ordered by kind and then by first CPU, until a call returns a value other than 0.
 * Returns this value; 0 if there was none; -1 if out of memory. */
int ordo_scopes_visit(const struct ordo_scopes *scopes,
                      int (*visit)(void *context, const struct ordo_scope_found *scope), void *context);

/** Returns the scope data of a calibration. */
struct ordo_scopes ordo_scopes_of(const struct ordo_calibration *calibration);

#endif
