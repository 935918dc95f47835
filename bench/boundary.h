/* The source of the boundary that a command measures with: a record, --boundary, or none. */
#ifndef BENCH_BOUNDARY_H
#define BENCH_BOUNDARY_H

#include <ordo/any.h>

#include "options.h"

enum bench_boundary_source {
    BENCH_BOUNDARY_NONE, /* the boundary is infinite: no call may wait for it */
    BENCH_BOUNDARY_OPTION,
    BENCH_BOUNDARY_RECORD
};

struct bench_boundary {
    struct ordo handle;              /* as ordo_open left it, or with a constant boundary */
    struct ordo_corrected corrected; /* of the same record; infinite if it cannot be opened */
    struct ordo_error uncorrected;   /* why `corrected` cannot be opened */
    struct ordo_any any;             /* the clock of the stamp any; its boundary is infinite if it cannot be opened */
    struct ordo_error none;          /* why `any` cannot be opened */
    enum bench_boundary_source source;
};

/** Sets the boundary: of --boundary if given, else of a record, restricted to the scope of --scope around the CPUs of
 * the run. If the record is refused or its scope cannot be opened, no other record is tried:
 * - with --record or --scope, the call fails unless the clock of the stamp any could be opened;
 * - otherwise it succeeds, the source is NONE, and `error` says why. */
int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error);

/** Checks that there is a boundary. If not, returns the code of the failed opening, and appends the remedy to its
 * message in `error`. */
int bench_boundary_require(const struct bench_boundary *boundary, struct ordo_error *error);

/** Returns ORDO_OK if corrected times can be measured; otherwise a code, with the reason in `error`. */
int bench_boundary_check_corrected(const struct bench_boundary *boundary, struct ordo_error *error);

/** Returns ORDO_OK if the stamp any has a clock; otherwise a code, with the reason in `error`. */
int bench_boundary_check_any(const struct bench_boundary *boundary, struct ordo_error *error);

/** Returns the handle whose status `stamp` must watch: of corrected times, or of the stamp any. NULL for all other
 * stamps. */
const struct ordo *bench_boundary_watch(const struct bench_boundary *boundary, const char *stamp);

/** True if times of this stamp are compared with a measured boundary. */
bool bench_boundary_bounds(const char *stamp);

void bench_boundary_close(struct bench_boundary *boundary);

/** Returns the source as a word of the result: "record", "option", or NULL for BENCH_BOUNDARY_NONE. */
const char *bench_boundary_word(enum bench_boundary_source source);

#endif
