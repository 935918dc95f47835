/* Writes a file of spans again, with other times. */
#ifndef ORDO_TRACE_SPANS_WRITE_H
#define ORDO_TRACE_SPANS_WRITE_H

#include <stdio.h>

#include "trace/spans/spans.h"

/** Copies a file, and replaces its times by those of the edits. The times of Jaeger and Zipkin are rounded down to
 * whole microseconds, begins and ends alike, so that an order of two times stays. Returns 0 or a negative code. */
int ordo_spans_copy(const struct ordo_spans *spans, const char *path, FILE *stream, struct ordo_error *error);

#endif
