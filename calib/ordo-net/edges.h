/* The edges of a clock signal, from a list of numbers or from the output of a tool that records pulses. */
#ifndef ORDO_NET_EDGES_H
#define ORDO_NET_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct edges_options {
    const char *unit;   /* of a list: "s", "ms", "us", "ns" or "ps" */
    const char *source; /* take only the edges of this source; NULL: there must be only one */
    bool periods;       /* a list has periods, not times */
    bool clear;         /* take the trailing edges, if both are recorded */
};

/** The edge number i is at late_fs[i] + i * base_fs after the first one. So a signal of any length and rate fits. */
struct edges {
    int64_t *late_fs;
    size_t count;
    int64_t base_fs;  /* the median period */
    size_t missing;   /* number of pulses that are missing between two edges; the gap is closed */
    size_t ignored;   /* number of lines without an edge; 0 for a list */
    const char *form; /* name of the form, "list" for a list */
    char source[48];
};

/** True if the name is a unit of a list. */
bool edges_unit(const char *name);

/** Reads a file, or "-" for stdin. Finds out the form by the content. In a list, ignores blank lines, and text after a
 * '#'; every other line must be a number. In other forms, ignores lines without an edge and repeated edges.
 *
 * ORDO_E_INVALID: a line is wrong, its time is not after the preceding time, there are several sources, or no line is of
 *     a known form
 * ORDO_E_SYSTEM: the file cannot be read, or out of memory */
int edges_read(struct edges *edges, const char *path, const struct edges_options *options, struct ordo_error *error);
void edges_free(struct edges *edges);

#endif
