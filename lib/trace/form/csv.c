/* CSV with a first line of column names (RFC 4180, without line breaks in fields). The columns rank and time_ns are
 * required. Columns may come in any order; unknown columns are passed on. */
#include <stdlib.h>
#include <string.h>

#include "trace/form/form.h"
#include "trace/input/number.h"

enum { FIELDS_MOST = 256, UNKNOWN = -1 };

struct csv {
    int count, columns[FIELDS_MOST]; /* the column of each field */
    char *head;                      /* the line of names */
    char name[4096];                 /* of the last event, if it was in quotes */
};

static bool csv_looks(struct ordo_text beginning)
{
    const char *end = memchr(beginning.at, '\n', beginning.length);
    const char *comma = memchr(beginning.at, ',', beginning.length);
    bool is_paraver =
        beginning.length > 9 && strncasecmp(beginning.at, "#Paraver ", 9) == 0; /* its header has commas */
    return comma && end && comma < end && *beginning.at != '{' && *beginning.at != '[' && !is_paraver;
}

/* Removes the next field from the line. Copies a quoted field, without its quotes, into `room`. Returns false if a
 * quote is not closed. */
static bool take_quoted(struct ordo_text *line, struct ordo_text *field, char *room, size_t size)
{
    size_t at = 1, length = 0;
    for (;; at++) {
        if (at >= line->length || length >= size)
            return false;
        if (line->at[at] == '"' && (at + 1 == line->length || line->at[at + 1] != '"'))
            break;
        at += line->at[at] == '"';
        room[length++] = line->at[at];
    }
    at++;
    *field = (struct ordo_text){room, length};
    if (at < line->length && line->at[at] != ',')
        return false;
    line->at += at;
    line->length -= at;
    return true;
}

/* Removes the next field from the line. Fields are a few letters long, so a loop is faster than a call of memchr. */
static inline bool take_field(struct ordo_text *line, struct ordo_text *field, char *room, size_t size)
{
    if (line->length > 0 && *line->at == '"')
        return take_quoted(line, field, room, size);
    const char *at = line->at, *end = at + line->length;
    while (at < end && *at != ',')
        at++;
    *field = (struct ordo_text){line->at, (size_t)(at - line->at)};
    line->length -= field->length;
    line->at = at;
    return true;
}

static int column_named(const struct ordo_reader *reader, struct ordo_text name)
{
    for (int i = 0; i < ORDO_COLUMNS; i++)
        if (strlen(reader->columns.names[i]) == name.length &&
            memcmp(reader->columns.names[i], name.at, name.length) == 0)
            return i;
    return UNKNOWN;
}

/* Finds out in which unit the times are, if a column is called time_s, time_ms or time_us and none time_ns. */
static void find_unit(struct ordo_reader *reader, struct ordo_text line)
{
    static const char *const units[] = {"s", "ms", "us"};
    struct ordo_columns own = ordo_columns_defaults();
    char room[256];
    struct ordo_text field;
    const char *unit = NULL;
    if (reader->columns.names[ORDO_COLUMN_TIME] != own.names[ORDO_COLUMN_TIME])
        return;
    for (bool more = true; more && take_field(&line, &field, room, sizeof room);) {
        if (column_named(reader, field) == ORDO_COLUMN_TIME)
            return;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (field.length == strlen(units[i]) + 5 && memcmp(field.at, "time_", 5) == 0 &&
                memcmp(field.at + 5, units[i], strlen(units[i])) == 0)
                unit = units[i];
        more = line.length > 0;
        line.at += more;
        line.length -= more;
    }
    if (unit)
        (void)ordo_columns_set_unit(&reader->columns, unit);
}

