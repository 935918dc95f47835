/* The programs of the project, as parts of a figure. */
#ifndef ORDO_LAB_FIGURES_PROGRAM_H
#define ORDO_LAB_FIGURES_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "json/reader.h"

/** Runs a program, and reads the JSON document that it prints. `arguments` begins with a name, which is searched in the
 * folder of this program first, and ends with NULL; there are at most 60. The exit statuses 0 and 1 (the property fails)
 * count as success. The caller frees `*document` with ordo_json_free. Returns
 *
 * - ORDO_OK;
 * - ORDO_E_MEASURE: the program failed, did not end in 5 minutes, or printed no document;
 * - ORDO_E_SYSTEM: out of memory. */
int ordo_figure_program(const char *const *arguments, struct ordo_json_value **document, struct ordo_error *error);

#endif
