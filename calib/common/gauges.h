/* Figures for a monitoring system: OpenMetrics text, which is also Prometheus text.
 *
 * Everything is a gauge: what OpenMetrics calls a counter has two names there, of which the parser of node_exporter's
 * textfile collector knows one. */
#ifndef ORDO_COMMON_GAUGES_H
#define ORDO_COMMON_GAUGES_H

#include <stdio.h>

#include "base/error.h"

/** What a name is about, before its first sample; `unit` "": it has none. */
void cli_gauge_head(FILE *stream, const char *name, const char *unit, const char *help);

/** The head and the one sample of a name. */
void cli_gauge(FILE *stream, const char *name, const char *unit, const char *help, double value);

/** Replaces the file `path`, and nothing but a file: a pipe that somebody laid there, and does not read, would hold the program
 * for ever. */
int cli_gauges_replace(const char *path, const char *text, size_t bytes, struct ordo_error *error);

#endif