static int read_names(struct ordo_reader *reader, struct csv *csv, struct ordo_text line, struct ordo_error *error)
{
    bool seen[ORDO_COLUMNS] = {false};
    csv->head = strndup(line.at, line.length);
    find_unit(reader, line);
    for (bool more = true; more; csv->count++) {
        struct ordo_text field;
        if (csv->count == FIELDS_MOST || !take_field(&line, &field, csv->name, sizeof csv->name))
            return ordo_reader_refuse(reader, error, "its names do not end, or are more than %d", FIELDS_MOST);
        int column = csv->columns[csv->count] = column_named(reader, field);
        if (column >= 0 && seen[column])
            return ordo_reader_refuse(reader, error, "has the column %s twice", reader->columns.names[column]);
        if (column >= 0)
            seen[column] = true;
        more = line.length > 0;
        line.at += more;
        line.length -= more;
    }
    for (int i = ORDO_COLUMN_RANK; i <= ORDO_COLUMN_TIME; i++)
        if (!seen[i])
            return ordo_reader_refuse(reader, error, "has no column %s: name the one that it is with --column %s=NAME",
                                      reader->columns.names[i], ordo_columns_defaults().names[i]);
    reader->corrected = seen[ORDO_COLUMN_GLOBAL] && seen[ORDO_COLUMN_EARLIEST] && seen[ORDO_COLUMN_LATEST];
    return csv->head ? ORDO_OK : ordo_reader_refuse(reader, error, "out of memory");
}

static void csv_close(struct ordo_reader *reader)
{
    struct csv *csv = reader->state;
    if (csv)
        free(csv->head);
    free(csv);
    reader->state = NULL;
}

static int csv_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_text line;
    struct csv *csv = reader->state = calloc(1, sizeof *csv);
    if (!csv)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    int code = ordo_input_line(&reader->input, &line, error);
    if (code == 0)
        code = ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row 1: is empty, and has no line of names",
                              reader->input.path);
    else if (code == 1)
        code = read_names(reader, csv, line, error);
    reader->has_rows = !code;
    if (code)
        csv_close(reader);
    return code;
}

static int read_field(struct ordo_reader *reader, struct ordo_event *event, int column, struct ordo_text field,
                      struct ordo_error *error)
{
    if (column == UNKNOWN)
        return ORDO_OK;
    return column < ORDO_COLUMNS_READ ? ordo_event_set(reader, event, column, field, error)
                                      : ordo_stamp_set(reader, column, field, error);
}

static int read_row(struct ordo_reader *reader, struct ordo_event *event, struct ordo_text line,
                    struct ordo_error *error)
{
    struct csv *csv = reader->state;
    char other[256];
    int i = 0, code = ORDO_OK;
    for (bool more = true; more && !code; i++) {
        struct ordo_text field;
        int column = i < csv->count ? csv->columns[i] : UNKNOWN;
        bool is_name = column == ORDO_COLUMN_NAME;
        if (!take_field(&line, &field, is_name ? csv->name : other, is_name ? sizeof csv->name : sizeof other))
            return ordo_reader_refuse(
                reader, error, "field %d has quotes that do not end, or is too long: correct or remove the row", i + 1);
        more = line.length > 0;
        line.at += more;
        line.length -= more;
        code = read_field(reader, event, column, field, error);
    }
    if (!code && i != csv->count)
        code = ordo_reader_refuse(reader, error, "has %d fields, and row 1 has %d names: correct or remove the row", i,
                                  csv->count);
    return code;
}

static int csv_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct ordo_text line;
    int code;
    do {
        code = ordo_input_line(&reader->input, &line, error);
    } while (code == 1 && line.length == 0);
    if (code != 1)
        return code;
    *event = ordo_event_none(reader);
    event->raw = line;
    code = read_row(reader, event, line, error);
    if (!code)
        code = ordo_event_check(reader, event, error);
    return code ? code : 1;
}

