/* Which events of two services must be in order. Every rule holds in true time, by any clocks of the two services,
 * so that the messages bound the distance of the clocks.
 *
 * [S1] A span cannot begin before its parent has: its creator got the id of the parent from the parent. The request is
 *      sent at the begin of the parent, or later, and received at the begin of the span, or earlier.
 *      It is assumed that no tracer states a begin before the span was created, as for a page that a browser loads.
 * [S2] A client span ends when the answer is there: the answer is sent at the end of the server's span, or later, and
 *      received at the end of the client's span, or earlier. This needs a client that waits. It is assumed
 *      - of a parent that is a client and of a child that is a server;
 *      - of a parent or a child without a kind: tracers that know no kinds (OpenTracing) refer to a parent that "depends
 *        on the child in some capacity", and to one that does not by FOLLOWS_FROM;
 *      and of no other pair. A parent that states another kind than client may end before its child.
 * [S3] A client that gives up ends before the answer. A pair is therefore not used by [S2] if the client's span has
 *      failed, or if the server's span is longer than the client's: a span within another one is not longer. Lengths can
 *      be compared because each of them is measured by one clock. A client that gives up without an error, after a
 *      server that was late but quick, escapes the rule: it is the assumption of [S2] that there is none.
 * [S4] A message of a queue is sent after its producer's span begins, and its consumer's span begins when it is there.
 *      Nothing comes back.
 * [S5] The target of a link has begun before the linking span ends, because the link has its id. It need not have begun
 *      before the linking span begins, because links can be added later.
 *
 * Spans of one rank have one clock, and give no messages. */
#include "trace/spans/causes.h"

#include <stdlib.h>

enum { SAME_MOST = 64 }; /* spans of one id that are looked at */

/* Enters all spans by their ids. */
static int enter_ids(struct ordo_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        struct ordo_span *span = &spans->all[i];
        uint64_t *first = ordo_map_add(&spans->ids, span->trace, span->id);
        if (!first)
            return -1;
        span->same = (uint32_t)*first;
        *first = i + 1;
    }
    return 0;
}

/* Returns 1 + the span that a reference of `child` names; 0 if there is none. If several spans have the id, prefers one
 * of the child's service, and then the server to its client, because servers call further. */
static uint32_t find_target(const struct ordo_spans *spans, const struct ordo_span_reference *reference)
{
    const uint64_t *first = ordo_map_find(&spans->ids, reference->trace, reference->id);
    uint32_t found = 0;
    int best = -1, looked = 0;
    for (uint32_t at = first ? (uint32_t)*first : 0; at && looked < SAME_MOST; at = spans->all[at - 1].same) {
        const struct ordo_span *span = &spans->all[at - 1];
        int worth = 2 * (span->rank == spans->all[reference->span].rank) + (span->kind != ORDO_SPAN_CLIENT);
        if (at - 1 != reference->span && worth > best) {
            found = at;
            best = worth;
        }
        looked++;
    }
    return found;
}

/* Returns 1 + the client of a server that shares its id; 0 if there is none. */
static uint32_t find_client(const struct ordo_spans *spans, const struct ordo_span *server)
{
    const uint64_t *first = ordo_map_find(&spans->ids, server->trace, server->id);
    int looked = 0;
    for (uint32_t at = first ? (uint32_t)*first : 0; at && looked < SAME_MOST; at = spans->all[at - 1].same, looked++)
        if (spans->all[at - 1].kind == ORDO_SPAN_CLIENT)
            return at;
    return 0;
}

/* True if the parent waits for its child by [S2] and [S3]. */
static bool has_answer(const struct ordo_span *parent, const struct ordo_span *child)
{
    bool waits = (parent->kind == ORDO_SPAN_CLIENT || parent->kind == ORDO_SPAN_NO_KIND) &&
                 (child->kind == ORDO_SPAN_SERVER || child->kind == ORDO_SPAN_NO_KIND);
    return waits && !parent->has_failed && parent->has_end && child->has_end &&
           child->end_ns - child->begin_ns <= parent->end_ns - parent->begin_ns;
}

static int add_message_between(struct ordo_spans *spans, struct ordo_span_message message)
{
    struct ordo_span_message *added = ordo_spans_add_message(spans);
    if (added)
        *added = message;
    return added ? 0 : -1;
}

/* Adds the messages of a pair of spans; `parent` and `child` are indices. */
static int join_spans(struct ordo_spans *spans, uint32_t parent, uint32_t child, int kind)
{
    const struct ordo_span *from = &spans->all[parent], *to = &spans->all[child];
    if (from->rank == to->rank)
        return 0;
    struct ordo_span_message request = {parent, child, false, kind == ORDO_REFERENCE_LINK};
    struct ordo_span_message answer = {child, parent, true, true};
    if (kind == ORDO_REFERENCE_LINK && !to->has_end)
        return 0;
    if (add_message_between(spans, request))
        return -1;
    return kind == ORDO_REFERENCE_PARENT && has_answer(from, to) ? add_message_between(spans, answer) : 0;
}

/* Joins the servers that have the ids of their clients; sets their parents. */
static int join_shared(struct ordo_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        struct ordo_span *span = &spans->all[i];
        if (span->kind != ORDO_SPAN_SERVER)
            continue;
        span->parent = find_client(spans, span);
        if (span->parent && join_spans(spans, span->parent - 1, (uint32_t)i, ORDO_REFERENCE_PARENT))
            return -1;
        if (!span->parent && span->is_shared)
            ordo_odds_note(&spans->odds, ORDO_ODD_NO_PARENT, i + 1, 1);
    }
    return 0;
}

static int join_reference(struct ordo_spans *spans, const struct ordo_span_reference *reference)
{
    struct ordo_span *span = &spans->all[reference->span];
    bool is_parent = reference->kind == ORDO_REFERENCE_PARENT;
    if (is_parent && (span->is_shared ||
                      (span->kind == ORDO_SPAN_SERVER && span->parent && spans->all[span->parent - 1].id == span->id)))
        return 0; /* its client is its parent */
    uint32_t target = find_target(spans, reference);
    if (!target) {
        ordo_odds_note(&spans->odds, ORDO_ODD_NO_PARENT, reference->span + 1, 1);
        return 0;
    }
    if (is_parent && !span->parent)
        span->parent = target;
    return join_spans(spans, target - 1, reference->span, reference->kind);
}

int ordo_span_causes(struct ordo_spans *spans)
{
    if (enter_ids(spans) || join_shared(spans))
        return -1;
    for (size_t i = 0; i < spans->reference_count; i++)
        if (join_reference(spans, &spans->references[i]))
            return -1;
    return 0;
}
