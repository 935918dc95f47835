/* The messages between services, and the threads of spans. */
#ifndef ORDO_TRACE_SPANS_CAUSES_H
#define ORDO_TRACE_SPANS_CAUSES_H

#include "trace/spans/spans.h"

/** Finds the parents of all spans, and the messages between services. Counts the parents that are not in the file.
 * Returns 0; -1 if out of memory. */
int ordo_span_causes(struct ordo_spans *spans);

/** Sets the thread of each span, so that the spans of a thread do not overlap unless one is within the other. A span
 * within its parent is on the thread of its parent if no other span is in its way. Call after ordo_span_causes. Returns
 * 0; -1 if out of memory. */
int ordo_span_lanes(struct ordo_spans *spans);

#endif
