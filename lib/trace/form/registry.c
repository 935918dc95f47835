#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event/collective.h"
#include "trace/event/nccl.h"
#include "trace/file/layout.h"
#include "trace/form/form.h"
#include "trace/input/number.h"

static const char *const names[ORDO_COLUMNS] = {"rank",   "time_ns",   "kind",        "name",         "peer",
                                                "tag",    "bytes",     "thread",      "communicator", "root",
                                                "number", "global_ns", "earliest_ns", "latest_ns"};

struct ordo_columns ordo_columns_defaults(void)
{
    struct ordo_columns columns = {.places = -1};
    memcpy(columns.names, names, sizeof names);
    return columns;
}

bool ordo_columns_set_unit(struct ordo_columns *columns, const char *unit)
{
    static const struct {
        const char *unit, *name;
        int places;
    } units[] = {{"s", "time_s", 9}, {"ms", "time_ms", 6}, {"us", "time_us", 3}, {"ns", "time_ns", 0}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0) {
            if (columns->names[ORDO_COLUMN_TIME] == names[ORDO_COLUMN_TIME])
                columns->names[ORDO_COLUMN_TIME] = units[i].name;
            columns->places = units[i].places;
            return true;
        }
    return false;
}

int ordo_column_find(const char *name, size_t length)
{
    for (int i = 0; i < ORDO_COLUMNS; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return i;
    return -1;
}

const struct ordo_form *ordo_form_find(const char *name)
{
    const struct ordo_form *const *at = ordo_forms;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

static int choose_form(struct ordo_reader *reader, struct ordo_error *error)
{
    enum { ENOUGH = 4096 };
    ptrdiff_t got = ordo_input_need(&reader->input, ENOUGH, error);
    if (got < 0)
        return (int)got;
    struct ordo_text beginning = {reader->input.buffer + reader->input.at, (size_t)got};
    for (int exact = 1; exact >= 0; exact--)
        for (const struct ordo_form *const *at = ordo_forms; *at && !reader->form; at++)
            if ((*at)->looks_first == exact && (*at)->looks(beginning))
                reader->form = *at;
    if (!reader->form && reader->input.cut)
        return ordo_error_set(error, ORDO_E_TRUNCATED, 0,
                              "%s: its compressed data end before its first event: copy it again", reader->input.path);
    if (!reader->form)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: row 1: is no trace of a form that is known: name it with --from",
                              reader->input.path);
    return ORDO_OK;
}

int ordo_reader_open(struct ordo_reader *reader, const char *path, const struct ordo_form *form,
                     const struct ordo_columns *columns, struct ordo_error *error)
{
    *reader = (struct ordo_reader){.form = form, .columns = *columns, .rank = -1};
    int code = ordo_input_open(&reader->input, path, error);
    if (code)
        return code;
    if (!form)
        code = choose_form(reader, error);
    if (!code)
        code = reader->form->open(reader, error);
    if (code)
        ordo_input_close(&reader->input);
    return code;
}

int ordo_reader_rewind(struct ordo_reader *reader, struct ordo_error *error)
{
    int32_t rank = reader->rank;
    bool is_strict = reader->odds.is_strict;
    if (!reader->form->again)
        reader->form->close(reader);
    reader->odds = (struct ordo_odds){.is_strict = is_strict};
    int code = ordo_input_rewind(&reader->input, error);
    if (code && reader->form->again)
        reader->form->close(reader);
    if (!code)
        code = reader->form->again ? reader->form->again(reader, error) : reader->form->open(reader, error);
    if (code)
        ordo_input_close(&reader->input);
    reader->rank = rank;
    return code;
}

void ordo_reader_close(struct ordo_reader *reader)
{
    if (reader->input.buffer)
        reader->form->close(reader);
    ordo_input_close(&reader->input);
}

int ordo_reader_refuse(const struct ordo_reader *reader, struct ordo_error *error, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ordo_input_refuse(&reader->input, error, "%s", text);
}

int ordo_reader_odd(struct ordo_reader *reader, enum ordo_odd odd, uint64_t row, uint64_t count,
                    struct ordo_error *error)
{
    return ordo_odds_take(&reader->odds, reader->input.path, odd, row, count, error);
}

bool ordo_reader_is_cut(const struct ordo_reader *reader)
{
    const struct ordo_input *input = &reader->input;
    return input->ended && input->filled > 0 && input->at == input->filled && input->buffer[input->filled - 1] != '\n';
}

int ordo_reader_end(struct ordo_reader *reader, int more, struct ordo_error *error)
{
    bool is_cut =
        more == 0 ? reader->input.cut : more == ORDO_E_MALFORMED && reader->has_rows && ordo_reader_is_cut(reader);
    if (!is_cut)
        return more;
    if (reader->partial) {
        if (reader->odds.of[ORDO_ODD_CUT].count == 0)
            ordo_odds_note(&reader->odds, ORDO_ODD_CUT, reader->input.row, 1);
        return 0;
    }
    if (more < 0)
        return more;
    return ordo_error_set(error, ORDO_E_TRUNCATED, 0, "%s: %s: take what is whole with --partial", reader->input.path,
                          reader->input.has_tail ? "has other bytes behind its compressed data"
                                                 : "its compressed data end too early: the file is cut");
}

struct ordo_event ordo_event_none(const struct ordo_reader *reader)
{
    return (struct ordo_event){.rank = reader->rank,
                               .row = reader->input.row,
                               .peer = -1,
                               .tag = -1,
                               .root = -1,
                               .place = -1,
                               .number = ORDO_EVENT_UNCOUNTED,
                               .flow = ORDO_EVENT_NO_FLOW};
}

static int wrong_column(const struct ordo_reader *reader, int column, struct ordo_text value, const char *wanted,
                        struct ordo_error *error)
{
    return ordo_reader_refuse(reader, error, "%s is '%.*s', and not %s: correct or remove the row",
                              reader->columns.names[column], (int)(value.length < 30 ? value.length : 30), value.at,
                              wanted);
}

/* Reads a time in any notation of a number, because programs that keep times as doubles write 1.7e18. */
static int read_time(const struct ordo_reader *reader, int column, struct ordo_text value, int64_t most,
                     int64_t *time_ns, struct ordo_error *error)
{
    switch (ordo_text_time(value, most, time_ns)) {
    case ORDO_TEXT_FITS:
        return ORDO_OK;
    case ORDO_TEXT_TOO_LARGE:
        return wrong_column(reader, column, value, "nanoseconds within 73 years of 0", error);
    default:
        return wrong_column(reader, column, value, "whole nanoseconds", error);
    }
}

/* Reads a time in a unit that is not ns, with all of its digits. Fractions of a nanosecond are cut off towards the past.
 */
static int read_time_in(const struct ordo_reader *reader, struct ordo_text value, int64_t most, int64_t *time_ns,
                        struct ordo_error *error)
{
    struct ordo_decimal number;
    enum ordo_text_fit fit = ordo_text_decimal(value, reader->columns.places, &number);
    if (fit == ORDO_TEXT_NO_NUMBER)
        return wrong_column(reader, ORDO_COLUMN_TIME, value, "a number", error);
    if (fit == ORDO_TEXT_TOO_LARGE || number.whole < -most || number.whole > most)
        return wrong_column(reader, ORDO_COLUMN_TIME, value, "within 73 years of 0", error);
    *time_ns = number.whole;
    return ORDO_OK;
}

/* The peer of a message of OTF2 that is not yet read. */
enum { PEER_UNREAD = -2 };

/* Sets the kind. A message of OTF2 whose row has no peer is an event. */
static int set_kind(const struct ordo_reader *reader, struct ordo_event *event, struct ordo_text value,
                    struct ordo_error *error)
{
    int kind = ordo_event_kind_of(value);
    if (kind < 0)
        return wrong_column(reader, ORDO_COLUMN_KIND, value, "event, begin, end, send or recv", error);
    event->kind = (uint8_t)kind;
    if ((value.at[0] == 'M' || value.at[0] == 'm') && event->peer == -1)
        event->peer = PEER_UNREAD;
    return ORDO_OK;
}

/* Sets one of the fields that are whole numbers. */
static int set_number(const struct ordo_reader *reader, struct ordo_event *event, int column, struct ordo_text value,
                      struct ordo_error *error)
{
    bool signless = column == ORDO_COLUMN_RANK || (column >= ORDO_COLUMN_BYTES && column != ORDO_COLUMN_COMMUNICATOR);
    int64_t number, least = signless ? 0 : -1;
    int64_t most = column == ORDO_COLUMN_BYTES || column == ORDO_COLUMN_COMMUNICATOR ? INT64_MAX
                   : column == ORDO_COLUMN_RANK || column == ORDO_COLUMN_PEER        ? ORDO_TRACE_RANKS_MOST - 1
                   : column == ORDO_COLUMN_THREAD                                    ? UINT32_MAX
                   : column == ORDO_COLUMN_NUMBER                                    ? ORDO_EVENT_UNCOUNTED - 1
                                                                                     : INT32_MAX;
    if (!ordo_text_within(value, column == ORDO_COLUMN_ROOT ? -1 : least, most, &number))
        return wrong_column(reader, column, value,
                            column == ORDO_COLUMN_RANK || column == ORDO_COLUMN_PEER ? "a rank" : "a number", error);
    switch (column) {
    case ORDO_COLUMN_RANK:
        event->rank = (int32_t)number;
        break;
    case ORDO_COLUMN_PEER:
        event->peer = (int32_t)number;
        break;
    case ORDO_COLUMN_TAG:
        event->tag = (int32_t)number;
        break;
    case ORDO_COLUMN_BYTES:
        event->bytes = (uint64_t)number;
        event->has_bytes = true;
        break;
    case ORDO_COLUMN_THREAD:
        event->thread = (uint32_t)number;
        break;
    case ORDO_COLUMN_COMMUNICATOR:
        event->communicator = (uint64_t)number; /* -1: ORDO_EVENT_NO_COMMUNICATOR */
        break;
    case ORDO_COLUMN_ROOT:
        event->root = (int32_t)number;
        break;
    default:
        event->number = (uint32_t)number;
    }
    return ORDO_OK;
}

int ordo_event_set(const struct ordo_reader *reader, struct ordo_event *event, int column, struct ordo_text value,
                   struct ordo_error *error)
{
    const int64_t most = INT64_MAX / 4; /* larger times could overflow when added or subtracted */
    if (column == ORDO_COLUMN_TIME)
        return reader->columns.places > 0 ? read_time_in(reader, value, most, &event->time_ns, error)
                                          : read_time(reader, column, value, most, &event->time_ns, error);
    if (column == ORDO_COLUMN_NAME) {
        event->name = value;
        return ORDO_OK;
    }
    if (value.length == 0 && column != ORDO_COLUMN_RANK)
        return ORDO_OK;
    return column == ORDO_COLUMN_KIND ? set_kind(reader, event, value, error)
                                      : set_number(reader, event, column, value, error);
}

int ordo_stamp_set(struct ordo_reader *reader, int column, struct ordo_text value, struct ordo_error *error)
{
    int64_t *const members[] = {&reader->stamp.global_ns, &reader->stamp.earliest_ns, &reader->stamp.latest_ns};
    const int64_t most = INT64_MAX / 2;
    return read_time(reader, column, value, most, members[column - ORDO_COLUMNS_READ], error);
}

int ordo_event_check(const struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    if (event->peer == PEER_UNREAD) {
        event->kind = ORDO_EVENT_POINT;
        event->peer = -1;
    }
    if ((event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV) && event->peer < 0)
        return ordo_reader_refuse(reader, error, "a %s has no %s: correct or remove the row",
                                  ordo_event_kind_name(event->kind), reader->columns.names[ORDO_COLUMN_PEER]);
    bool region = event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END || event->kind == ORDO_EVENT_SPAN;
    if (region && event->communicator != ORDO_EVENT_NO_COMMUNICATOR && !event->collective)
        event->collective = (uint8_t)ordo_event_waits_of(event->name);
    if (event->collective && event->communicator == 0 && ordo_nccl_kernel(event->name).at)
        event->communicator = ORDO_NCCL_COMMUNICATOR;
    if (event->collective == ORDO_COLLECTIVE_PREFIX && event->communicator == 0)
        event->place = event->rank; /* rows do not state the place in other communicators */
    return ORDO_OK;
}
