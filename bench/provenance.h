/* The provenance of a result: machine, build, boundary, and duration of the measurement. */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

#include <stdio.h>

#include "boundary.h"
#include "machine.h"
#include "options.h"
#include "json/builder.h"

/** Returns the "provenance" object of the schema; NULL if out of memory. */
struct ordo_json bench_provenance_json(const struct bench_machine *machine, const struct bench_options *options,
                                       const struct bench_boundary *boundary);

/** Prints the provenance as text, in a few lines. */
void bench_provenance_print(const struct bench_machine *machine, const struct bench_options *options,
                            const struct bench_boundary *boundary, FILE *stream);

#endif
