#include "trace/input/json.h"
#include "trace/spans/fields.h"
#include "trace/spans/notations.h"

/* The resource whose spans are read. Its description may be behind its spans, which then have no rank. */
struct otlp_resource {
    struct ordo_spans *spans;
    size_t first; /* the first of its spans */
    int32_t rank; /* -1: not known yet */
};

/* Sets the service, and what tells its instances apart. Of several attributes of the instance the last in the list
 * counts, because a host has one clock. */
static void set_service(struct ordo_text attributes, struct ordo_text *service, struct ordo_text *host)
{
    static const char *const keys[] = {"service.instance.id", "container.id", "k8s.pod.name",
                                       "k8s.node.name",       "host.id",      "host.name"};
    struct ordo_text inside = ordo_walk_array(attributes), element;
    int best = -1;
    while (inside.at && ordo_walk_element(&inside, &element)) {
        struct ordo_text key = ordo_walk_bare(ordo_walk_member(element, "key"));
        struct ordo_text text = ordo_walk_member(ordo_walk_member(element, "value"), "stringValue");
        if (ordo_walk_is(key, "service.name"))
            *service = text;
        for (int i = best + 1; i < (int)(sizeof keys / sizeof *keys); i++)
            if (ordo_walk_bare(text).length > 0 && ordo_walk_is(key, keys[i])) {
                *host = text;
                best = i;
            }
    }
}

static int read_resource(struct otlp_resource *resource, struct ordo_walk *walk)
{
    struct ordo_text value, service = {"", 0}, host = {"", 0};
    int code = ordo_walk_take(walk, &value);
    if (code)
        return code;
    set_service(ordo_walk_member(value, "attributes"), &service, &host);
    resource->rank = ordo_spans_rank(resource->spans, service, host);
    return resource->rank < 0 ? ordo_span_failed(walk, resource->rank) : ORDO_OK;
}

static int add_links(struct ordo_spans *spans, struct ordo_text links)
{
    struct ordo_text inside = ordo_walk_array(links), link;
    while (inside.at && ordo_walk_element(&inside, &link))
        if (ordo_span_refer(spans, ordo_walk_member(link, "traceId"), ordo_walk_member(link, "spanId"),
                            ORDO_REFERENCE_LINK))
            return -1;
    return 0;
}

static int add_otlp_events(struct ordo_span_draft *draft, struct ordo_text events)
{
    struct ordo_text inside = ordo_walk_array(events), event;
    while (inside.at && ordo_walk_element(&inside, &event))
        if (ordo_span_moment_add(draft, ordo_walk_member(event, "timeUnixNano"), ordo_walk_member(event, "name")))
            return -1;
    return 0;
}

/* The members of a span that are not in its draft. */
struct otlp_members {
    struct ordo_text trace, id, parent, name, kind, status, links, events;
};

static void find_otlp_members(struct ordo_text object, struct otlp_members *of, struct ordo_span_draft *draft)
{
    const struct {
        const char *key;
        struct ordo_text *value;
    } all[] = {{"traceId", &of->trace},
               {"spanId", &of->id},
               {"parentSpanId", &of->parent},
               {"name", &of->name},
               {"kind", &of->kind},
               {"status", &of->status},
               {"links", &of->links},
               {"events", &of->events},
               {"startTimeUnixNano", &draft->begin},
               {"endTimeUnixNano", &draft->end}};
    struct ordo_text inside = ordo_json_inside(object);
    struct ordo_member member;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (ordo_walk_is(member.key, all[i].key))
                *all[i].value = member.value;
}

static bool is_error(struct ordo_text status)
{
    struct ordo_text code = ordo_walk_bare(ordo_walk_member(status, "code"));
    return ordo_walk_is(code, "2") || ordo_walk_is(code, "STATUS_CODE_ERROR");
}

static int read_otlp_span(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    const struct otlp_resource *resource = context;
    struct ordo_spans *spans = resource->spans;
    struct otlp_members of = {0};
    struct ordo_span_draft draft = {.spans = spans, .walk = walk, .span = {.rank = resource->rank}};
    struct ordo_text object;
    (void)key;
    int code = ordo_walk_take(walk, &object);
    if (code)
        return code;
    find_otlp_members(object, &of, &draft);
    draft.span.trace = ordo_span_id(ordo_walk_bare(of.trace));
    draft.span.id = ordo_span_id(ordo_walk_bare(of.id));
    draft.span.kind = (uint8_t)ordo_span_kind_of(ordo_walk_bare(of.kind));
    draft.span.has_failed = is_error(of.status);
    draft.span.name = ordo_spans_name(spans, of.name);
    if (draft.span.name == UINT32_MAX || ordo_span_refer(spans, of.trace, of.parent, ORDO_REFERENCE_PARENT) ||
        add_links(spans, of.links))
        return ordo_span_failed(walk, -1);
    int added = ordo_span_finish(&draft);
    if (added < 0 || (added && add_otlp_events(&draft, of.events)))
        return ordo_span_failed(walk, -1);
    return ORDO_OK;
}

static int read_scope(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    return ordo_walk_is(key, "spans") ? ordo_walk_inside(walk, '[', read_otlp_span, context) : ordo_walk_skip(walk);
}

static int read_scopes(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    (void)key;
    return ordo_walk_inside(walk, '{', read_scope, context);
}

static int read_resource_member(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    if (ordo_walk_is(key, "resource"))
        return read_resource(context, walk);
    if (ordo_walk_is(key, "scopeSpans") || ordo_walk_is(key, "instrumentationLibrarySpans"))
        return ordo_walk_inside(walk, '[', read_scopes, context);
    return ordo_walk_skip(walk);
}

int ordo_otlp_resource(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    struct ordo_spans *spans = context;
    struct otlp_resource resource = {spans, spans->count, -1};
    const struct ordo_text none = {"", 0};
    (void)key;
    int code = ordo_walk_inside(walk, '{', read_resource_member, &resource);
    if (resource.rank < 0 && spans->count > resource.first)
        resource.rank = ordo_spans_rank(spans, none, none);
    if (resource.rank < 0 && spans->count > resource.first)
        return ordo_span_failed(walk, resource.rank);
    for (size_t i = resource.first; i < spans->count; i++)
        spans->all[i].rank = resource.rank;
    return code;
}
