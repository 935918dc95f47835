/* The Trace Event Format, which Chrome's tracing and Perfetto's UI load (N. Duca and D. Sinclair, Trace Event Format,
 * 2016): an array of objects, or an object with such an array "traceEvents". Times are in microseconds.
 *
 * The rank of an event is
 * - "rank" of an object "distributedInfo" in the same object as the array, as machine-learning trainers write it;
 * - without this object, the index of the file if several files are given;
 * - otherwise the event's pid.
 *
 * A thread is a pair of pid and tid: if two pids of a rank have a tid 7, they are two threads. Phases B, E, X, i, I and
 * n are events; other phases are passed on, and their times, if any, are corrected. A begin or instant with "args":
 * {"send_to": peer} or {"recv_from": peer} (and "tag", "bytes") is an end of a message. Ordo's own writer marks
 * messages in this way, and draws an arrow (phases s and f) from one end to the other. The "args" of messages and
 * collectives also have "communicator", "root" and "number", like the columns of CSV. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/form/form.h"
#include "trace/input/json.h"
#include "trace/input/nccl.h"
#include "trace/input/number.h"
#include "trace/input/tracks.h"

enum { NAME_MOST = 4096 };

struct chrome {
    bool inside; /* the reader is inside the array of events */
    bool ended;
    struct ordo_tracks tracks;
    char name[NAME_MOST];
};

struct chrome_out {
    uint64_t arrows;
    bool some;
};

static bool chrome_looks(struct ordo_text beginning)
{
    size_t at = 0;
    while (at < beginning.length && ordo_json_space(beginning.at[at]))
        at++;
    if (at == beginning.length || beginning.at[at] == '[')
        return at < beginning.length;
    const char *end = memchr(beginning.at, '\n', beginning.length); /* a whole object on the first line: JSON Lines */
    struct ordo_text line = {beginning.at, end ? (size_t)(end - beginning.at) : beginning.length};
    return beginning.at[at] == '{' &&
           (ordo_json_span(line) <= 0 || memmem(line.at, line.length, "\"traceEvents\"", 13) != NULL);
}

/* Returns the next letter that is not a space; 0 at the end; a negative code if the file cannot be read. */
static int peek(struct ordo_reader *reader, struct ordo_error *error)
{
    struct ordo_input *input = &reader->input;
    for (;;) {
        ptrdiff_t got = ordo_input_need(input, 1, error);
        if (got <= 0)
            return (int)got;
        if (!ordo_json_space(input->buffer[input->at]))
            return (unsigned char)input->buffer[input->at];
        input->at++;
    }
}

/* Reads the next value. Returns 1; 0 if the file ends before it; or a negative code. */
static int value(struct ordo_reader *reader, struct ordo_text *text, struct ordo_error *error)
{
    struct ordo_input *input = &reader->input;
    int first = peek(reader, error);
    if (first <= 0)
        return first;
    for (size_t wanted = 1024;; wanted *= 2) {
        ptrdiff_t got = ordo_input_need(input, wanted, error);
        if (got < 0)
            return (int)got;
        *text = (struct ordo_text){input->buffer + input->at, (size_t)got};
        ptrdiff_t span = ordo_json_span(*text);
        if (span < 0)
            return ordo_reader_refuse(reader, error, "is not JSON: write the trace again");
        if (span > 0 && (span < got || first == '{' || first == '[' || first == '"' || input->ended)) {
            text->length = (size_t)span;
            input->at += (size_t)span;
            return 1;
        }
        if (input->ended)
            return ordo_reader_refuse(reader, error, "the file ends within it: write the trace again");
        if (wanted > ORDO_INPUT_LINE_MOST)
            return ordo_reader_refuse(reader, error, "has more than %d letters: it is no trace", ORDO_INPUT_LINE_MOST);
    }
}

