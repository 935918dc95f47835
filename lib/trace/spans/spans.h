/* The spans of a file: what each service did, and which span caused which. A span may come before its parent, and both
 * may be anywhere in the file, so all spans are in memory: about 250 bytes each, without their texts. */
#ifndef ORDO_TRACE_SPANS_SPANS_H
#define ORDO_TRACE_SPANS_SPANS_H

#include "base/map.h"
#include "trace/event/names.h"
#include "trace/input/odd.h"
#include "trace/spans/walk.h"

/** The kinds of spans, with the numbers of OTLP. */
enum ordo_span_kind {
    ORDO_SPAN_NO_KIND,
    ORDO_SPAN_INTERNAL,
    ORDO_SPAN_SERVER,
    ORDO_SPAN_CLIENT,
    ORDO_SPAN_PRODUCER,
    ORDO_SPAN_CONSUMER
};

enum ordo_span_reference_kind {
    ORDO_REFERENCE_PARENT,  /* the span is a part of the other one */
    ORDO_REFERENCE_FOLLOWS, /* the other span began before it, and does not wait for it */
    ORDO_REFERENCE_LINK     /* the other span was known to it at some time */
};

/** A time in the text of the file, which a writer replaces. */
struct ordo_span_edit {
    uint64_t at;      /* place of its first letter in the file */
    int64_t value_ns; /* the time in the file, and then the global time */
    uint32_t length;  /* letters */
    uint32_t begin;   /* of a duration: 1 + the edit with the begin; otherwise 0 */
    bool is_us;       /* in microseconds */
};

struct ordo_span {
    uint64_t trace, id;
    int64_t begin_ns, end_ns; /* by the clock of its service */
    uint32_t name;
    int32_t rank;
    uint32_t thread;               /* set by ordo_span_lanes */
    uint32_t parent;               /* 1 + the span around it; 0: none. Set by ordo_span_causes */
    uint32_t same;                 /* 1 + another span with this trace and id; 0: none */
    uint32_t begin_edit, end_edit; /* 1 + the index; 0: none */
    uint8_t kind;
    bool is_shared;  /* a server whose client has the same id (Zipkin) */
    bool has_failed; /* it ended with an error, so perhaps without an answer */
    bool has_end;
};

struct ordo_span_reference {
    uint64_t trace, id;
    uint32_t span;
    uint8_t kind;
};

/** A message between two services. */
struct ordo_span_message {
    uint32_t from, to;
    bool from_end, to_end; /* sent at the end of `from` (not at its begin); received at the end of `to` */
};

/** An instant within a span. */
struct ordo_span_moment {
    int64_t time_ns;
    uint32_t span, name, edit;
};

struct ordo_spans {
    struct ordo_span *all;
    struct ordo_span_reference *references;
    struct ordo_span_message *messages;
    struct ordo_span_moment *moments;
    struct ordo_span_edit *edits;
    size_t count, reference_count, message_count, moment_count, edit_count;
    size_t room, reference_room, message_room, moment_room, edit_room;
    struct ordo_map ids;        /* trace and id: 1 + the first span that has them */
    struct ordo_names names;    /* of spans and moments */
    struct ordo_names services; /* number: the rank */
    struct ordo_odds odds;
    int64_t step_ns; /* the step of the times in the file; 0: not known */
};

/** Returns the number of an id: the id itself if it is at most 16 hexadecimal digits, or else a hash. 0: no id. */
uint64_t ordo_span_id(struct ordo_text text);

/** Returns the rank of a service on a host, both values of JSON or plain texts; -1 if out of memory, -2 if there are too many. */
int32_t ordo_spans_rank(struct ordo_spans *spans, struct ordo_text service, struct ordo_text host);

/** Returns the number of a name, a string of JSON; UINT32_MAX if out of memory. */
uint32_t ordo_spans_name(struct ordo_spans *spans, struct ordo_text value);

/** Adds something. Returns NULL if out of memory. */
struct ordo_span *ordo_spans_add(struct ordo_spans *spans);
struct ordo_span_reference *ordo_spans_add_reference(struct ordo_spans *spans);
struct ordo_span_message *ordo_spans_add_message(struct ordo_spans *spans);
struct ordo_span_moment *ordo_spans_add_moment(struct ordo_spans *spans);
struct ordo_span_edit *ordo_spans_add_edit(struct ordo_spans *spans);

void ordo_spans_free(struct ordo_spans *spans);

#endif
