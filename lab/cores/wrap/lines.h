/* The report of a run with --lines: the cache lines that cost most, with addresses of the program, which `ordo-lab cores
 * lines` resolves. */
#ifndef ORDO_LAB_CORES_WRAP_LINES_H
#define ORDO_LAB_CORES_WRAP_LINES_H

#include "base/error.h"

/** Writes the report to a file. */
int cores_lines_write(const char *path, struct ordo_error *error);

#endif
