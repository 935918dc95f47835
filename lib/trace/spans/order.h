/* The events of spans, in the order of their times. */
#ifndef ORDO_TRACE_SPANS_ORDER_H
#define ORDO_TRACE_SPANS_ORDER_H

#include "trace/spans/spans.h"

enum ordo_span_event { ORDO_SPAN_WHOLE, ORDO_SPAN_MOMENT, ORDO_SPAN_SENT, ORDO_SPAN_RECEIVED };

struct ordo_span_item {
    int64_t time_ns;
    uint32_t at; /* index of the span, the moment or the message */
    uint32_t what;
};

/** Returns all events of the spans, which the caller frees; NULL if out of memory. */
struct ordo_span_item *ordo_span_order(const struct ordo_spans *spans, size_t *count);

/** Sets an event from an item, apart from the fields that all events of a reader have. */
void ordo_span_event_set(const struct ordo_spans *spans, const struct ordo_span_item *item, struct ordo_event *event);

#endif
