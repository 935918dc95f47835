/* JSON Lines: one object a line. The keys have the names of the columns of CSV; unknown keys are passed on. */
#include <stdlib.h>
#include <string.h>

#include "trace/form/form.h"
#include "trace/input/json.h"
#include "trace/input/number.h"

struct jsonl {
    char name[4096];
};

static bool jsonl_looks(struct ordo_text beginning)
{
    const char *end = memchr(beginning.at, '\n', beginning.length);
    struct ordo_text line = {beginning.at, end ? (size_t)(end - beginning.at) : beginning.length};
    return ordo_json_inside(line).at && !memmem(line.at, line.length, "\"traceEvents\"", 13);
}

static int jsonl_open(struct ordo_reader *reader, struct ordo_error *error)
{
    reader->state = calloc(1, sizeof(struct jsonl));
    return reader->state ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
}

static void jsonl_close(struct ordo_reader *reader)
{
    free(reader->state);
    reader->state = NULL;
}

static int key_of(const struct ordo_reader *reader, struct ordo_text key)
{
    for (int i = 0; i < ORDO_COLUMNS; i++)
        if (strlen(reader->columns.names[i]) == key.length && memcmp(reader->columns.names[i], key.at, key.length) == 0)
            return i;
    return -1;
}

static bool is_null(struct ordo_text value)
{
    return value.length == 4 && memcmp(value.at, "null", 4) == 0;
}

static int read_members(struct ordo_reader *reader, struct ordo_event *event, struct ordo_text inside, unsigned *seen,
                        struct ordo_error *error)
{
    struct jsonl *jsonl = reader->state;
    struct ordo_member member;
    int more, code = ORDO_OK;
    while (!code && (more = ordo_json_member(&inside, &member)) != 0) {
        if (more < 0)
            return ordo_reader_refuse(reader, error, "is no object of JSON: correct or remove the row");
        int column = key_of(reader, member.key);
        if (column < 0 || is_null(member.value))
            continue;
        *seen |= 1u << column;
        struct ordo_text value = ordo_json_plain(member.value, jsonl->name, sizeof jsonl->name);
        code = column < ORDO_COLUMNS_READ ? ordo_event_set(reader, event, column, value, error)
                                          : ordo_stamp_set(reader, column, value, error);
    }
    return code;
}

static int jsonl_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    const unsigned stamps = 1u << ORDO_COLUMN_GLOBAL | 1u << ORDO_COLUMN_EARLIEST | 1u << ORDO_COLUMN_LATEST;
    struct ordo_text line;
    unsigned seen = 0;
    int code;
    do {
        code = ordo_input_line(&reader->input, &line, error);
    } while (code == 1 && line.length == 0);
    if (code != 1)
        return code;
    *event = ordo_event_none(reader);
    event->raw = line;
    struct ordo_text inside = ordo_json_inside(line);
    if (!inside.at)
        return ordo_reader_refuse(reader, error, "is no object of JSON: correct or remove the row");
    code = read_members(reader, event, inside, &seen, error);
    for (int i = ORDO_COLUMN_RANK; !code && i <= ORDO_COLUMN_TIME; i++)
        if (!(seen & 1u << i))
            return ordo_reader_refuse(reader, error,
                                      "has no %s: add it, or name the key that it is with --column %s=KEY",
                                      reader->columns.names[i], ordo_columns_defaults().names[i]);
    reader->corrected = (seen & stamps) == stamps;
    if (!code)
        code = ordo_event_check(reader, event, error);
    return code ? code : 1;
}

static int jsonl_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    (void)writer;
    (void)error;
    return ORDO_OK;
}

static void put_int(const struct ordo_writer *writer, int column, int64_t number, bool there)
{
    char room[24];
    if (!there)
        return;
    putc_unlocked(column == ORDO_COLUMN_RANK ? '{' : ',', writer->stream);
    ordo_json_put_string(writer->stream,
                         (struct ordo_text){writer->columns.names[column], strlen(writer->columns.names[column])});
    putc_unlocked(':', writer->stream);
    fwrite_unlocked(room, 1, (size_t)(ordo_text_put_int(room, number) - room), writer->stream);
}

static void put_text(const struct ordo_writer *writer, int column, struct ordo_text text)
{
    fprintf(writer->stream, ",\"%s\":", writer->columns.names[column]);
    ordo_json_put_string(writer->stream, text);
}

static void put_jsonl_event(const struct ordo_writer *writer, const struct ordo_event *event)
{
    const char *kind = ordo_event_kind_name(event->kind);
    put_int(writer, ORDO_COLUMN_RANK, event->rank, true);
    put_int(writer, ORDO_COLUMN_TIME, event->time_ns, true);
    put_text(writer, ORDO_COLUMN_KIND, (struct ordo_text){kind, strlen(kind)});
    if (event->name.length > 0)
        put_text(writer, ORDO_COLUMN_NAME, event->name);
    put_int(writer, ORDO_COLUMN_PEER, event->peer, event->peer >= 0);
    put_int(writer, ORDO_COLUMN_TAG, event->tag, event->tag >= 0);
    put_int(writer, ORDO_COLUMN_BYTES, (int64_t)event->bytes, event->has_bytes);
    put_int(writer, ORDO_COLUMN_THREAD, event->thread, event->thread != 0);
    put_int(writer, ORDO_COLUMN_COMMUNICATOR, (int64_t)event->communicator, event->communicator != 0);
    put_int(writer, ORDO_COLUMN_ROOT, event->root, event->root >= 0);
    put_int(writer, ORDO_COLUMN_NUMBER, event->number, event->number != ORDO_EVENT_UNCOUNTED);
}

static void jsonl_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                      const struct ordo_event_stamp *end)
{
    (void)end;
    if (event->kind >= ORDO_EVENT_OTHER)
        return;
    if (writer->same) { /* everything except the closing brace */
        size_t length = event->raw.length;
        while (length > 0 && event->raw.at[length - 1] != '}')
            length--;
        fwrite_unlocked(event->raw.at, 1, length - 1, writer->stream);
    } else {
        put_jsonl_event(writer, event);
    }
    put_int(writer, ORDO_COLUMN_GLOBAL, stamp->global_ns, true);
    put_int(writer, ORDO_COLUMN_EARLIEST, stamp->earliest_ns, true);
    put_int(writer, ORDO_COLUMN_LATEST, stamp->latest_ns, true);
    fwrite_unlocked("}\n", 1, 2, writer->stream);
}

static void jsonl_end(struct ordo_writer *writer)
{
    (void)writer;
}

const struct ordo_form ordo_form_jsonl = {
    .name = "jsonl",
    .title = "JSON Lines, an object a line with the keys of the columns",
    .suffix = ".jsonl",
    .looks = jsonl_looks,
    .open = jsonl_open,
    .next = jsonl_next,
    .close = jsonl_close,
    .begin = jsonl_begin,
    .put = jsonl_put,
    .end = jsonl_end,
};
