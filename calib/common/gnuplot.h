/* Draws pictures with the program gnuplot. */
#ifndef ORDO_COMMON_GNUPLOT_H
#define ORDO_COMMON_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"

/** Writes a string literal of gnuplot, in single quotes. A quote inside is the only character to be escaped. */
void gnuplot_quote(FILE *script, const char *text);

/** Runs gnuplot on a file with a script. Writes the picture to `output` only when it is complete. ORDO_E_MISSING:
 * gnuplot is not installed. */
int gnuplot_draw(FILE *script, FILE *output, struct ordo_error *error);

#endif
