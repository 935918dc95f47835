/* Which boundary a command measures with: a record's, or the one of --boundary, or none. */
#ifndef BENCH_BOUNDARY_H
#define BENCH_BOUNDARY_H

#include <ordo/any.h>

#include "options.h"

enum bench_boundary_source {
    BENCH_BOUNDARY_NONE, /* the handle orders nothing: no call may wait with it */
    BENCH_BOUNDARY_OPTION,
    BENCH_BOUNDARY_RECORD
};

struct bench_boundary {
    struct ordo handle;              /* as ordo_open left it, or with a constant boundary */
    struct ordo_corrected corrected; /* of the same record; orders nothing if it cannot be opened: */
    struct ordo_error uncorrected;   /* why */
    struct ordo_any any;    /* the clock of the stamp any, with its own boundary; orders nothing if there is none: */
    struct ordo_error none; /* why */
    enum bench_boundary_source source;
};

/** Takes --boundary, else opens a record, for the scope of --scope around the CPUs of the run. A refused record is an error only if
 * --record names it; otherwise the source is NONE and `error` says why. If its scope cannot be opened, no other record is tried. */
int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error);

/** Requires a boundary. Without one `error`, which states the refusal at the opening, also gets the remedy. */
int bench_boundary_require(const struct bench_boundary *boundary, struct ordo_error *error);

/** Whether corrected times can be measured; else `error` says why not. */
int bench_boundary_check_corrected(const struct bench_boundary *boundary, struct ordo_error *error);

/** Whether the stamp any has a clock; else `error` says why not. */
int bench_boundary_check_any(const struct bench_boundary *boundary, struct ordo_error *error);

/** What a stamp watches, with its own boundary: the handle of corrected times or of any; NULL for all others. */
const struct ordo *bench_boundary_watch(const struct bench_boundary *boundary, const char *stamp);

/** Whether times of this stamp are compared with a measured boundary. */
bool bench_boundary_bounds(const char *stamp);

void bench_boundary_close(struct bench_boundary *boundary);

/** "record", "option", or NULL for none. */
const char *bench_boundary_word(enum bench_boundary_source source);

#endif
