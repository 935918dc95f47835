/* Pictures drawn by the program gnuplot. */
#ifndef ORDO_COMMON_GNUPLOT_H
#define ORDO_COMMON_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"

/** Writes a string in gnuplot's syntax: within single quotes only the quote is special. */
void gnuplot_quote(FILE *script, const char *text);

/** Runs gnuplot on a script, a written file, and writes the drawing to `output` once it is complete. ORDO_E_MISSING:
 * gnuplot is not installed. */
int gnuplot_draw(FILE *script, FILE *output, struct ordo_error *error);

#endif
