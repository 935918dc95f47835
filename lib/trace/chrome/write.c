#include "trace/chrome/write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "trace/input/json.h"
#include "trace/input/number.h"

static void flush(struct ordo_chrome_out *out)
{
    fwrite_unlocked(out->room, 1, out->used, out->stream);
    out->used = 0;
}

static void put(struct ordo_chrome_out *out, struct ordo_text text)
{
    if (text.length > sizeof out->room - out->used)
        flush(out);
    if (text.length > sizeof out->room) {
        fwrite_unlocked(text.at, 1, text.length, out->stream);
    } else if (text.length > 0) {
        memcpy(out->room + out->used, text.at, text.length);
        out->used += text.length;
    }
}

static void put_word(struct ordo_chrome_out *out, const char *word)
{
    put(out, (struct ordo_text){word, strlen(word)});
}

static void put_int(struct ordo_chrome_out *out, const char *before, int64_t number)
{
    char room[24];
    put_word(out, before);
    put(out, (struct ordo_text){room, (size_t)(ordo_text_put_int(room, number) - room)});
}

/* Writes a time in microseconds with three decimal places, so that no nanosecond is lost. */
static void put_us(struct ordo_chrome_out *out, const char *before, int64_t ns)
{
    char room[32], *to = room;
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    unsigned rest = (unsigned)(size % 1000);
    if (ns < 0)
        *to++ = '-';
    to = ordo_text_put_int(to, (int64_t)(size / 1000));
    *to++ = '.';
    *to++ = (char)('0' + rest / 100);
    *to++ = (char)('0' + rest / 10 % 10);
    *to++ = (char)('0' + rest % 10);
    put_word(out, before);
    put(out, (struct ordo_text){room, (size_t)(to - room)});
}

