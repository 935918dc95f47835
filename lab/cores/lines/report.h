/* The report of ordo-lab cores lines. */
#ifndef ORDO_LAB_CORES_REPORT_H
#define ORDO_LAB_CORES_REPORT_H

#include "lab/cores/lines/source.h"
#include "json/reader.h"

struct cores_lines_report {
    const struct ordo_json_value *lines; /* as the simulated program writes it: lab/cores/wrap/lines.c */
    const struct ordo_json_value *bench; /* of schema ordo-bench/1 */
    struct cores_sources sources;
    double ops; /* of all measured parts */
};

/** Returns the number of operations: the measured time over the time of an operation. 0: unknown. */
double cores_lines_ops(const struct cores_lines_report *report);

/** Returns the address of the first byte of a line that is used, as linked. */
uint64_t cores_lines_used(const struct ordo_json_value *line);

/** Returns the addresses of all instructions of the report, and their number; NULL: out of memory. */
uint64_t *cores_lines_pcs(const struct cores_lines_report *report, size_t *count);

void cores_lines_print(const struct cores_lines_report *report);

/** Writes the report as JSON, schema ordo-cores-lines/1. Returns 0, or -1 if stdout failed. */
int cores_lines_print_json(const struct cores_lines_report *report);

#endif
