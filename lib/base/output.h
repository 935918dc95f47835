/* What another program prints. */
#ifndef ORDO_BASE_OUTPUT_H
#define ORDO_BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/** Runs `arguments` (the program first, ending with NULL) and keeps what it prints on its standard output, cut to
 * `size` - 1 bytes and ended by a 0.
 *
 * A name without a slash is looked for in /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, whatever $PATH
 * is; of the environment nothing is passed on but LC_ALL=C. It has no standard input, and what it says on standard error
 * is lost. After `most_ns` it is killed, with all that it started. Returns the number of bytes; -1 where there is no such
 * program, it did not end in time, or its exit status is not 0. Not for a process that waits for any child (wait(2))
 * meanwhile. */
ptrdiff_t ordo_output_of(const char *const *arguments, int64_t most_ns, char *text, size_t size);

#endif
