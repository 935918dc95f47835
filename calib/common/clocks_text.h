/* A comparison of clocks as text. */
#ifndef ORDO_COMMON_CLOCKS_TEXT_H
#define ORDO_COMMON_CLOCKS_TEXT_H

#include <stdio.h>

#include "common/clocks_ranks.h"
#include "machine/comparison/comparison.h"

/** Writes the comparison as text. Returns 0, or -1 if out of memory or if the stream failed. */
int clocks_write_text(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);

#endif
