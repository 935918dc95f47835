/* Times of a clock's edges, from a file: a number in ps on each line, with up to three decimals. */
#ifndef ORDO_LAB_EDGES_H
#define ORDO_LAB_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct edges {
    int64_t *fs;
    size_t count, room;
};

/** Reads a file, or "-" for stdin. With `periods` the numbers are periods, and the first edge is at 0. Ignores blank
 * lines, and text after a '#'.
 *
 * ORDO_E_INVALID: a line is wrong, or its time is not after the preceding time.
 * ORDO_E_SYSTEM: the file cannot be read, or out of memory. */
int edges_read(struct edges *edges, const char *path, bool periods, struct ordo_error *error);
void edges_free(struct edges *edges);

#endif
