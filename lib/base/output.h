/* The output of another program. */
#ifndef ORDO_BASE_OUTPUT_H
#define ORDO_BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/** Runs a program and stores its standard output in `text`, truncated to `size` - 1 bytes and terminated by NUL.
 * `arguments` begins with the program's name and ends with NULL.
 *
 * A name without a slash is searched in /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin, independently of
 * $PATH. The program's environment contains only LC_ALL=C. Its standard input is empty, and its standard error is
 * dropped. After `most_ns` nanoseconds the program is killed together with all processes that it started. Do not call
 * this function while another thread waits for any child (wait(2)). Returns the number of bytes; -1 if there is no such
 * program, if it did not end in time, or if its exit status is not 0. */
ptrdiff_t ordo_output_of(const char *const *arguments, int64_t most_ns, char *text, size_t size);

#endif