static bool text_is(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

static int skip(struct ordo_reader *reader, char letter, struct ordo_error *error)
{
    int next = peek(reader, error);
    if (next < 0)
        return next;
    if (next != letter)
        return ordo_reader_refuse(reader, error,
                                  "is not JSON ('%c' is missing before byte %" PRIu64 "): write the trace again",
                                  letter, reader->input.before + reader->input.at);
    reader->input.at++;
    return ORDO_OK;
}

static void find_rank(struct ordo_reader *reader, struct ordo_text info)
{
    struct ordo_text inside = ordo_json_inside(info);
    struct ordo_member member;
    int64_t rank;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        if (text_is(member.key, "rank") && ordo_text_within(member.value, 0, (1 << 20) - 1, &rank))
            reader->rank = (int32_t)rank;
}

/* Reads the members of the outermost object, up to its array of events. */
static int find_array(struct ordo_reader *reader, struct ordo_error *error)
{
    struct chrome *chrome = reader->state;
    struct ordo_text key, other;
    for (;;) {
        int code = peek(reader, error);
        if (code == '}' || code == 0) {
            chrome->ended = true;
            return ORDO_OK;
        }
        if (code == ',')
            reader->input.at++;
        code = value(reader, &key, error);
        if (code != 1)
            return code;
        bool array = text_is(key, "\"traceEvents\""), info = text_is(key, "\"distributedInfo\"");
        code = skip(reader, ':', error);
        if (!code && array && peek(reader, error) == '[') {
            reader->input.at++;
            chrome->inside = true;
            return ORDO_OK;
        }
        if (!code)
            code = value(reader, &other, error);
        if (code != 1)
            return code ? code : ordo_reader_refuse(reader, error, "the file ends within it: write the trace again");
        if (info)
            find_rank(reader, other);
    }
}

static void chrome_close(struct ordo_reader *reader)
{
    struct chrome *chrome = reader->state;
    if (chrome)
        ordo_tracks_free(&chrome->tracks);
    free(chrome);
    reader->state = NULL;
}

static int chrome_open(struct ordo_reader *reader, struct ordo_error *error)
{
    struct chrome *chrome = reader->state = calloc(1, sizeof *chrome);
    if (!chrome)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    reader->input.row = 1;
    int first = peek(reader, error), code = first < 0 ? first : ORDO_OK;
    if (!code && first != '[' && first != '{')
        code = ordo_reader_refuse(reader, error, "is no JSON of events: name its form with --from");
    if (!code) {
        reader->input.at++;
        chrome->inside = first == '[';
        code = first == '{' ? find_array(reader, error) : ORDO_OK;
    }
    reader->input.row = 0;
    if (code)
        chrome_close(reader);
    return code;
}

static void set_phase(struct ordo_event *event, struct ordo_text phase)
{
    static const struct {
        const char *phase;
        int kind;
    } known[] = {{"B", ORDO_EVENT_BEGIN}, {"E", ORDO_EVENT_END},   {"X", ORDO_EVENT_SPAN},
                 {"i", ORDO_EVENT_POINT}, {"I", ORDO_EVENT_POINT}, {"n", ORDO_EVENT_POINT}};
    event->kind = text_is(phase, "M") ? ORDO_EVENT_META : ORDO_EVENT_OTHER;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_is(phase, known[i].phase))
            event->kind = (uint8_t)known[i].kind;
}

static void read_args(struct ordo_reader *reader, struct ordo_event *event, struct ordo_text args)
{
    struct ordo_text inside = ordo_json_inside(args);
    struct ordo_member member;
    int64_t number;
    while (inside.at && ordo_json_member(&inside, &member) == 1) {
        bool send = text_is(member.key, "send_to"), recv = text_is(member.key, "recv_from");
        if ((send || recv) && ordo_text_within(member.value, 0, (1 << 20) - 1, &number)) {
            event->kind = send ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
            event->peer = (int32_t)number;
        } else if (text_is(member.key, "tag") && ordo_text_within(member.value, 0, INT32_MAX, &number)) {
            event->tag = (int32_t)number;
        } else if (text_is(member.key, "communicator") && ordo_text_within(member.value, -1, INT64_MAX, &number)) {
            event->communicator = (uint64_t)number;
        } else if (text_is(member.key, "root") && ordo_text_within(member.value, 0, (1 << 20) - 1, &number)) {
            event->root = (int32_t)number;
        } else if (text_is(member.key, "number") && ordo_text_within(member.value, 0, INT32_MAX, &number)) {
            event->number = (uint32_t)number;
        } else if (text_is(member.key, "bytes") && ordo_text_within(member.value, 0, INT64_MAX, &number)) {
            event->bytes = (uint64_t)number;
            event->has_bytes = true;
        } else if (text_is(member.key, "earliest_ns") && ordo_text_int(member.value, &reader->stamp.earliest_ns)) {
            reader->corrected = true; /* only Ordo's corrections write bounds */
        } else if (text_is(member.key, "latest_ns")) {
            (void)ordo_text_int(member.value, &reader->stamp.latest_ns);
        }
    }
}

