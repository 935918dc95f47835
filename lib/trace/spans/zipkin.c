#include "trace/spans/fields.h"
#include "trace/spans/notations.h"

struct zipkin_members {
    struct ordo_text trace, id, parent, name, kind, endpoint, shared, tags, annotations;
};

static void find_zipkin_members(struct ordo_text object, struct zipkin_members *of, struct ordo_span_draft *draft)
{
    const struct ordo_walk_wanted all[] = {{"traceId", &of->trace},
                                           {"id", &of->id},
                                           {"parentId", &of->parent},
                                           {"name", &of->name},
                                           {"kind", &of->kind},
                                           {"localEndpoint", &of->endpoint},
                                           {"shared", &of->shared},
                                           {"tags", &of->tags},
                                           {"timestamp", &draft->begin},
                                           {"duration", &draft->duration},
                                           {"annotations", &of->annotations}};
    ordo_walk_members(object, all, sizeof all / sizeof *all);
}

static int add_annotations(struct ordo_span_draft *draft, struct ordo_text annotations)
{
    struct ordo_text inside = ordo_walk_array(annotations), element;
    while (inside.at && ordo_walk_element(&inside, &element))
        if (ordo_span_moment_add(draft, ordo_walk_member(element, "timestamp"), ordo_walk_member(element, "value")))
            return -1;
    return 0;
}

static int set_endpoint(struct ordo_spans *spans, struct ordo_span *span, struct ordo_text endpoint)
{
    struct ordo_text host = ordo_walk_member(endpoint, "ipv4");
    if (host.length == 0)
        host = ordo_walk_member(endpoint, "ipv6");
    span->rank = ordo_spans_rank(spans, ordo_walk_member(endpoint, "serviceName"), host);
    return span->rank < 0 ? span->rank : 0;
}

static int add_zipkin_span(struct ordo_span_draft *draft, const struct zipkin_members *of)
{
    struct ordo_spans *spans = draft->spans;
    struct ordo_span *span = &draft->span;
    span->trace = ordo_span_id(ordo_walk_bare(of->trace));
    span->id = ordo_span_id(ordo_walk_bare(of->id));
    span->kind = (uint8_t)ordo_span_kind_of(ordo_walk_bare(of->kind));
    span->is_shared = span->kind == ORDO_SPAN_SERVER && ordo_walk_is(of->shared, "true");
    span->has_failed = ordo_walk_member(of->tags, "error").length > 0;
    span->name = ordo_spans_name(spans, of->name);
    int failed = span->name == UINT32_MAX ? -1 : set_endpoint(spans, span, of->endpoint);
    if (!failed)
        failed = ordo_span_refer(spans, of->trace, of->parent, ORDO_REFERENCE_PARENT);
    if (failed)
        return failed;
    int added = ordo_span_finish(draft);
    return added < 0 || (added && add_annotations(draft, of->annotations)) ? -1 : 0;
}

static int read_zipkin_span(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    struct ordo_spans *spans = context;
    struct zipkin_members of = {0};
    struct ordo_span_draft draft = {.spans = spans, .walk = walk, .is_us = true};
    struct ordo_text object;
    (void)key;
    int code = ordo_walk_take(walk, &object);
    if (code)
        return code;
    find_zipkin_members(object, &of, &draft);
    if (of.id.length == 0) {
        ordo_odds_note(&spans->odds, ORDO_ODD_NO_OBJECT, walk->input->row + 1, 1);
        return ORDO_OK;
    }
    spans->step_ns = 2000;
    int failed = add_zipkin_span(&draft, &of);
    return failed ? ordo_span_failed(walk, failed) : ORDO_OK;
}

int ordo_zipkin_element(void *context, struct ordo_walk *walk, struct ordo_text key)
{
    int letter = ordo_walk_peek(walk);
    return letter == '[' ? ordo_walk_inside(walk, '[', read_zipkin_span, context)
                         : read_zipkin_span(context, walk, key);
}
