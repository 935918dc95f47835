/* A comparison of clocks as a picture. */
#ifndef ORDO_COMMON_CLOCKS_SVG_H
#define ORDO_COMMON_CLOCKS_SVG_H

#include <stdio.h>

#include "machine/comparison/comparison.h"

/** Draws a picture with gnuplot: the distribution of the offsets and the Allan deviations. */
int clocks_write_svg(const struct ordo_comparison *comparison, FILE *stream, struct ordo_error *error);

#endif
