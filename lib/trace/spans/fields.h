/* Fields that the notations of spans have in common. Functions return 0, or -1 if out of memory, unless stated. */
#ifndef ORDO_TRACE_SPANS_FIELDS_H
#define ORDO_TRACE_SPANS_FIELDS_H

#include "trace/spans/spans.h"

/** A span that is being read. */
struct ordo_span_draft {
    struct ordo_spans *spans;
    struct ordo_walk *walk;
    struct ordo_span span;
    struct ordo_text begin, end, duration; /* values of JSON; length 0: none */
    bool is_us;
};

/** Adds the span with its times and its edits; its index is then spans->count - 1. Counts a span without a begin.
 * Returns 1; 0 if it has no begin and is left out; -1 if out of memory. */
int ordo_span_finish(struct ordo_span_draft *draft);

/** Adds an instant to the span that was added last. An instant without a time is left out. */
int ordo_span_moment_add(struct ordo_span_draft *draft, struct ordo_text time, struct ordo_text name);

/** Adds a reference to the span that will be added next. Leaves it out if it names no span. */
int ordo_span_refer(struct ordo_spans *spans, struct ordo_text trace, struct ordo_text id, int kind);

/** Returns the kind of a span by its word in any case: "SPAN_KIND_CLIENT", "client". */
int ordo_span_kind_of(struct ordo_text word);

/** Returns the code for -1, out of memory; and for -2, too many services. */
int ordo_span_failed(struct ordo_walk *walk, int failed);

#endif
