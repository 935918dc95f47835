/* The clocks of devices in the report of a correction. */
#ifndef ORDO_TRACE_DEVICES_H
#define ORDO_TRACE_DEVICES_H

#include "trace/correct/correct.h"
#include "json/builder.h"

/** Prints a line for each device and for the missing evidence; nothing if the trace has no devices. */
void devices_print(const struct ordo_correct_report *report, FILE *stream);

/** Returns the member "devices" of the report in JSON. */
struct ordo_json devices_json(const struct ordo_correct_report *report);

#endif
