/* The sources from which the clocks are learnt: a file of sessions, the sessions in the traces, or their messages. */
#ifndef ORDO_TRACE_CORRECT_SESSION_H
#define ORDO_TRACE_CORRECT_SESSION_H

#include "trace/correct/types.h"

/** Learns the clocks, and fills in `clocks` and `source` of the report. */
int ordo_session_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                       struct ordo_correct_report *report, struct ordo_error *error);

#endif
