/* Metrics for a monitoring system: the text format of Prometheus, which the textfile collector of node_exporter reads.
 *
 * The name of a counter ends with `_total` both in the line of its type and in its samples. OpenMetrics omits `_total`
 * in the type; the collector would then find samples without a type. */
#ifndef ORDO_COMMON_GAUGES_H
#define ORDO_COMMON_GAUGES_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/** Writes the unit, type and help of a metric; call it before the first sample. `unit` may be "". */
void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help);
void cli_counter_head(FILE *stream, const char *name, const char *unit, const char *help);

/** Writes a value and a newline. It writes the fewest digits that are read back as the same double. */
void cli_gauge_value(FILE *stream, double value);

/** Writes the head of a metric and its only sample. */
void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value);
void cli_counter(FILE *stream, const char *name, const char *unit, const char *help, double value);

/** Return a double that is certainly <= (not_above) or >= (not_below) the true value, if `value` differs from the true
 * value by at most two roundings. A written bound is thus never tighter than the true bound. 0 and the infinities are
 * returned unchanged. */
double cli_not_above(double value);
double cli_not_below(double value);

/** Writes metrics to a file, which is replaced whole: `put` prints them, and the end of the text is added. Fails as
 * ordo_file_stage and ordo_file_finish, which refuse anything but a regular file; ORDO_E_SYSTEM also if out of memory. */
int cli_gauges_write(const char *path, void (*put)(FILE *stream, const void *metrics), const void *metrics,
                     struct ordo_error *error);

#endif