/* The values of the members of an event. */
struct members {
    struct ordo_text phase, pid, tid, args, time, duration;
};

static int read_members(struct ordo_reader *reader, struct ordo_event *event, struct members *members,
                        struct ordo_error *error)
{
    struct chrome *chrome = reader->state;
    struct ordo_text inside = ordo_json_inside(event->raw);
    struct ordo_member member;
    int more;
    char other[64];
    while ((more = ordo_json_member(&inside, &member)) == 1) {
        if (text_is(member.key, "name"))
            event->name = ordo_json_plain(member.value, chrome->name, sizeof chrome->name);
        else if (text_is(member.key, "ph"))
            members->phase = ordo_json_plain(member.value, other, sizeof other);
        else if (text_is(member.key, "pid"))
            members->pid = member.value;
        else if (text_is(member.key, "tid"))
            members->tid = member.value;
        else if (text_is(member.key, "args"))
            members->args = member.value;
        else if (text_is(member.key, "ts"))
            members->time = member.value;
        else if (text_is(member.key, "dur"))
            members->duration = member.value;
    }
    return more < 0 ? ordo_reader_refuse(reader, error, "is no object of JSON: write the trace again") : ORDO_OK;
}

/* Reads a number of microseconds as nanoseconds, with all of its digits. */
static int read_us(const struct ordo_reader *reader, const char *key, struct ordo_text value,
                   struct ordo_decimal *number, struct ordo_error *error)
{
    const int64_t most = INT64_MAX / 4; /* larger times could overflow when added or subtracted */
    int shown = value.length < 30 ? (int)value.length : 30;
    enum ordo_text_fit fit = ordo_text_decimal(value, 3, number);
    if (fit == ORDO_TEXT_NO_NUMBER && shown == 0)
        return ordo_reader_refuse(reader, error, "has no %s in microseconds: write the trace again", key);
    if (fit == ORDO_TEXT_NO_NUMBER)
        return ordo_reader_refuse(reader, error, "%s is '%.*s', and no number of microseconds: write the trace again",
                                  key, shown, value.at);
    if (fit == ORDO_TEXT_TOO_LARGE || number->whole > most || number->whole < -most)
        return ordo_reader_refuse(reader, error,
                                  "%s is '%.*s', and not within 73 years of 0 in microseconds: write the trace again",
                                  key, shown, value.at);
    return ORDO_OK;
}

static bool is_number(struct ordo_text value)
{
    struct ordo_decimal number;
    return ordo_text_decimal(value, 0, &number) != ORDO_TEXT_NO_NUMBER;
}

/* Sets the time and the duration of an event. Rounds the end down after adding the exact time and duration, because
 * both may have fractions of a nanosecond. */
static int set_times(const struct ordo_reader *reader, struct ordo_event *event, const struct members *members,
                     struct ordo_error *error)
{
    struct ordo_decimal time, duration;
    int code = read_us(reader, "ts", members->time, &time, error);
    event->time_ns = code ? 0 : time.whole;
    if (code || event->kind != ORDO_EVENT_SPAN)
        return code;
    code = read_us(reader, "dur", members->duration, &duration, error);
    if (!code && duration.whole < 0)
        return ordo_reader_refuse(reader, error, "its dur is negative ('%.*s'): write the trace again",
                                  members->duration.length < 30 ? (int)members->duration.length : 30,
                                  members->duration.at);
    if (!code)
        event->duration_ns = duration.whole + ((uint64_t)time.billionths + duration.billionths >= ORDO_DECIMAL_ONE);
    return code;
}

