/* Prints names from a trace, which may contain any bytes, on a terminal and in CSV. */
#ifndef ORDO_TRACE_NAME_H
#define ORDO_TRACE_NAME_H

#include "trace/event/event.h"

/** Prints the first `width` letters of a name, padded with spaces. Other characters become question marks, because a
 * terminal obeys control characters. */
void name_print(struct ordo_text name, int width);

/** Prints a name in quotes, as a field of CSV. */
void name_print_csv(struct ordo_text name);

#endif
