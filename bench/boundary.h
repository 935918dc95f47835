/* Which boundary a command measures with: a record's, or the one of --boundary, or none. */
#ifndef BENCH_BOUNDARY_H
#define BENCH_BOUNDARY_H

#include <ordo/ordo.h>

#include "options.h"

enum bench_boundary_source {
    BENCH_BOUNDARY_NONE, /* the handle orders nothing: no call may wait with it */
    BENCH_BOUNDARY_OPTION,
    BENCH_BOUNDARY_RECORD
};

struct bench_boundary {
    struct ordo handle; /* as ordo_open left it, or with a constant boundary */
    enum bench_boundary_source source;
};

/** Takes --boundary, else opens a record. A record that --record names and that is refused is an error; one that was
 * only looked for is not: then the source is NONE and `error` says why. */
int bench_boundary_open(struct bench_boundary *boundary, const struct bench_options *options, struct ordo_error *error);

void bench_boundary_close(struct bench_boundary *boundary);

/** "record", "option", or NULL for none. */
const char *bench_boundary_word(enum bench_boundary_source source);

#endif
