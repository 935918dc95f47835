/* The evidence about clocks in a report: the bounds from messages and from collectives, and one-sided evidence. */
#ifndef ORDO_TRACE_EVIDENCE_H
#define ORDO_TRACE_EVIDENCE_H

#include <stdio.h>

#include "trace/correct/types.h"
#include "json/builder.h"

/** Prints some lines; nothing if the clocks came from sessions. */
void evidence_print(const struct ordo_correct_report *report, FILE *stream);

struct ordo_json evidence_json(const struct ordo_correct_report *report);

#endif
