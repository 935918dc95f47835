/* A span of time on the command line: a number and its unit, such as 100us, 1.5ms or 2s. */
#ifndef ORDO_NET_SPAN_H
#define ORDO_NET_SPAN_H

#include <stdint.h>

/** Returns the span in ns, rounded up. -1: the text is no span from `least_ns` to `most_ns`. */
int64_t span_of(const char *text, int64_t least_ns, int64_t most_ns);

#endif
