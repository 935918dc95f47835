#include <stdlib.h>

#include "trace/spans/fields.h"
#include "trace/spans/notations.h"

/* A trace whose spans are read. The processes may be behind the spans, which name them by keys. */
struct jaeger_trace {
    struct ordo_spans *spans;
    size_t first;           /* the first of its spans */
    struct ordo_names keys; /* of processes */
    int32_t *ranks;         /* by the numbers of their keys; -1: not known */
    uint32_t room;
};

/* Returns the value of a tag: {"key":KEY,"value":"x"}; with length 0 if it has another key. */
static struct ordo_text tag_value(struct ordo_text tag, const char *key)
{
    bool is_it = ordo_walk_is(ordo_walk_bare(ordo_walk_member(tag, "key")), key);
    return is_it ? ordo_walk_member(tag, "value") : (struct ordo_text){"", 0};
}

/* Returns the number of a process's key; UINT32_MAX if out of memory. */
static uint32_t number_process(struct jaeger_trace *trace, struct ordo_text key)
{
    uint32_t number = ordo_names_number(&trace->keys, key);
    if (number == UINT32_MAX || number < trace->room)
        return number;
    uint32_t room = 2 * number + 16;
    int32_t *ranks = realloc(trace->ranks, room * sizeof *ranks);
    if (!ranks)
        return UINT32_MAX;
    for (uint32_t i = trace->room; i < room; i++)
        ranks[i] = -1;
    trace->ranks = ranks;
    trace->room = room;
    return number;
}

/* Returns the rank of a process, or as ordo_spans_rank. */
static int32_t rank_of_process(struct ordo_spans *spans, struct ordo_text process)
{
    static const char *const keys[] = {"ip", "service.instance.id", "hostname", "host.name"};
    struct ordo_text inside = ordo_walk_array(ordo_walk_member(process, "tags")), tag, host = {"", 0};
    int best = -1;
    while (inside.at && ordo_walk_element(&inside, &tag))
        for (int i = best + 1; i < (int)(sizeof keys / sizeof *keys); i++) {
            struct ordo_text text = tag_value(tag, keys[i]);
            if (ordo_walk_bare(text).length > 0) {
                host = text;
                best = i;
            }
        }
    return ordo_spans_rank(spans, ordo_walk_member(process, "serviceName"), host);
}

static int read_process(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    struct jaeger_trace *trace = context;
    struct ordo_text process;
    uint32_t number = number_process(trace, key);
    if (number == UINT32_MAX)
        return ordo_span_failed(walk, -1);
    int code = ordo_walk_take(walk, &process);
    if (code)
        return code;
    int32_t rank = rank_of_process(trace->spans, process);
    trace->ranks[number] = rank;
    return rank < 0 ? ordo_span_failed(walk, rank) : ORDO_OK;
}

struct jaeger_members {
    struct ordo_text trace, id, parent, name, process_key, process, references, tags, logs;
};

static void find_jaeger_members(struct ordo_text object, struct jaeger_members *of, struct ordo_span_draft *draft)
{
    const struct ordo_walk_wanted all[] = {{"traceID", &of->trace},
                                           {"spanID", &of->id},
                                           {"parentSpanID", &of->parent},
                                           {"operationName", &of->name},
                                           {"processID", &of->process_key},
                                           {"process", &of->process},
                                           {"references", &of->references},
                                           {"tags", &of->tags},
                                           {"logs", &of->logs},
                                           {"startTime", &draft->begin},
                                           {"duration", &draft->duration}};
    ordo_walk_members(object, all, sizeof all / sizeof *all);
}

static void set_tags(struct ordo_span *span, struct ordo_text tags)
{
    struct ordo_text inside = ordo_walk_array(tags), tag;
    while (inside.at && ordo_walk_element(&inside, &tag)) {
        struct ordo_text kind = tag_value(tag, "span.kind"), error = tag_value(tag, "error");
        if (kind.length > 0)
            span->kind = (uint8_t)ordo_span_kind_of(ordo_walk_bare(kind));
        span->has_failed |= ordo_walk_is(ordo_walk_bare(error), "true");
    }
}

