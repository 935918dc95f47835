/* The output of another program. */
#ifndef ORDO_BASE_OUTPUT_H
#define ORDO_BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/** Runs `arguments` (the program first, ending with NULL) and keeps its standard output, cut to `size` - 1 bytes and
 * ended by a 0.
 *
 * A name without a slash is searched in /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, whatever $PATH
 * is; the environment of the program is LC_ALL=C alone. It has no standard input, and its standard error is dropped.
 * After `most_ns` it is killed, with all processes that it started. Do not call this while the process waits for any
 * child (wait(2)). Returns the number of bytes; -1 if there is no such program, it did not end in time, or its exit
 * status is not 0. */
ptrdiff_t ordo_output_of(const char *const *arguments, int64_t most_ns, char *text, size_t size);

#endif
