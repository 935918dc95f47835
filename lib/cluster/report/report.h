/* Prints a verification in three formats: a table for people, JSON, or one line for each node. */
#ifndef ORDO_CLUSTER_REPORT_REPORT_H
#define ORDO_CLUSTER_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cluster/report/words.h"

/** Returns the published boundary of a node's hardware clock, which the node's leader has read. 0: there is none. */
double ordo_verify_boundary_ns(const struct ordo_verify_result *result, int node);

void ordo_verify_report_text(const struct ordo_verify_result *result, FILE *stream);

/** Prints JSON of the schema ordo-verify/1.
 * 0: printed
 * -1: out of memory, or the stream failed */
int ordo_verify_report_json(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** True if a node had clocks to compare: it has two or more ranks, or its single rank may use two or more CPUs. */
bool ordo_verify_compared(const struct ordo_verify_result *result, int node);

/** True if at least one node had no clocks to compare, although there are two or more ranks in all. */
bool ordo_verify_compared_nothing(const struct ordo_verify_result *result);

/** Prints "OK host: ...", "ERROR host: ..." or "UNKNOWN host: ...", for the required clock, or for all clocks. */
void ordo_verify_report_nhc(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream);

/** True if the offset of two ranks or of two CPUs is proved larger than the published boundary of the hardware
 * clock. */
bool ordo_verify_exceeds(const struct ordo_verify_result *result, int node, int clock);

#endif