static int csv_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    (void)error;
    int from = ORDO_COLUMN_GLOBAL;
    if (writer->same)
        fwrite(writer->head.at, 1, writer->head.length, writer->stream);
    else
        for (from = 0; from < ORDO_COLUMNS_READ; from++)
            fprintf(writer->stream, "%s%s", from ? "," : "", writer->columns.names[from]);
    for (; from < ORDO_COLUMNS; from++)
        fprintf(writer->stream, ",%s", writer->columns.names[from]);
    putc('\n', writer->stream);
    return ORDO_OK;
}

static char *put_optional(char *to, int64_t number, bool there)
{
    *to++ = ',';
    return there ? ordo_text_put_int(to, number) : to;
}

/* Writes a name. Replaces line breaks, which a name of another form may have, because a row is one line. */
static void put_name(FILE *stream, struct ordo_text name)
{
    bool plain = true;
    for (size_t i = 0; i < name.length; i++)
        plain &= name.at[i] != ',' && name.at[i] != '"' && (unsigned char)name.at[i] >= 0x20;
    if (plain) {
        if (name.length > 0) /* `at` may be NULL for an event without a name */
            fwrite_unlocked(name.at, 1, name.length, stream);
        return;
    }
    putc_unlocked('"', stream);
    for (size_t i = 0; i < name.length; i++) {
        if (name.at[i] == '"')
            putc_unlocked('"', stream);
        putc_unlocked((unsigned char)name.at[i] < 0x20 ? ' ' : name.at[i], stream);
    }
    putc_unlocked('"', stream);
}

static void put_csv_event(FILE *stream, const struct ordo_event *event)
{
    char room[240], *to = ordo_text_put_int(room, event->rank);
    *to++ = ',';
    to = ordo_text_put_int(to, event->time_ns);
    *to++ = ',';
    to = stpcpy(to, ordo_event_kind_name(event->kind));
    *to++ = ',';
    fwrite_unlocked(room, 1, (size_t)(to - room), stream);
    put_name(stream, event->name);
    to = put_optional(room, event->peer, event->peer >= 0);
    to = put_optional(to, event->tag, event->tag >= 0);
    to = put_optional(to, (int64_t)event->bytes, event->has_bytes);
    to = put_optional(to, event->thread, true);
    to = put_optional(to, (int64_t)event->communicator, true);
    to = put_optional(to, event->root, event->root >= 0);
    to = put_optional(to, event->number, event->number != ORDO_EVENT_UNCOUNTED);
    fwrite_unlocked(room, 1, (size_t)(to - room), stream);
}

static void csv_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    const struct ordo_event_stamp *end)
{
    enum { STAMP = 72, SHORT = 440 };
    char room[SHORT + STAMP], *to = room;
    (void)end;
    if (event->kind >= ORDO_EVENT_OTHER)
        return;
    if (writer->same && event->raw.length <= SHORT)
        to = mempcpy(to, event->raw.at, event->raw.length); /* so that one call writes the whole row */
    else if (writer->same)
        fwrite_unlocked(event->raw.at, 1, event->raw.length, writer->stream);
    else
        put_csv_event(writer->stream, event);
    to = put_optional(to, stamp->global_ns, true);
    to = put_optional(to, stamp->earliest_ns, true);
    to = put_optional(to, stamp->latest_ns, true);
    *to++ = '\n';
    fwrite_unlocked(room, 1, (size_t)(to - room), writer->stream);
}

static void csv_end(struct ordo_writer *writer)
{
    (void)writer;
}

/** Returns the line of names, for a writer of the same form. */
static struct ordo_text csv_head(const struct ordo_reader *reader)
{
    const struct csv *csv = reader->state;
    return (struct ordo_text){csv->head, strlen(csv->head)};
}

const struct ordo_form ordo_form_csv = {
    .name = "csv",
    .title = "CSV with named columns",
    .suffix = ".csv",
    .looks = csv_looks,
    .open = csv_open,
    .next = csv_next,
    .close = csv_close,
    .head = csv_head,
    .begin = csv_begin,
    .put = csv_put,
    .end = csv_end,
};
