/* Clocks of a trace without sessions: its messages and collectives bound the offsets of the clocks. */
#ifndef ORDO_TRACE_CORRECT_MESSAGES_H
#define ORDO_TRACE_CORRECT_MESSAGES_H

#include "trace/correct/types.h"

/** Corrects every clock that messages and collectives in both directions connect with a known clock, directly or through
 * other ranks. Known are the clocks that are made already, and that of rank 0. Reads the traces once. Fills in
 * `evidence`; its owner frees evidence->ranks and evidence->numbering.all, also after an error.
 *
 * ORDO_E_MEASURE: there are no messages between ranks and no collectives, or they leave the clock of a rank open. */
int ordo_messages_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                        struct ordo_clocks *clocks, struct ordo_evidence *evidence, struct ordo_error *error);

#endif
