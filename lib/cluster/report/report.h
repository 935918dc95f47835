/* Prints a verification as a table for people, as JSON, or as a line per node. */
#ifndef ORDO_CLUSTER_REPORT_REPORT_H
#define ORDO_CLUSTER_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/report/words.h"

/** Returns the boundary published for the hardware clock of a node, as its leader sees it; 0 if none. */
double ordo_verify_boundary_ns(const struct ordo_verify_result *result, int node);

void ordo_verify_report_text(const struct ordo_verify_result *result, FILE *stream);

/** Prints JSON of the schema ordo-verify/1.
 * 0: printed
 * -1: out of memory, or the stream failed */
int ordo_verify_report_json(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** True if something was compared on a node: its ranks, or the CPUs that its single rank may use. */
bool ordo_verify_compared(const struct ordo_verify_result *result, int node);

/** True if nothing was compared on some node, although more than one rank was asked for. */
bool ordo_verify_compared_nothing(const struct ordo_verify_result *result);

/** Prints "OK host: ...", "ERROR host: ..." or "UNKNOWN host: ...", for the required clock, or for all clocks. */
void ordo_verify_report_nhc(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** True if an interval of the hardware clock, of two ranks or two CPUs, is wholly outside the published boundary. */
bool ordo_verify_exceeds(const struct ordo_verify_result *result, int node, int clock);

#endif
