/* A comparison of clocks as JSON. */
#ifndef ORDO_COMMON_CLOCKS_JSON_H
#define ORDO_COMMON_CLOCKS_JSON_H

#include <stdio.h>

#include "common/clocks_ranks.h"
#include "machine/comparison/comparison.h"

/** Writes the comparison as JSON. Returns 0, or -1 if out of memory or if the stream failed. */
int clocks_write_json(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);

#endif