/* Sets the thread of an event, or of the metadata of a thread (its name or its sort index). */
static int set_track(struct ordo_reader *reader, struct ordo_event *event, const struct members *members,
                     struct ordo_error *error)
{
    struct chrome *chrome = reader->state;
    if (event->kind == ORDO_EVENT_META &&
        (event->rank < 0 || event->name.length < 7 || memcmp(event->name.at, "thread_", 7) != 0))
        return ORDO_OK;
    const struct ordo_thread_track *track = ordo_tracks_find(&chrome->tracks, event->rank, members->pid, members->tid);
    if (!track)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", reader->input.path);
    event->thread = track->number;
    event->new_thread = track->is_renamed;
    return ORDO_OK;
}

static int set_event(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct members members = {0};
    int64_t number;
    int code = read_members(reader, event, &members, error);
    if (code)
        return code;
    set_phase(event, members.phase);
    if (event->kind == ORDO_EVENT_OTHER && !is_number(members.time))
        event->kind = ORDO_EVENT_META;
    if (event->kind == ORDO_EVENT_META)
        return set_track(reader, event, &members, error);
    code = set_times(reader, event, &members, error);
    if (code)
        return code;
    if (event->rank < 0 && !ordo_text_within(members.pid, 0, (1 << 20) - 1, &number))
        return ordo_reader_refuse(reader, error, "its pid is no rank: give a file for each rank");
    event->rank = event->rank < 0 ? (int32_t)number : event->rank;
    code = set_track(reader, event, &members, error);
    if (code)
        return code;
    reader->corrected = false;
    reader->stamp = (struct ordo_event_stamp){event->time_ns, event->time_ns, event->time_ns};
    if (members.args.at)
        read_args(reader, event, members.args);
    if (members.args.at)
        ordo_nccl_args(event, members.args);
    return ordo_event_check(reader, event, error);
}

static int chrome_next(struct ordo_reader *reader, struct ordo_event *event, struct ordo_error *error)
{
    struct chrome *chrome = reader->state;
    if (chrome->ended || !chrome->inside)
        return 0;
    reader->input.row++;
    int letter = peek(reader, error);
    if (letter == ',') {
        reader->input.at++;
        letter = peek(reader, error);
    }
    if (letter == ']' || letter == 0) { /* the trace of a killed program may lack the end of the array */
        chrome->ended = true;
        return 0;
    }
    *event = ordo_event_none(reader);
    int code = letter < 0 ? letter : value(reader, &event->raw, error);
    if (code != 1)
        return code;
    if (!ordo_json_inside(event->raw).at)
        return ordo_reader_refuse(reader, error, "is no object of JSON: write the trace again");
    code = set_event(reader, event, error);
    return code ? code : 1;
}

static int chrome_begin(struct ordo_writer *writer, struct ordo_error *error)
{
    writer->state = calloc(1, sizeof(struct chrome_out));
    if (!writer->state)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", writer->stream);
    return ORDO_OK;
}

/* Writes a time in microseconds with three decimal places, so that no nanosecond is lost. */
static void put_us(FILE *stream, const char *key, int64_t ns)
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    fprintf(stream, ",\"%s\":%s%" PRIu64 ".%03u", key, ns < 0 ? "-" : "", size / 1000, (unsigned)(size % 1000));
}

static void put_bounds(FILE *stream, const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    fprintf(stream, "\"earliest_ns\":%" PRId64 ",\"latest_ns\":%" PRId64, stamp->earliest_ns, stamp->latest_ns);
    if (end)
        fprintf(stream, ",\"end_earliest_ns\":%" PRId64 ",\"end_latest_ns\":%" PRId64, end->earliest_ns,
                end->latest_ns);
}

static void put_args(FILE *stream, struct ordo_text args, const struct ordo_event_stamp *stamp,
                     const struct ordo_event_stamp *end)
{
    struct ordo_text inside = args.at ? ordo_json_inside(args) : args;
    fputs(",\"args\":{", stream);
    if (inside.length > 0) {
        fwrite(inside.at, 1, inside.length, stream);
        putc(',', stream);
    }
    put_bounds(stream, stamp, end);
    putc('}', stream);
}

