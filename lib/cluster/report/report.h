/* A verification as a table for people, as JSON, and as a line per node. */
#ifndef ORDO_CLUSTER_REPORT_REPORT_H
#define ORDO_CLUSTER_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/report/words.h"

/** What is published for the hardware clock of a node, as its leader sees it; 0 for nothing. */
double ordo_verify_boundary_ns(const struct ordo_verify_result *result, int node);

void ordo_verify_report_text(const struct ordo_verify_result *result, FILE *stream);

/** Schema ordo-verify/1. 0, or -1 where memory ran out or the stream failed. */
int ordo_verify_report_json(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** True if something was compared on a node: its ranks, or the CPUs that its single rank may use. */
bool ordo_verify_compared(const struct ordo_verify_result *result, int node);

/** True if nothing was compared on some node, although more than one rank was asked for. */
bool ordo_verify_compared_nothing(const struct ordo_verify_result *result);

/** "OK host: ...", "ERROR host: ..." or "UNKNOWN host: ..."; about the required clock, or all. */
void ordo_verify_report_nhc(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** Whether an interval of the hardware clock, of two ranks or two CPUs, lies wholly outside the published boundary. */
bool ordo_verify_exceeds(const struct ordo_verify_result *result, int node, int clock);

#endif
