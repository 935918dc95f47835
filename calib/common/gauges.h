/* Figures for a monitoring system: the text format of Prometheus, which the textfile collector of node_exporter reads.
 *
 * The name of a counter ends with `_total` in its type as in its samples. OpenMetrics leaves it out of the type, so the collector
 * would find samples without one. */
#ifndef ORDO_COMMON_GAUGES_H
#define ORDO_COMMON_GAUGES_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/** Says what a name is about, before its first sample; `unit` "": it has none. */
void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help);
void cli_counter_head(FILE *stream, const char *name, const char *unit, const char *help);

/** Writes a value, and the end of its line, in the fewest digits that a reader makes the same double of. */
void cli_gauge_value(FILE *stream, double value);

/** Writes the head and the one sample of a name. */
void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value);
void cli_counter(FILE *stream, const char *name, const char *unit, const char *help, double value);

/** Returns a double that is not above, or not below, the true value, of which `value` is what at most two roundings made. So a bound is
 * never written tighter than it is. 0 and the infinite are exact. */
double cli_not_above(double value);
double cli_not_below(double value);

/** Replaces the file `path`, and nothing but a file: a pipe that somebody laid there, and does not read, would hold the program
 * for ever. */
int cli_gauges_replace(const char *path, const char *text, size_t bytes, struct ordo_error *error);

#endif
