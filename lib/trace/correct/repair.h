/* Repairs violations of causality that remain after the correction: a controlled logical clock. */
#ifndef ORDO_TRACE_CORRECT_REPAIR_H
#define ORDO_TRACE_CORRECT_REPAIR_H

#include "trace/correct/types.h"

struct ordo_repair;

/** Reads the traces once, and finds the shift of each event. */
int ordo_repair_make(struct ordo_repair **repair, struct ordo_traces *traces,
                     const struct ordo_correct_options *options, struct ordo_correct_report *report,
                     struct ordo_error *error);
void ordo_repair_free(struct ordo_repair *repair);

/** Moves the stamps of an event by its shift. Events may come in any order; the order of time is the fastest. */
void ordo_repair_apply(struct ordo_repair *repair, const struct ordo_event *event, struct ordo_event_stamp *stamp,
                       struct ordo_event_stamp *end);

#endif
