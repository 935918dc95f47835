/* Pictures, drawn by the program gnuplot. */
#ifndef ORDO_COMMON_GNUPLOT_H
#define ORDO_COMMON_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"

/** Writes a string as gnuplot reads it: nothing in single quotes is special but the quote. */
void gnuplot_quote(FILE *script, const char *text);

/** Runs gnuplot on a script, a file that was written, and writes what it draws to `output` once it is whole.
 * ORDO_E_MISSING: there is no gnuplot here. */
int gnuplot_draw(FILE *script, FILE *output, struct ordo_error *error);

#endif
