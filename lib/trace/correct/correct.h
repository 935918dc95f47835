/* A trace in global time: files in, one file out, and a report of what was known and what was repaired. */
#ifndef ORDO_TRACE_CORRECT_CORRECT_H
#define ORDO_TRACE_CORRECT_CORRECT_H

#include "trace/correct/types.h"

/** Corrects, and writes to `stream`. What was written is worthless where it fails. */
int ordo_correct(const struct ordo_correct_options *options, FILE *stream, struct ordo_correct_report *report,
                 struct ordo_error *error);
void ordo_correct_report_free(struct ordo_correct_report *report);

/** The offsets of the clocks as CSV for tools that take a table of them: location,local_ns,offset_ns,standard_deviation_ns,
 * a row for every session of every rank, and one at the first and last event where they lie outside. The offset is to be
 * added to the local time. */
void ordo_correct_write_offsets(const struct ordo_correct_report *report, FILE *stream);

#endif
