#include "trace/spans/order.h"

#include <stdlib.h>

static int by_time_of_item(const void *a, const void *b)
{
    const struct ordo_span_item *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns the time of an end of a message, by the clock of its service. */
static int64_t time_of_end(const struct ordo_spans *spans, const struct ordo_span_message *message, bool sent)
{
    const struct ordo_span *span = &spans->all[sent ? message->from : message->to];
    return (sent ? message->from_end : message->to_end) ? span->end_ns : span->begin_ns;
}

struct ordo_span_item *ordo_span_order(const struct ordo_spans *spans, size_t *count)
{
    size_t all = spans->count + spans->moment_count + 2 * spans->message_count, at = 0;
    struct ordo_span_item *items = malloc((all + 1) * sizeof *items);
    if (!items)
        return NULL;
    for (uint32_t i = 0; i < spans->count; i++)
        items[at++] = (struct ordo_span_item){spans->all[i].begin_ns, i, ORDO_SPAN_WHOLE};
    for (uint32_t i = 0; i < spans->moment_count; i++)
        items[at++] = (struct ordo_span_item){spans->moments[i].time_ns, i, ORDO_SPAN_MOMENT};
    for (uint32_t i = 0; i < spans->message_count; i++) {
        const struct ordo_span_message *message = &spans->messages[i];
        items[at++] = (struct ordo_span_item){time_of_end(spans, message, true), i, ORDO_SPAN_SENT};
        items[at++] = (struct ordo_span_item){time_of_end(spans, message, false), i, ORDO_SPAN_RECEIVED};
    }
    qsort(items, all, sizeof *items, by_time_of_item);
    *count = all;
    return items;
}

static void set_message(const struct ordo_spans *spans, uint32_t at, bool sent, struct ordo_event *event)
{
    const struct ordo_span_message *message = &spans->messages[at];
    const struct ordo_span *own = &spans->all[sent ? message->from : message->to];
    event->kind = sent ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
    event->rank = own->rank;
    event->thread = own->thread;
    event->peer = spans->all[sent ? message->to : message->from].rank;
    event->number = at;
}

void ordo_span_event_set(const struct ordo_spans *spans, const struct ordo_span_item *item, struct ordo_event *event)
{
    event->time_ns = item->time_ns;
    if (item->what >= ORDO_SPAN_SENT) {
        set_message(spans, item->at, item->what == ORDO_SPAN_SENT, event);
        return;
    }
    bool is_moment = item->what == ORDO_SPAN_MOMENT;
    const struct ordo_span_moment *moment = is_moment ? &spans->moments[item->at] : NULL;
    const struct ordo_span *span = &spans->all[moment ? moment->span : item->at];
    event->kind = moment ? ORDO_EVENT_POINT : ORDO_EVENT_SPAN;
    event->rank = span->rank;
    event->thread = span->thread;
    event->name = spans->names.all[moment ? moment->name : span->name];
    event->duration_ns = moment ? 0 : span->end_ns - span->begin_ns;
    event->raw = (struct ordo_text){(const char *)item, sizeof *item};
}
