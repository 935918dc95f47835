/* Spans of services, as OpenTelemetry (OTLP in JSON), Jaeger and Zipkin write them. A service on a host is a rank. A span
 * and its parent in another service are messages, by the rules of trace/spans/causes.c.
 *
 * The written file is the file that was read, with other times: what viewers load stays loadable. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/form/form.h"
#include "trace/spans/document.h"
#include "trace/spans/order.h"
#include "trace/spans/write.h"

struct spans_form {
    struct ordo_spans spans;
    struct ordo_span_item *items; /* NULL: the file has not been read */
    size_t count, next;
    uint32_t named; /* ranks whose name was returned */
};

static void spans_close(struct ordo_reader *reader)
{
    struct spans_form *form = reader->state;
    if (form) {
        ordo_spans_free(&form->spans);
        free(form->items);
    }
    free(form);
    reader->state = NULL;
}

static int no_span_memory(const struct ordo_reader *reader, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

static int spans_open(struct ordo_reader *reader, struct ordo_error *error)
{
    reader->state = calloc(1, sizeof(struct spans_form));
    return reader->state ? ORDO_OK : no_span_memory(reader, error);
}

static int spans_again(struct ordo_reader *reader, struct ordo_error *error)
{
    struct spans_form *form = reader->state;
    (void)error;
    form->next = 0;
    form->named = 0;
    return ORDO_OK;
}

static int refuse_odd(const struct ordo_reader *reader, struct ordo_error *error)
{
    int odd = 0;
    while (odd < ORDO_ODDS && reader->odds.of[odd].count == 0)
        odd++;
    return odd == ORDO_ODDS
               ? ORDO_OK
               : ordo_reader_refuse(reader, error, "has %s: leave out --strict to read it", ordo_odd_text(odd));
}

/* Reads the file if it has not been read, and passes on its oddities. */
static int read_all(struct ordo_reader *reader, struct ordo_error *error)
{
    struct spans_form *form = reader->state;
    int code = ORDO_OK;
    if (!form->items) {
        code = ordo_spans_read(&form->spans, &reader->input, reader->partial, error);
        if (!code && !(form->items = ordo_span_order(&form->spans, &form->count)))
            code = no_span_memory(reader, error);
    }
    if (code)
        return code;
    reader->step_ns = form->spans.step_ns;
    memcpy(reader->odds.of, form->spans.odds.of, sizeof reader->odds.of);
    reader->input.at = reader->input.filled;
    return reader->odds.is_strict ? refuse_odd(reader, error) : ORDO_OK;
}

static int spans_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct spans_form *form = reader->state;
    int code = form->next == 0 && form->named == 0 ? read_all(reader, error) : ORDO_OK;
    if (code)
        return code;
    *event = ordo_event_none(reader);
    if (form->named < form->spans.services.count) {
        event->kind = ORDO_EVENT_META;
        event->name = (struct ordo_text){ORDO_EVENT_RANK_NAME, sizeof ORDO_EVENT_RANK_NAME - 1};
        event->rank = (int32_t)form->named;
        event->raw = form->spans.services.all[form->named++];
        return 1;
    }
    if (form->next == form->count)
        return 0;
    event->row = form->next + 1;
    ordo_span_event_set(&form->spans, &form->items[form->next++], event);
    return 1;
}

static int spans_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    if (writer->same && writer->first)
        return lseek(writer->first->input.fd, 0, SEEK_CUR) >= 0
                   ? ORDO_OK
                   : ordo_error_errno(error, "%s: has to be read twice, which takes a file", writer->first->input.path);
    return ordo_error_set(error, ORDO_E_INVALID, 0,
                          "--to spans: only a file of spans becomes a file of spans: write another form");
}

static void set_edit(struct ordo_spans *spans, uint32_t edit, int64_t global_ns)
{
    if (edit)
        spans->edits[edit - 1].value_ns = global_ns;
}

static void spans_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                      const struct ordo_event_stamp *end)
{
    struct spans_form *form = writer->first->state;
    struct ordo_span_item item;
    if ((event->kind != ORDO_EVENT_SPAN && event->kind != ORDO_EVENT_POINT) || event->raw.length != sizeof item)
        return;
    memcpy(&item, event->raw.at, sizeof item);
    if (item.what == ORDO_SPAN_MOMENT) {
        set_edit(&form->spans, form->spans.moments[item.at].edit, stamp->global_ns);
        return;
    }
    set_edit(&form->spans, form->spans.all[item.at].begin_edit, stamp->global_ns);
    set_edit(&form->spans, form->spans.all[item.at].end_edit, end->global_ns);
}

static int spans_finish(struct ordo_writer *writer, struct ordo_error *error)
{
    const struct spans_form *form = writer->first->state;
    return ordo_spans_copy(&form->spans, writer->first->input.path, writer->stream, error);
}

static void spans_end(struct ordo_writer *writer)
{
    writer->state = NULL;
}

const struct ordo_form ordo_form_spans = {
    .name = "spans",
    .title = "spans of services: JSON of OTLP, Jaeger or Zipkin",
    .suffix = ".json",
    .spans = true,
    .looks_first = true,
    .is_whole = true,
    .looks = ordo_spans_look,
    .open = spans_open,
    .again = spans_again,
    .next = spans_next,
    .close = spans_close,
    .begin = spans_begin,
    .put = spans_put,
    .finish = spans_finish,
    .end = spans_end,
};