static int add_references(struct ordo_spans *spans, const struct jaeger_members *of)
{
    struct ordo_text inside = ordo_walk_array(of->references), element;
    bool some = false;
    while (inside.at && ordo_walk_element(&inside, &element)) {
        bool follows = ordo_walk_is(ordo_walk_bare(ordo_walk_member(element, "refType")), "FOLLOWS_FROM");
        some = true;
        if (ordo_span_refer(spans, ordo_walk_member(element, "traceID"), ordo_walk_member(element, "spanID"),
                            follows ? ORDO_REFERENCE_FOLLOWS : ORDO_REFERENCE_PARENT))
            return -1;
    }
    return some ? 0 : ordo_span_refer(spans, of->trace, of->parent, ORDO_REFERENCE_PARENT);
}

static int add_logs(struct ordo_span_draft *draft, struct ordo_text logs)
{
    struct ordo_text inside = ordo_walk_array(logs), log, field, name;
    while (inside.at && ordo_walk_element(&inside, &log)) {
        struct ordo_text fields = ordo_walk_array(ordo_walk_member(log, "fields"));
        name = (struct ordo_text){"log", 3};
        while (fields.at && ordo_walk_element(&fields, &field)) {
            struct ordo_text event = tag_value(field, "event");
            name = event.length > 0 ? event : name;
        }
        if (ordo_span_moment_add(draft, ordo_walk_member(log, "timestamp"), name))
            return -1;
    }
    return 0;
}

/* Sets the rank of a span, or -2 - N if it names the process with the number N. */
static int set_process(struct jaeger_trace *trace, struct ordo_span *span, const struct jaeger_members *of)
{
    if (of->process.length > 0) {
        span->rank = rank_of_process(trace->spans, of->process);
        return span->rank < 0 ? span->rank : 0;
    }
    uint32_t number = number_process(trace, ordo_walk_bare(of->process_key));
    if (number > INT32_MAX - 2)
        return -1;
    span->rank = -2 - (int32_t)number;
    return 0;
}

static int read_jaeger_span(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    struct jaeger_trace *trace = context;
    struct ordo_spans *spans = trace->spans;
    struct jaeger_members of = {0};
    struct ordo_span_draft draft = {.spans = spans, .walk = walk, .is_us = true};
    struct ordo_text object;
    (void)key;
    int code = ordo_walk_take(walk, &object);
    if (code)
        return code;
    find_jaeger_members(object, &of, &draft);
    draft.span.trace = ordo_span_id(ordo_walk_bare(of.trace));
    draft.span.id = ordo_span_id(ordo_walk_bare(of.id));
    draft.span.name = ordo_spans_name(spans, of.name);
    set_tags(&draft.span, of.tags);
    int failed = draft.span.name == UINT32_MAX ? -1 : set_process(trace, &draft.span, &of);
    if (!failed)
        failed = add_references(spans, &of);
    int added = failed ? 0 : ordo_span_finish(&draft);
    if (!failed)
        failed = added < 0 ? -1 : added && add_logs(&draft, of.logs) ? -1 : 0;
    return failed ? ordo_span_failed(walk, failed) : ORDO_OK;
}

static int read_trace_member(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    if (ordo_walk_is(key, "spans"))
        return ordo_walk_inside(walk, '[', read_jaeger_span, context);
    if (ordo_walk_is(key, "processes"))
        return ordo_walk_inside(walk, '{', read_process, context);
    return ordo_walk_skip(walk);
}

/* Sets the ranks of the spans that name a process. A process that is not described is one with its key as a name. */
static int settle_ranks(struct jaeger_trace *trace)
{
    struct ordo_spans *spans = trace->spans;
    const struct ordo_text none = {"", 0};
    for (size_t i = trace->first; i < spans->count; i++) {
        struct ordo_span *span = &spans->all[i];
        if (span->rank >= 0)
            continue;
        uint32_t number = (uint32_t)(-2 - span->rank);
        if (trace->ranks[number] < 0)
            trace->ranks[number] = ordo_spans_rank(spans, trace->keys.all[number], none);
        if (trace->ranks[number] < 0)
            return trace->ranks[number];
        span->rank = trace->ranks[number];
    }
    return 0;
}

int ordo_jaeger_trace(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    struct ordo_spans *spans = context;
    struct jaeger_trace trace = {.spans = spans, .first = spans->count};
    (void)key;
    spans->step_ns = 2000;
    int code = ordo_walk_inside(walk, '{', read_trace_member, &trace);
    int failed = settle_ranks(&trace);
    ordo_names_free(&trace.keys);
    free(trace.ranks);
    return failed ? ordo_span_failed(walk, failed) : code;
}
