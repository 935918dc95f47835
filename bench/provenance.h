/* What a result depends on besides the code: machine, build, boundary, effort. */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

#include <stdio.h>

#include "boundary.h"
#include "machine.h"
#include "options.h"
#include "json/builder.h"

/** The "provenance" object of the schema; NULL when out of memory. */
struct ordo_json bench_provenance_json(const struct bench_machine *machine, const struct bench_options *options,
                                       const struct bench_boundary *boundary);

/** The same for people, in a few lines. */
void bench_provenance_print(const struct bench_machine *machine, const struct bench_options *options,
                            const struct bench_boundary *boundary, FILE *stream);

#endif