/* True for each member of an event that is not passed on unchanged. */
struct changes {
    bool thread, id, bind_id, duration;
};

/* True if several files are merged and the event has an id. Ids connect the ends of arrows (phases s, t, f) and of
 * asynchronous events (b, n, e; formerly S, T, p, F). Equal ids in the files of two ranks mean different things. */
static bool has_own_id(const struct ordo_writer *writer, struct ordo_text inside)
{
    struct ordo_member member;
    char room[64];
    while (writer->merges && ordo_json_member(&inside, &member) == 1)
        if (text_is(member.key, "ph")) {
            struct ordo_text phase = ordo_json_plain(member.value, room, sizeof room);
            return phase.length == 1 && strchr("stfbneSTpF", *phase.at);
        }
    return false;
}

/* Writes an id that no other rank has: "<rank>.<id>". */
static void put_id(FILE *stream, const struct ordo_event *event, const struct ordo_member *id)
{
    bool quoted = id->value.length >= 2 && *id->value.at == '"';
    fprintf(stream, ",\"%.*s\":\"%d.%.*s\"", (int)id->key.length, id->key.at, event->rank,
            (int)id->value.length - 2 * quoted, id->value.at + quoted);
}

static void put_member(FILE *stream, const struct ordo_event *event, const struct changes *changes,
                       const struct ordo_member *member)
{
    if (text_is(member->key, "ts") || text_is(member->key, "pid") ||
        (changes->duration && text_is(member->key, "dur")) || (changes->thread && text_is(member->key, "tid")))
        return;
    if ((changes->id && text_is(member->key, "id")) || (changes->bind_id && text_is(member->key, "bind_id")))
        put_id(stream, event, member);
    else
        fprintf(stream, ",\"%.*s\":%.*s", (int)member->key.length, member->key.at, (int)member->value.length,
                member->value.at);
}

/* Writes an event that was read in this form. Only its time, duration, rank, thread and ids may change, and its bounds
 * are added. */
static void put_again(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                      const struct ordo_event_stamp *end)
{
    struct ordo_text inside = ordo_json_inside(event->raw), args = {NULL, 0};
    struct ordo_member member;
    bool span = event->kind == ORDO_EVENT_SPAN;
    struct changes changes = {event->new_thread, has_own_id(writer, inside), writer->merges, span};
    fprintf(writer->stream, "{\"pid\":%d", event->rank);
    if (changes.thread)
        fprintf(writer->stream, ",\"tid\":%u", event->thread);
    while (ordo_json_member(&inside, &member) == 1) {
        if (text_is(member.key, "args"))
            args = member.value;
        else
            put_member(writer->stream, event, &changes, &member);
    }
    put_us(writer->stream, "ts", stamp->global_ns);
    if (span)
        put_us(writer->stream, "dur", end->global_ns - stamp->global_ns);
    put_args(writer->stream, args, stamp, span ? end : NULL);
    putc('}', writer->stream);
}

