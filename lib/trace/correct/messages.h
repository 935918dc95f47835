/* Clocks of a trace without sessions: its messages bound the offsets of the clocks. */
#ifndef ORDO_TRACE_CORRECT_MESSAGES_H
#define ORDO_TRACE_CORRECT_MESSAGES_H

#include "trace/correct/types.h"

/** Corrects every clock that messages in both directions connect with rank 0, directly or through other ranks. Reads
 * the traces once.
 *
 * ORDO_E_MEASURE: there are no messages between ranks. */
int ordo_messages_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                        struct ordo_clocks *clocks, struct ordo_error *error);

#endif
