/* Metrics for a monitoring system: the text format of Prometheus, which the textfile collector of node_exporter reads.
 *
 * The name of a counter ends with `_total` in its type as well as in its samples. OpenMetrics leaves `_total` out of
 * the type; the collector would then find samples without a type. */
#ifndef ORDO_COMMON_GAUGES_H
#define ORDO_COMMON_GAUGES_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/** Writes the description of a name, before its first sample; `unit` "": none. */
void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help);
void cli_counter_head(FILE *stream, const char *name, const char *unit, const char *help);

/** Writes a value and the end of its line, in the fewest digits from which a reader obtains the same double. */
void cli_gauge_value(FILE *stream, double value);

/** Writes the head and the one sample of a name. */
void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value);
void cli_counter(FILE *stream, const char *name, const char *unit, const char *help, double value);

/** Returns a double that is not above, or not below, the true value, if `value` differs from it by at most two
 * roundings. A bound is thus never written tighter than it is. 0 and the infinities are exact. */
double cli_not_above(double value);
double cli_not_below(double value);

/** Replaces the file `path`, and refuses anything but a regular file: a pipe without a reader would block the program
 * for ever. */
int cli_gauges_replace(const char *path, const char *text, size_t bytes, struct ordo_error *error);

#endif