static bool is_token(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

static bool is_quoted(struct ordo_text value)
{
    return value.length >= 2 && *value.at == '"';
}

static struct ordo_text unquoted(struct ordo_text value)
{
    bool quoted = is_quoted(value);
    return (struct ordo_text){value.at + quoted, value.length - 2 * quoted};
}

/* Returns the length of the string, the word, or the letter between words, at the beginning of a text. */
static size_t token_length(struct ordo_text text)
{
    ptrdiff_t span = *text.at == '{' || *text.at == '[' ? 1 : ordo_json_span(text);
    return span > 0 ? (size_t)span : 1;
}

/* Writes a string with its quotes and escapes. */
static void put_string(struct ordo_chrome_out *out, struct ordo_text text)
{
    bool plain = true;
    for (size_t i = 0; i < text.length; i++)
        plain &= text.at[i] >= 0x20 && text.at[i] < 0x7f && text.at[i] != '"' && text.at[i] != '\\';
    if (plain) {
        put_word(out, "\"");
        put(out, text);
        put_word(out, "\"");
        return;
    }
    flush(out);
    ordo_json_put_string(out->stream, text);
}

/* Writes a value. A word that JSON does not have, such as NaN, becomes a text. */
static void put_valid(struct ordo_chrome_out *out, struct ordo_text value)
{
    while (value.length > 0) {
        struct ordo_text token = {value.at, token_length(value)};
        bool is_word = !memchr("\"{}[],: \n\t\r", *token.at, 11);
        bool is_bare = is_word && !ordo_json_is_plain(token);
        if (is_bare)
            put_string(out, token);
        else
            put(out, token);
        value.at += token.length;
        value.length -= token.length;
    }
}

/* What is known of an event's text while it is written. */
struct passed {
    const struct ordo_event *event;
    const struct ordo_json_members *members;
    const struct ordo_chrome_process *process; /* NULL: the pid stays */
    bool has_own_id;                           /* its id connects it with other events */
};

static void put_value(struct ordo_chrome_out *out, const struct passed *passed, struct ordo_text value)
{
    if (passed->members->is_bare)
        put_valid(out, value);
    else
        put(out, value);
}

/* Calls for each member of an event. */
typedef void take_member(struct ordo_chrome_out *out, struct passed *passed, const struct ordo_member *member);

static void for_members(struct ordo_chrome_out *out, struct passed *passed, take_member *take)
{
    struct ordo_text rest = passed->members->rest;
    struct ordo_member member;
    for (int i = 0; i < passed->members->count; i++)
        take(out, passed, &passed->members->all[i]);
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        take(out, passed, &member);
}

/* Returns the value of a member, the last one if the key is repeated, as the reader does; with length 0 if there is
 * none. */
static struct ordo_text find(const struct ordo_json_members *members, const char *key)
{
    struct ordo_text found = {NULL, 0}, rest = members->rest;
    struct ordo_member member;
    for (int i = 0; i < members->count; i++)
        if (is_token(members->all[i].key, key))
            found = members->all[i].value;
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        if (is_token(member.key, key))
            found = member.value;
    return found;
}

static void put_separator(struct ordo_chrome_out *out)
{
    put_word(out, out->some ? ",\n" : "\n");
    out->some = true;
}

static struct ordo_text copy_of(struct ordo_text text)
{
    char *copy = malloc(text.length + 1);
    if (!copy)
        return (struct ordo_text){NULL, 0};
    if (text.length > 0)
        memcpy(copy, text.at, text.length);
    return (struct ordo_text){copy, text.length};
}

/* Adds the process of a track, and writes metadata that states its rank. */
static void add_process(struct ordo_chrome_out *out, int32_t rank, struct ordo_text pid,
                        struct ordo_thread_track *track)
{
    char number[24];
    struct ordo_text own = {number, (size_t)(ordo_text_put_int(number, track->number) - number)};
    bool is_valid = !track->is_renamed && (is_quoted(pid) || ordo_json_is_plain(pid));
    if (out->process_count == out->process_room) {
        uint32_t room = out->process_room ? 2 * out->process_room : 16;
        struct ordo_chrome_process *all = realloc(out->processes, room * sizeof *all);
        out->failed |= !all;
        if (!all)
            return;
        out->processes = all;
        out->process_room = room;
    }
    struct ordo_chrome_process process = {rank, false, copy_of(is_valid ? pid : own), copy_of(unquoted(pid))};
    out->processes[out->process_count++] = process;
    out->failed |= !process.pid.at || !process.own.at;
    if (!process.pid.at || !process.own.at)
        return;
    track->note = out->process_count;
    put_separator(out);
    put_word(out, "{\"ph\":\"M\",\"name\":\"ordo_rank\",\"pid\":");
    put(out, process.pid);
    put_int(out, ",\"tid\":0,\"args\":{\"rank\":", rank);
    put_word(out, "}}");
}

/* Returns the process of an event among those of all ranks; NULL if the events are of one file, or out of memory. */
static struct ordo_chrome_process *process_of(struct ordo_chrome_out *out, const struct ordo_event *event,
                                              struct ordo_text pid)
{
    char room[24];
    int64_t number;
    if (!out->merges || event->rank < 0)
        return NULL;
    struct ordo_text rank = {room, (size_t)(ordo_text_put_int(room, event->rank) - room)};
    struct ordo_text name = ordo_text_int(unquoted(pid), &number) ? unquoted(pid) : pid;
    struct ordo_thread_track *track = ordo_tracks_find(&out->pids, 0, rank, name);
    if (track && track->note == 0)
        add_process(out, event->rank, pid, track);
    out->failed |= !track;
    return track && track->note > 0 ? &out->processes[track->note - 1] : NULL;
}

static void put_key(struct ordo_chrome_out *out, struct ordo_text key)
{
    put_word(out, "\"");
    put(out, key);
    put_word(out, "\":");
}

/* Writes a member of the document. */
static void put_other(struct ordo_chrome_out *out, const struct ordo_member *member)
{
    put_word(out, ",");
    put_key(out, member->key);
    put_valid(out, member->value);
}

/* True if a member of the first file does not hold for a merged trace, which has several ranks, or is merged with those
 * of the other files. */
static bool is_of_one_file(const struct ordo_chrome_out *out, struct ordo_text key)
{
    return out->merges && (is_token(key, "distributedInfo") || is_token(key, "stackFrames"));
}

void ordo_chrome_out_begin(struct ordo_chrome_out *out, struct ordo_text others)
{
    bool has_unit = memmem(others.at ? others.at : "", others.length, "\"displayTimeUnit\"", 17) != NULL;
    put_word(out, has_unit ? "{\"ordo\":{\"time\":\"global\"}"
                           : "{\"displayTimeUnit\":\"ns\",\"ordo\":{\"time\":\"global\"}");
    struct ordo_member member;
    while (others.length > 0 && ordo_json_member(&others, &member) == 1) {
        if (!is_of_one_file(out, member.key))
            put_other(out, &member);
    }
    put_word(out, ",\"traceEvents\":[");
}

static void put_bounds(struct ordo_chrome_out *out, const struct ordo_event_stamp *stamp,
                       const struct ordo_event_stamp *end)
{
    put_int(out, "\"earliest_ns\":", stamp->earliest_ns);
    put_int(out, ",\"latest_ns\":", stamp->latest_ns);
    if (end) {
        put_int(out, ",\"end_earliest_ns\":", end->earliest_ns);
        put_int(out, ",\"end_latest_ns\":", end->latest_ns);
    }
}

/* Writes args and the bounds. Args that are no object stay as one of their members. */
static void put_args(struct ordo_chrome_out *out, const struct passed *passed, const struct ordo_event_stamp *stamp,
                     const struct ordo_event_stamp *end)
{
    struct ordo_text args = find(passed->members, "args"), inside = args;
    if (args.at)
        inside = ordo_json_inside(args);
    if (is_token(unquoted(find(passed->members, "ph")), "C")) { /* each arg of a counter is a curve */
        put_word(out, args.at ? ",\"args\":" : "");
        put_value(out, passed, args);
        return;
    }
    put_word(out, ",\"args\":{");
    if (args.at && !inside.at) {
        put_word(out, "\"args\":");
        put_value(out, passed, args);
        put_word(out, ",");
    } else if (inside.length > 0) {
        put_value(out, passed, inside);
        put_word(out, ",");
    }
    put_bounds(out, stamp, end);
    put_word(out, "}");
}

/* Writes an id that no other rank has: "<rank>.<id>". */
static void put_id(struct ordo_chrome_out *out, const struct ordo_event *event, struct ordo_text id)
{
    put_int(out, "\"", event->rank);
    put_word(out, ".");
    put(out, unquoted(id));
    put_word(out, "\"");
}

/* Writes an id with a scope. One that is local to a process stays. */
static void put_id2(struct ordo_chrome_out *out, const struct passed *passed, struct ordo_text id)
{
    struct ordo_text inside = ordo_json_inside(id);
    struct ordo_member member;
    if (!inside.at || ordo_json_member(&inside, &member) != 1 || !is_token(member.key, "global")) {
        put_value(out, passed, id);
        return;
    }
    put_word(out, "{\"global\":");
    put_id(out, passed->event, member.value);
    put_word(out, "}");
}

static bool is_changed(const struct passed *passed, struct ordo_text key)
{
    switch (key.length) {
    case 2:
        return is_token(key, "ts");
    case 3:
        return is_token(key, "pid") || (passed->event->kind == ORDO_EVENT_SPAN && is_token(key, "dur"));
    case 4:
        return is_token(key, "args");
    default:
        return false;
    }
}

/* Writes a member of an event, unless it is written in another way. */
static void put_member(struct ordo_chrome_out *out, struct passed *passed, const struct ordo_member *member)
{
    if (is_changed(passed, member->key))
        return;
    put_word(out, ",\"");
    put(out, member->key);
    put_word(out, "\":");
    if (passed->process && ((passed->has_own_id && is_token(member->key, "id")) || is_token(member->key, "bind_id")))
        put_id(out, passed->event, member->value);
    else if (passed->process && (is_token(member->key, "sf") || is_token(member->key, "esf")))
        put_id(out, passed->event, member->value);
    else if (passed->process && is_token(member->key, "id2"))
        put_id2(out, passed, member->value);
    else
        put_value(out, passed, member->value);
}

/* True if an event's id connects it with others: arrows (phases s, t, f) and asynchronous events (b, n, e; formerly S,
 * T, p, F). Equal ids in the files of two ranks mean different things. */
static bool has_own_id(const struct ordo_json_members *members)
{
    struct ordo_text phase = unquoted(find(members, "ph"));
    return phase.length == 1 && strchr("stfbneSTpF", *phase.at);
}

/* Begins an event, with its pid if it has one. */
static void put_pid(struct ordo_chrome_out *out, const struct passed *passed, struct ordo_text pid)
{
    put_word(out, passed->process || pid.length > 0 ? "{\"pid\":" : "{");
    if (passed->process)
        put(out, passed->process->pid);
    else
        put_value(out, passed, pid);
}

/* Writes the args of metadata that names a process, with the rank in front of the name. */
static void put_process_name(struct ordo_chrome_out *out, struct passed *passed, const struct ordo_member *member)
{
    struct ordo_text inside = ordo_json_inside(member->value);
    struct ordo_member arg;
    put_word(out, ",\"args\":{");
    for (const char *before = ""; inside.length > 0 && ordo_json_member(&inside, &arg) == 1; before = ",") {
        put_word(out, before);
        put_word(out, "\"");
        put(out, arg.key);
        put_word(out, "\":");
        if (!is_token(arg.key, "name") || !is_quoted(arg.value)) {
            put_value(out, passed, arg.value);
            continue;
        }
        put_int(out, "\"rank ", passed->event->rank);
        put_word(out, ": ");
        put(out, unquoted(arg.value));
        put_word(out, "\"");
    }
    put_word(out, "}");
}

static void put_meta_member(struct ordo_chrome_out *out, struct passed *passed, const struct ordo_member *member)
{
    bool names = is_token(member->key, "args") && is_token(unquoted(find(passed->members, "name")), "process_name");
    if (is_token(member->key, "pid"))
        return;
    if (names && ordo_json_inside(member->value).at) {
        put_process_name(out, passed, member);
        return;
    }
    put_word(out, ",\"");
    put(out, member->key);
    put_word(out, "\":");
    put_value(out, passed, member->value);
}

/* Writes metadata. Its time, if it has one, stays. */
static void put_meta(struct ordo_chrome_out *out, struct passed *passed, struct ordo_text pid,
                     struct ordo_chrome_process *process)
{
    if (!process) {
        put_value(out, passed, passed->event->raw);
        return;
    }
    process->is_named |= is_token(unquoted(find(passed->members, "name")), "process_name");
    put_pid(out, passed, pid);
    for_members(out, passed, put_meta_member);
    put_word(out, "}");
}

void ordo_chrome_out_again(struct ordo_chrome_out *out, const struct ordo_event *event,
                           const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    struct passed passed = {.event = event, .members = event->members};
    bool span = event->kind == ORDO_EVENT_SPAN;
    struct ordo_text pid = find(event->members, "pid");
    struct ordo_chrome_process *process = process_of(out, event, pid);
    passed.process = process;
    put_separator(out);
    if (event->kind == ORDO_EVENT_META) {
        put_meta(out, &passed, pid, process);
        return;
    }
    passed.has_own_id = process && has_own_id(event->members);
    put_pid(out, &passed, pid);
    bool has_pid = process || pid.length > 0;
    if (!has_pid)
        put_us(out, "\"ts\":", stamp->global_ns - out->base_ns);
    for_members(out, &passed, put_member);
    if (has_pid)
        put_us(out, ",\"ts\":", stamp->global_ns - out->base_ns);
    if (span)
        put_us(out, ",\"dur\":", end->global_ns - stamp->global_ns);
    put_args(out, &passed, stamp, span ? end : NULL);
    put_word(out, "}");
}

static void put_head(struct ordo_chrome_out *out, const struct ordo_event *event, const char *phase, int64_t global_ns)
{
    put_separator(out);
    put_word(out, "{\"ph\":\"");
    put_word(out, phase);
    put_int(out, "\",\"pid\":", event->rank);
    put_int(out, ",\"tid\":", event->thread);
    put_us(out, ",\"ts\":", global_ns - out->base_ns);
}

/* Writes one end of an arrow. Viewers connect two ends with the same id. The id consists of the channel and the
 * message's number in the channel, which both ends know. */
static void put_arrow(struct ordo_chrome_out *out, const struct ordo_event *event, const struct ordo_event_stamp *stamp)
{
    bool sent = event->kind == ORDO_EVENT_SEND;
    put_head(out, event, sent ? "s" : "f", stamp->global_ns);
    put_int(out, ",\"name\":\"message\",\"cat\":\"message\",\"id\":\"", sent ? event->rank : event->peer);
    put_int(out, ".", sent ? event->peer : event->rank);
    put_int(out, ".", event->tag);
    char room[64];
    (void)snprintf(room, sizeof room, ".%" PRIu64 ".%" PRIu64 "\"", event->communicator, event->flow);
    put_word(out, room);
    put_word(out, sent ? "}" : ",\"bp\":\"e\"}");
}

static void put_message(struct ordo_chrome_out *out, const struct ordo_event *event)
{
    if (event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV) {
        put_int(out, event->kind == ORDO_EVENT_SEND ? "\"send_to\":" : "\"recv_from\":", event->peer);
        put_word(out, ",");
    }
    const struct {
        const char *key;
        int64_t number;
        bool there;
    } args[] = {{"\"tag\":", event->tag, event->tag >= 0},
                {"\"bytes\":", (int64_t)event->bytes, event->has_bytes},
                {"\"communicator\":", (int64_t)event->communicator, event->communicator != 0},
                {"\"root\":", event->root, event->root >= 0},
                {"\"number\":", event->number, event->number != ORDO_EVENT_UNCOUNTED}};
    for (size_t i = 0; i < sizeof args / sizeof *args; i++)
        if (args[i].there) {
            put_int(out, args[i].key, args[i].number);
            put_word(out, ",");
        }
}

/* Writes metadata that names the process of a rank, or a thread. */
static void put_track_name(struct ordo_chrome_out *out, const struct ordo_event *event)
{
    bool is_rank = is_token(event->name, ORDO_EVENT_RANK_NAME);
    if (!is_rank && !is_token(event->name, ORDO_EVENT_THREAD_NAME))
        return;
    put_separator(out);
    put_word(out, is_rank ? "{\"ph\":\"M\",\"name\":\"process_name\"" : "{\"ph\":\"M\",\"name\":\"thread_name\"");
    put_int(out, ",\"pid\":", event->rank);
    put_int(out, ",\"tid\":", event->thread);
    put_word(out, ",\"args\":{\"name\":");
    put_string(out, event->raw);
    put_word(out, "}}");
}

void ordo_chrome_out_new(struct ordo_chrome_out *out, const struct ordo_event *event,
                         const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    static const char *const phases[] = {[ORDO_EVENT_POINT] = "i", [ORDO_EVENT_BEGIN] = "B", [ORDO_EVENT_END] = "E",
                                         [ORDO_EVENT_SEND] = "X",  [ORDO_EVENT_RECV] = "X",  [ORDO_EVENT_SPAN] = "X"};
    bool span = event->kind == ORDO_EVENT_SPAN;
    bool message = event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV;
    const char *word = ordo_event_kind_name(event->kind);
    if (event->kind == ORDO_EVENT_META)
        put_track_name(out, event);
    if (event->kind >= ORDO_EVENT_OTHER)
        return;
    put_head(out, event, phases[event->kind], stamp->global_ns);
    put_word(out, ",\"name\":");
    put_string(out, event->name.length > 0 ? event->name : (struct ordo_text){word, strlen(word)});
    if (message)
        put_word(out, ",\"dur\":0.001"); /* a viewer draws an arrow only between events that have a length */
    if (span)
        put_us(out, ",\"dur\":", end->global_ns - stamp->global_ns);
    if (event->kind == ORDO_EVENT_POINT)
        put_word(out, ",\"s\":\"t\"");
    put_word(out, ",\"args\":{");
    put_message(out, event);
    put_bounds(out, stamp, span ? end : NULL);
    put_word(out, "}}");
    if (event->flow != ORDO_EVENT_NO_FLOW)
        put_arrow(out, event, stamp);
}

/* Labels the processes that have no name. */
static void label_processes(struct ordo_chrome_out *out)
{
    for (uint32_t i = 0; i < out->process_count; i++) {
        const struct ordo_chrome_process *process = &out->processes[i];
        if (process->is_named)
            continue;
        put_separator(out);
        put_word(out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":");
        put(out, process->pid);
        put_int(out, ",\"tid\":0,\"args\":{\"labels\":\"rank ", process->rank);
        put_word(out, process->own.length > 0 ? ": pid " : "");
        put(out, process->own);
        put_word(out, "\"}}");
    }
}

/* Writes a frame of a stack: its number, and that of its parent, get the rank in front. */
static void put_frame(struct ordo_chrome_out *out, int32_t rank, const struct ordo_member *frame)
{
    const struct ordo_event of_rank = {.rank = rank};
    struct ordo_text inside = ordo_json_inside(frame->value);
    struct ordo_member member;
    put_word(out, out->has_frames ? "," : ",\"stackFrames\":{");
    out->has_frames = true;
    put_id(out, &of_rank, frame->key);
    put_word(out, ":{");
    for (const char *before = ""; inside.length > 0 && ordo_json_member(&inside, &member) == 1; before = ",") {
        put_word(out, before);
        put_key(out, member.key);
        if (is_token(member.key, "parent"))
            put_id(out, &of_rank, member.value);
        else
            put_valid(out, member.value);
    }
    put_word(out, "}");
}

void ordo_chrome_out_frames(struct ordo_chrome_out *out, int32_t rank, struct ordo_text others)
{
    struct ordo_member member, frame;
    while (others.length > 0 && ordo_json_member(&others, &member) == 1) {
        if (!is_token(member.key, "stackFrames"))
            continue;
        struct ordo_text inside = ordo_json_inside(member.value);
        while (inside.at && inside.length > 0 && ordo_json_member(&inside, &frame) == 1)
            put_frame(out, rank, &frame);
    }
}

void ordo_chrome_out_behind(struct ordo_chrome_out *out)
{
    label_processes(out);
    put_word(out, "\n]");
}

int ordo_chrome_out_end(struct ordo_chrome_out *out, struct ordo_text others)
{
    struct ordo_member member;
    if (out->has_frames)
        put_word(out, "}");
    while (others.length > 0 && ordo_json_member(&others, &member) == 1)
        if (!is_of_one_file(out, member.key))
            put_other(out, &member);
    put_word(out, "}\n");
    flush(out);
    return out->failed ? -1 : 0;
}

void ordo_chrome_out_free(struct ordo_chrome_out *out)
{
    for (uint32_t i = 0; i < out->process_count; i++) {
        free((char *)out->processes[i].pid.at);
        free((char *)out->processes[i].own.at);
    }
    free(out->processes);
    ordo_tracks_free(&out->pids);
}
