/* Clocks of a trace without sessions: its messages and collectives bound the offsets of the clocks. */
#ifndef ORDO_TRACE_CORRECT_MESSAGES_H
#define ORDO_TRACE_CORRECT_MESSAGES_H

#include "trace/correct/types.h"

/** Corrects every clock that messages and collectives in both directions connect with a known clock, directly or through
 * other ranks. Known are the clocks that are made already, and that of rank 0. Reads the traces once. Fills in the
 * clocks, the devices and the evidence of the report, whose owner frees them, also after an error.
 *
 * ORDO_E_MEASURE: there are no messages between ranks and no collectives, or they leave the clock of a rank open. */
int ordo_messages_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                        struct ordo_correct_report *report, struct ordo_error *error);

#endif
