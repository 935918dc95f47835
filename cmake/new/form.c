/* The programs that write this form, and the document that describes it. Here: a line "NAME", then a line
 * "RANK TIME_NS WORDS" for each event. */
#include <inttypes.h>
#include <string.h>

#include "trace/form/form.h"

#define HEAD "NAME\n"

static bool form_looks(struct ordo_text beginning)
{
    return beginning.length >= strlen(HEAD) && memcmp(beginning.at, HEAD, strlen(HEAD)) == 0;
}

static int form_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_text line;
    int more = ordo_input_line(&reader->input, &line, error);
    if (more < 0)
        return more;
    if (more == 0 || line.length + 1 != strlen(HEAD) || memcmp(line.at, HEAD, line.length) != 0)
        return ordo_reader_refuse(reader, error, "is not NAME: give a trace of this form");
    return ORDO_OK;
}

static void form_close(struct ordo_reader *reader)
{
    reader->state = NULL;
}

/* Removes the first word from the line, and returns it. */
static struct ordo_text take(struct ordo_text *line)
{
    const char *space = memchr(line->at, ' ', line->length);
    struct ordo_text word = {line->at, space ? (size_t)(space - line->at) : line->length};
    size_t taken = word.length + (space != NULL);
    *line = (struct ordo_text){line->at + taken, line->length - taken};
    return word;
}

static int form_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct ordo_text line;
    int more = ordo_input_line(&reader->input, &line, error);
    if (more != 1)
        return more;
    *event = ordo_event_none(reader);
    event->raw = line;
    int code = ordo_event_set(reader, event, ORDO_COLUMN_RANK, take(&line), error);
    if (!code)
        code = ordo_event_set(reader, event, ORDO_COLUMN_TIME, take(&line), error);
    if (!code)
        code = ordo_event_set(reader, event, ORDO_COLUMN_NAME, line, error);
    if (!code)
        code = ordo_event_check(reader, event, error);
    return code ? code : 1;
}

static int form_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    (void)error;
    fputs(HEAD, writer->stream);
    return ORDO_OK;
}

static void form_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                     const struct ordo_event_stamp *end)
{
    (void)end;
    if (event->kind < ORDO_EVENT_OTHER)
        fprintf(writer->stream, "%" PRId32 " %" PRId64 " %.*s\n", event->rank, stamp->global_ns,
                (int)event->name.length, event->name.length > 0 ? event->name.at : "");
}

static void form_end(struct ordo_writer *writer)
{
    (void)writer;
}

const struct ordo_form ordo_form_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .suffix = ".NAME",
    .looks = form_looks,
    .open = form_open,
    .next = form_next,
    .close = form_close,
    .begin = form_begin,
    .put = form_put,
    .end = form_end,
};