static void put_head(FILE *stream, const struct ordo_event *event, const char *phase, int64_t global_ns)
{
    fprintf(stream, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u", phase, event->rank, event->thread);
    put_us(stream, "ts", global_ns);
}

/* Writes one end of an arrow. Viewers connect two ends with the same id. The id consists of the channel and the
 * message's number in the channel, which both ends know. */
static void put_arrow(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                      uint64_t number)
{
    bool sent = event->kind == ORDO_EVENT_SEND;
    fputs(",\n", writer->stream);
    put_head(writer->stream, event, sent ? "s" : "f", stamp->global_ns);
    fprintf(writer->stream, ",\"name\":\"message\",\"cat\":\"message\",\"id\":\"%d.%d.%d.%" PRIu64 ".%" PRIu64 "\"%s}",
            sent ? event->rank : event->peer, sent ? event->peer : event->rank, event->tag, event->communicator, number,
            sent ? "" : ",\"bp\":\"e\"");
}

static void put_message(FILE *stream, const struct ordo_event *event)
{
    if (event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV)
        fprintf(stream, "\"%s\":%d,", event->kind == ORDO_EVENT_SEND ? "send_to" : "recv_from", event->peer);
    if (event->tag >= 0)
        fprintf(stream, "\"tag\":%d,", event->tag);
    if (event->has_bytes)
        fprintf(stream, "\"bytes\":%" PRIu64 ",", event->bytes);
    if (event->communicator != 0)
        fprintf(stream, "\"communicator\":%" PRId64 ",", (int64_t)event->communicator);
    if (event->root >= 0)
        fprintf(stream, "\"root\":%d,", event->root);
    if (event->number != ORDO_EVENT_UNCOUNTED)
        fprintf(stream, "\"number\":%u,", event->number);
}

/* Writes an event that was read in another form, or from one of several files of different forms. */
static void put_new(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                    const struct ordo_event_stamp *end)
{
    static const char *const phases[] = {[ORDO_EVENT_POINT] = "i", [ORDO_EVENT_BEGIN] = "B", [ORDO_EVENT_END] = "E",
                                         [ORDO_EVENT_SEND] = "X",  [ORDO_EVENT_RECV] = "X",  [ORDO_EVENT_SPAN] = "X"};
    bool span = event->kind == ORDO_EVENT_SPAN;
    bool message = event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV;
    const char *word = ordo_event_kind_name(event->kind);
    struct ordo_text name = event->name.length > 0 ? event->name : (struct ordo_text){word, strlen(word)};
    put_head(writer->stream, event, phases[event->kind], stamp->global_ns);
    fputs(",\"name\":", writer->stream);
    ordo_json_put_string(writer->stream, name);
    if (message)
        fputs(",\"dur\":0.001", writer->stream); /* a viewer draws an arrow only between events that have a length */
    if (span)
        put_us(writer->stream, "dur", end->global_ns - stamp->global_ns);
    if (event->kind == ORDO_EVENT_POINT)
        fputs(",\"s\":\"t\"", writer->stream);
    fputs(",\"args\":{", writer->stream);
    put_message(writer->stream, event);
    put_bounds(writer->stream, stamp, span ? end : NULL);
    fputs("}}", writer->stream);
}

/* Writes metadata of a process or a thread, with the rank and the thread number of its events. */
static void put_meta(FILE *stream, const struct ordo_event *event)
{
    struct ordo_text inside = ordo_json_inside(event->raw);
    struct ordo_member member;
    for (const char *between = "{"; ordo_json_member(&inside, &member) == 1; between = ",") {
        fprintf(stream, "%s\"%.*s\":", between, (int)member.key.length, member.key.at);
        if (event->rank >= 0 && text_is(member.key, "pid"))
            fprintf(stream, "%d", event->rank);
        else if (event->new_thread && text_is(member.key, "tid"))
            fprintf(stream, "%u", event->thread);
        else
            fwrite(member.value.at, 1, member.value.length, stream);
    }
    putc('}', stream);
}

static void chrome_put(struct ordo_writer *writer, const struct ordo_event *event, const struct ordo_event_stamp *stamp,
                       const struct ordo_event_stamp *end)
{
    struct chrome_out *out = writer->state;
    if (event->kind >= ORDO_EVENT_OTHER && !writer->same)
        return;
    fputs(out->some ? ",\n" : "\n", writer->stream);
    out->some = true;
    if (event->kind == ORDO_EVENT_META)
        put_meta(writer->stream, event);
    else if (writer->same)
        put_again(writer, event, stamp, end);
    else
        put_new(writer, event, stamp, end);
    if (!writer->same && event->flow != ORDO_EVENT_NO_FLOW)
        put_arrow(writer, event, stamp, event->flow);
}

static void chrome_end(struct ordo_writer *writer)
{
    fputs("\n]}\n", writer->stream);
    free(writer->state);
    writer->state = NULL;
}

const struct ordo_form ordo_form_chrome = {
    .name = "chrome",
    .title = "Chrome's and Perfetto's JSON of events",
    .suffix = ".json",
    .of_one_rank = true,
    .spans = true,
    .looks = chrome_looks,
    .open = chrome_open,
    .next = chrome_next,
    .close = chrome_close,
    .begin = chrome_begin,
    .put = chrome_put,
    .end = chrome_end,
};
