/* A comparison of clocks as CSV. */
#ifndef ORDO_COMMON_CLOCKS_CSV_H
#define ORDO_COMMON_CLOCKS_CSV_H

#include <stdio.h>

#include "machine/comparison/comparison.h"

/** Writes the comparison as CSV. Returns 0, or -1 if out of memory or if the stream failed. */
int clocks_write_csv(const struct ordo_comparison *comparison, FILE *stream);

#endif
