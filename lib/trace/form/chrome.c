/* The Trace Event Format, which Chrome's tracing and Perfetto's UI load (N. Duca and D. Sinclair, Trace Event Format,
 * 2016). trace/chrome has its parts: the frame of a file, its events, and the writer. */
#include <stdlib.h>
#include <string.h>

#include "trace/chrome/event.h"
#include "trace/chrome/write.h"
#include "trace/form/form.h"

static bool has_key(const struct ordo_json_members *members, const char *key)
{
    for (int i = 0; i < members->count; i++)
        if (members->all[i].key.length == strlen(key) && memcmp(members->all[i].key.at, key, strlen(key)) == 0)
            return true;
    return false;
}

/* True for an array, for an object with "traceEvents" or whose end is not on its line, and for an event. An object of
 * JSON Lines has its end on its line. */
static bool chrome_looks(struct ordo_text beginning)
{
    struct ordo_json_members members;
    size_t at = 0;
    while (at < beginning.length && ordo_json_space(beginning.at[at]))
        at++;
    if (at == beginning.length || beginning.at[at] == '[')
        return at < beginning.length;
    const char *end = memchr(beginning.at + at, '\n', beginning.length - at);
    struct ordo_text line = {beginning.at + at, end ? (size_t)(end - beginning.at) - at : beginning.length - at};
    if (*line.at != '{')
        return false;
    ptrdiff_t length = ordo_json_members(line, &members, NULL);
    return length <= 0 || has_key(&members, "traceEvents") ||
           (has_key(&members, "ph") && !has_key(&members, "time_ns"));
}

static void chrome_close(struct ordo_reader *reader)
{
    struct ordo_chrome_events *events = reader->state;
    if (events) {
        ordo_chrome_events_reset(events);
        ordo_chrome_document_close(&events->document);
    }
    free(events);
    reader->state = NULL;
}

static int chrome_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_chrome_events *events = reader->state = calloc(1, sizeof *events);
    if (!events)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    events->declared = reader->columns.places;
    ordo_chrome_events_reset(events);
    int code = ordo_chrome_document_open(&events->document, &reader->input, &reader->odds, error);
    reader->rank = events->document.facts.rank;
    reader->corrected = events->document.facts.is_corrected;
    reader->base_ns = events->document.facts.base_ns;
    if (code)
        chrome_close(reader);
    return code;
}

/* Returns the state of a reader, which may have been copied since the last call. */
static struct ordo_chrome_events *state_of(struct ordo_reader *reader)
{
    struct ordo_chrome_events *events = reader->state;
    events->document.input = &reader->input;
    events->document.odds = &reader->odds;
    events->document.partial = reader->partial;
    return events;
}

static int chrome_again(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_chrome_events *events = state_of(reader);
    ordo_chrome_events_reset(events);
    reader->corrected = events->document.facts.is_corrected;
    return ordo_chrome_document_again(&events->document, error);
}

static int chrome_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct ordo_chrome_events *events = state_of(reader);
    struct ordo_chrome_read read = {.event = event};
    *event = ordo_event_none(reader);
    int more = ordo_chrome_events_next(events, &read, error);
    if (more != 1 || event->kind == ORDO_EVENT_META)
        return more;
    reader->stamp = read.stamp;
    reader->corrected = read.is_corrected || events->document.facts.is_corrected;
    int code = ordo_event_check(reader, event, error);
    if (!code)
        code = ordo_chrome_events_keep(events, event, error);
    return code ? code : 1;
}

/* The members of the first file beside its events, as the reader has them. */
static struct ordo_text others_of(const struct ordo_chrome_others *others)
{
    return (struct ordo_text){others->at, others->length};
}

static struct ordo_text chrome_head(const struct ordo_reader *reader)
{
    const struct ordo_chrome_events *events = reader->state;
    return others_of(&events->document.head);
}

static struct ordo_text chrome_tail(const struct ordo_reader *reader)
{
    const struct ordo_chrome_events *events = reader->state;
    return others_of(&events->document.tail);
}

static int chrome_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    struct ordo_chrome_out *out = writer->state = calloc(1, sizeof *out);
    if (!out)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    out->stream = writer->stream;
    out->merges = writer->merges;
    out->base_ns = writer->base_ns;
    ordo_chrome_out_begin(out, writer->same ? writer->head : (struct ordo_text){NULL, 0});
    return ORDO_OK;
}

static void chrome_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                       const struct ordo_event_stamp *end)
{
    if (writer->same)
        ordo_chrome_out_again(writer->state, event, stamp, end);
    else
        ordo_chrome_out_new(writer->state, event, stamp, end);
}

static void chrome_end(struct ordo_writer *writer)
{
    struct ordo_chrome_out *out = writer->state;
    bool has_tail = writer->same && writer->first && writer->first->form->tail;
    struct ordo_text tail = has_tail ? writer->first->form->tail(writer->first) : (struct ordo_text){NULL, 0};
    ordo_chrome_out_behind(out);
    for (int i = 0; has_tail && writer->merges && i < writer->reader_count; i++) {
        const struct ordo_reader *reader = writer->readers[i];
        ordo_chrome_out_frames(out, reader->rank, reader->form->head(reader));
        ordo_chrome_out_frames(out, reader->rank, reader->form->tail(reader));
    }
    writer->failed = ordo_chrome_out_end(out, tail) != 0;
    ordo_chrome_out_free(out);
    free(out);
    writer->state = NULL;
}

const struct ordo_form ordo_form_chrome = {
    .name = "chrome",
    .title = "Chrome's and Perfetto's JSON of events",
    .suffix = ".json",
    .of_one_rank = true,
    .devices = true,
    .spans = true,
    .looks = chrome_looks,
    .open = chrome_open,
    .again = chrome_again,
    .next = chrome_next,
    .close = chrome_close,
    .head = chrome_head,
    .tail = chrome_tail,
    .begin = chrome_begin,
    .put = chrome_put,
    .end = chrome_end,
};
