/* Where the knowledge of the clocks comes from: a file of sessions, the traces' own sessions, or their messages. */
#ifndef ORDO_TRACE_CORRECT_SESSION_H
#define ORDO_TRACE_CORRECT_SESSION_H

#include "trace/correct/types.h"

/** Fills in the report's clocks and their source. */
int ordo_session_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_correct_report *report, struct ordo_error *error);

#endif
