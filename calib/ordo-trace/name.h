/* Names of a trace, which are from anywhere, on a terminal and in CSV. */
#ifndef ORDO_TRACE_NAME_H
#define ORDO_TRACE_NAME_H

#include "trace/event/event.h"

/** Prints its first `width` letters, filled up with spaces. What is no letter becomes a question mark: a terminal obeys
 * control characters. */
void name_print(struct ordo_text name, int width);

/** Prints it in quotes, as a field of CSV. */
void name_print_csv(struct ordo_text name);

#endif
