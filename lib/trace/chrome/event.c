/* Times are in microseconds. Each "ts" counts from "baseTimeNanoseconds", if the file states it.
 *
 * The rank of an event is
 * - "rank" of "distributedInfo";
 * - without it, the index of the file if several files are given;
 * - otherwise 0 if the file is a profile of one process and its devices ("deviceProperties", "baseTimeNanoseconds", or
 *   "schemaVersion", which PyTorch always writes);
 * - otherwise the event's pid, or a rank that stands for it (chrome/processes.h).
 *
 * A thread is a pair of pid and tid: if two pids of a rank have a tid 7, they are two threads. Phases B, E, X, i, I and
 * n are events, and so are b and e (formerly S and F), in lanes (chrome/lanes.h); other phases are passed on, and their
 * times, if any, are corrected. A begin or instant with "args": {"send_to": peer} or {"recv_from": peer} (and "tag",
 * "bytes") is an end of a message. The "args" of messages and collectives also have "communicator", "root" and "number",
 * like the columns of CSV; an E has the name and these args of its B, unless it states others. */
#include "trace/chrome/event.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/input/device.h"
#include "trace/input/nccl.h"
#include "trace/input/number.h"

enum { MICROSECONDS = 3 };

/* The values of the members of an event. */
struct values {
    struct ordo_text pid, tid, time, duration, category, id, id2, scope, args;
    char phase; /* 0: none */
};

static bool is_event_key(struct ordo_text text, const char *word, size_t length)
{
    return text.length == length && memcmp(text.at, word, length) == 0;
}

static struct ordo_text event_value(struct ordo_text value)
{
    bool quoted = value.length >= 2 && *value.at == '"';
    return (struct ordo_text){value.at + quoted, value.length - 2 * quoted};
}

static void set_value(struct ordo_chrome_events *events, struct ordo_event *event, struct values *values,
                      const struct ordo_member *member)
{
    struct ordo_text key = member->key, value = member->value;
    switch (key.length) {
    case 2:
        if (is_event_key(key, "ts", 2))
            values->time = value;
        else if (is_event_key(key, "ph", 2) && value.length == 3)
            values->phase = value.at[1];
        else if (is_event_key(key, "id", 2))
            values->id = value;
        break;
    case 3:
        if (is_event_key(key, "pid", 3))
            values->pid = value;
        else if (is_event_key(key, "tid", 3))
            values->tid = value;
        else if (is_event_key(key, "dur", 3))
            values->duration = value;
        else if (is_event_key(key, "cat", 3))
            values->category = value;
        else if (is_event_key(key, "id2", 3))
            values->id2 = value;
        break;
    case 4:
        if (is_event_key(key, "name", 4))
            event->name = ordo_json_plain(value, events->name, sizeof events->name);
        else if (is_event_key(key, "args", 4))
            values->args = value;
        break;
    case 5:
        if (is_event_key(key, "scope", 5))
            values->scope = value;
        break;
    default:
        break;
    }
}

static void set_values(struct ordo_chrome_events *events, struct ordo_event *event, struct values *values)
{
    struct ordo_member member;
    struct ordo_text rest = events->members.rest;
    for (int i = 0; i < events->members.count; i++)
        set_value(events, event, values, &events->members.all[i]);
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        set_value(events, event, values, &member);
}

static bool is_peer(struct ordo_text value, int64_t *number)
{
    return ordo_text_within(value, 0, ORDO_PROCESSES_RANKS - 1, number);
}

static void set_arg(struct ordo_chrome_read *read, const struct ordo_member *member)
{
    struct ordo_event *event = read->event;
    struct ordo_text key = member->key, value = member->value;
    int64_t number;
    switch (key.length) {
    case 3:
        if (is_event_key(key, "tag", 3) && ordo_text_within(value, 0, INT32_MAX, &number))
            event->tag = (int32_t)number;
        break;
    case 4:
        if (is_event_key(key, "root", 4) && is_peer(value, &number))
            event->root = (int32_t)number;
        break;
    case 5:
        if (is_event_key(key, "bytes", 5) && ordo_text_within(value, 0, INT64_MAX, &number)) {
            event->bytes = (uint64_t)number;
            event->has_bytes = true;
        }
        break;
    case 6:
        if (is_event_key(key, "number", 6) && ordo_text_within(value, 0, ORDO_EVENT_UNCOUNTED - 1, &number))
            event->number = (uint32_t)number;
        break;
    case 7:
    case 9:
        if (is_event_key(key, "latest_ns", 9)) {
            (void)ordo_text_int(value, &read->stamp.latest_ns);
        } else if ((is_event_key(key, "send_to", 7) || is_event_key(key, "recv_from", 9)) && is_peer(value, &number)) {
            event->kind = *key.at == 's' ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
            event->peer = (int32_t)number;
        }
        break;
    case 11: /* only Ordo's corrections write bounds */
        if (is_event_key(key, "earliest_ns", 11) && ordo_text_int(value, &read->stamp.earliest_ns))
            read->is_corrected = true;
        break;
    case 12:
        if (is_event_key(key, "communicator", 12) && ordo_text_within(value, -1, INT64_MAX, &number))
            event->communicator = (uint64_t)number;
        break;
    default:
        break;
    }
}

static void set_args(const struct ordo_chrome_events *events, struct ordo_chrome_read *read)
{
    struct ordo_member member;
    struct ordo_text rest = events->args.count < 0 ? (struct ordo_text){NULL, 0} : events->args.rest;
    for (int i = 0; i < events->args.count; i++)
        set_arg(read, &events->args.all[i]);
    while (rest.length > 0 && ordo_json_member(&rest, &member) == 1)
        set_arg(read, &member);
}

static int kind_of(char phase)
{
    switch (phase) {
    case 'B':
        return ORDO_EVENT_BEGIN;
    case 'E':
        return ORDO_EVENT_END;
    case 'X':
        return ORDO_EVENT_SPAN;
    case 'i':
    case 'I':
    case 'n':
        return ORDO_EVENT_POINT;
    case 'M':
        return ORDO_EVENT_META;
    default:
        return ORDO_EVENT_OTHER;
    }
}

static int odd(struct ordo_chrome_events *events, enum ordo_odd odd, struct ordo_error *error)
{
    return ordo_chrome_odd(&events->document, odd, events->document.input->row, 1, error);
}

/* Reads a time or a duration as nanoseconds with all of its digits.
 *   ORDO_TEXT_FITS: `number` is set, and within 73 years of 0
 *   ORDO_TEXT_NO_NUMBER, ORDO_TEXT_TOO_LARGE: it is not */
static enum ordo_text_fit read_ns(const struct ordo_chrome_events *events, struct ordo_text value,
                                  struct ordo_decimal *number)
{
    const int64_t most = INT64_MAX / 4; /* larger times could overflow when added or subtracted */
    enum ordo_text_fit fit = ordo_text_decimal(event_value(value), events->places, number);
    return fit == ORDO_TEXT_FITS && (number->whole > most || number->whole < -most) ? ORDO_TEXT_TOO_LARGE : fit;
}

/* Reads the time of an event. If the first time of a file is centuries away in microseconds, but years after 1970 in
 * nanoseconds, all times of the file are nanoseconds. An event without a time becomes metadata. */
static int set_time(struct ordo_chrome_events *events, struct ordo_event *event, struct ordo_text value,
                    struct ordo_decimal *time, struct ordo_error *error)
{
    const int64_t most = INT64_MAX / 4, least = INT64_C(100000000000000000);
    int code = ORDO_OK;
    enum ordo_text_fit fit = read_ns(events, value, time);
    if (fit == ORDO_TEXT_TOO_LARGE && !events->has_unit && events->declared < 0) {
        events->places = 0;
        fit = read_ns(events, value, time);
        events->has_unit = fit == ORDO_TEXT_FITS && time->whole > least;
        fit = events->has_unit ? fit : ORDO_TEXT_TOO_LARGE;
        events->places = events->has_unit ? 0 : MICROSECONDS;
        code = events->has_unit ? odd(events, ORDO_ODD_NANOSECONDS, error) : ORDO_OK;
    }
    int64_t base_ns = events->document.facts.base_ns;
    if (fit == ORDO_TEXT_FITS && base_ns > least && time->whole > least) /* it counts from 1970 all the same */
        base_ns = 0;
    if (fit == ORDO_TEXT_FITS && (time->whole > most - base_ns || time->whole < -most - base_ns))
        fit = ORDO_TEXT_TOO_LARGE;
    if (code)
        return code;
    if (fit == ORDO_TEXT_FITS) {
        events->has_unit |= time->whole != 0;
        event->time_ns = time->whole + base_ns;
        return ORDO_OK;
    }
    bool is_other = event->kind == ORDO_EVENT_OTHER && fit == ORDO_TEXT_NO_NUMBER;
    event->kind = ORDO_EVENT_META;
    return is_other ? ORDO_OK : odd(events, fit == ORDO_TEXT_TOO_LARGE ? ORDO_ODD_FAR_TIME : ORDO_ODD_NO_TIME, error);
}

/* Sets the duration of a span. Rounds the end down after adding the exact time and duration, because both may have
 * fractions of a nanosecond. A span without a duration becomes a begin. */
static int set_duration(struct ordo_chrome_events *events, struct ordo_event *event, struct ordo_text value,
                        const struct ordo_decimal *time, struct ordo_error *error)
{
    struct ordo_decimal duration;
    if (read_ns(events, value, &duration) != ORDO_TEXT_FITS) {
        event->kind = ORDO_EVENT_BEGIN;
        event->is_open = true;
        return odd(events, ORDO_ODD_NO_DURATION, error);
    }
    if (duration.whole < 0)
        return odd(events, ORDO_ODD_NEGATIVE, error);
    event->duration_ns = duration.whole + ((uint64_t)time->billionths + duration.billionths >= ORDO_DECIMAL_ONE);
    return ORDO_OK;
}

static int no_event_memory(const struct ordo_chrome_events *events, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory", events->document.input->path);
}

/* Sets the thread of an event, and counts the begins and ends of the thread. */
static int set_track(struct ordo_chrome_events *events, struct ordo_event *event, const struct values *values,
                     struct ordo_error *error)
{
    struct ordo_thread_track *track = ordo_tracks_find(&events->tracks, event->rank, values->pid, values->tid);
    events->track = track;
    if (!track)
        return no_event_memory(events, error);
    event->thread = track->number;
    if (event->kind == ORDO_EVENT_BEGIN && !event->is_open) {
        if (track->open++ == 0)
            track->open_row = event->row;
    } else if (event->kind == ORDO_EVENT_END) {
        if (track->open == 0)
            return odd(events, ORDO_ODD_EARLY_END, error);
        ordo_nest_give(&events->nest, track, event);
        track->open--;
    }
    return ORDO_OK;
}

static int add_to_key(struct ordo_chrome_events *events, size_t *length, struct ordo_text part)
{
    if (*length + part.length + 1 > events->key_room) {
        size_t room = 2 * (*length + part.length + 1);
        char *key = realloc(events->key, room);
        if (!key)
            return -1;
        events->key = key;
        events->key_room = room;
    }
    if (part.length > 0)
        memcpy(events->key + *length, part.at, part.length);
    *length += part.length;
    events->key[(*length)++] = '\0';
    return 0;
}

/* Sets the lane of an asynchronous begin or end. Its id is unique in its category and scope, and also in its process if
 * it is "local". */
static int set_lane(struct ordo_chrome_events *events, struct ordo_event *event, const struct values *values,
                    struct ordo_error *error)
{
    struct ordo_text inside = ordo_json_inside(values->id2), id = values->id, process = {NULL, 0};
    struct ordo_member member;
    char rank[24];
    struct ordo_text own = {rank, (size_t)(ordo_text_put_int(rank, event->rank) - rank)};
    bool begins = values->phase == 'b' || values->phase == 'S';
    while (inside.at && ordo_json_member(&inside, &member) == 1) {
        id = member.value;
        process = is_event_key(member.key, "local", 5) ? values->pid : process;
    }
    size_t length = 0;
    if (add_to_key(events, &length, own) || add_to_key(events, &length, values->category) ||
        add_to_key(events, &length, values->scope) || add_to_key(events, &length, id) ||
        add_to_key(events, &length, process))
        return no_event_memory(events, error);
    struct ordo_text key = {events->key, length};
    uint32_t lane;
    if (begins && ordo_lanes_begin(&events->lanes, key, event->row, &lane))
        return no_event_memory(events, error);
    if (!begins && !ordo_lanes_end(&events->lanes, key, &lane))
        return odd(events, ORDO_ODD_EARLY_END, error);
    event->kind = begins ? ORDO_EVENT_BEGIN : ORDO_EVENT_END;
    event->thread = ORDO_CHROME_LANES + lane;
    return ORDO_OK;
}

/* Learns from metadata of Ordo which rank a process has. */
static int learn_rank(struct ordo_chrome_events *events, const struct ordo_event *event, const struct values *values,
                      struct ordo_error *error)
{
    int64_t rank;
    if (!is_event_key(event->name, "ordo_rank", 9) || events->args.count < 1 ||
        !is_event_key(events->args.all[0].key, "rank", 4) || !is_peer(events->args.all[0].value, &rank))
        return ORDO_OK;
    return ordo_processes_declare(&events->processes, event_value(values->pid), (int32_t)rank)
               ? no_event_memory(events, error)
               : ORDO_OK;
}

static int set_rank(struct ordo_chrome_events *events, struct ordo_event *event, const struct values *values,
                    struct ordo_error *error)
{
    if (event->rank < 0)
        event->rank = ordo_processes_rank(&events->processes, event_value(values->pid),
                                          events->document.facts.is_profile ? 0 : -1);
    return event->rank < 0 ? no_event_memory(events, error) : ORDO_OK;
}

/* Sets the thread that metadata describes, if the file states its rank. */
static int set_meta(struct ordo_chrome_events *events, struct ordo_event *event, const struct values *values,
                    struct ordo_error *error)
{
    if (event->name.length < 7 || memcmp(event->name.at, "thread_", 7) != 0)
        return learn_rank(events, event, values, error);
    if (event->rank < 0 && events->document.facts.is_profile)
        event->rank = 0;
    return event->rank < 0 ? ORDO_OK : set_track(events, event, values, error);
}

/* Sets the part of an event in the work of a device. */
static int set_device(struct ordo_chrome_events *events, struct ordo_event *event, const struct values *values,
                      struct ordo_error *error)
{
    int64_t number;
    if (!ordo_device_args(event, values->category, &events->args))
        return ORDO_OK;
    struct ordo_text pid = event_value(values->pid);
    event->device.process = ordo_names_number(&events->callers, pid);
    if (event->device.role == ORDO_DEVICE_WORK && event->device.device < 0)
        event->device.device =
            ordo_text_within(pid, 0, INT64_MAX, &number) ? number : INT64_MAX - event->device.process;
    return event->device.process == UINT32_MAX ? no_event_memory(events, error) : ORDO_OK;
}

static bool is_lane(const struct values *values)
{
    return memchr("beSF", values->phase, 4) && (values->id.length > 0 || values->id2.length > 0);
}

/* Sets the remaining fields of an event with a time. */
static int set_timed(struct ordo_chrome_events *events, struct ordo_chrome_read *read, const struct values *values,
                     const struct ordo_decimal *time, struct ordo_error *error)
{
    struct ordo_event *event = read->event;
    int code = event->kind == ORDO_EVENT_SPAN ? set_duration(events, event, values->duration, time, error) : ORDO_OK;
    if (!code)
        code = set_rank(events, event, values, error);
    if (!code)
        code = is_lane(values) ? set_lane(events, event, values, error) : set_track(events, event, values, error);
    read->stamp = (struct ordo_event_stamp){event->time_ns, event->time_ns, event->time_ns};
    if (!code)
        set_args(events, read);
    if (!code && values->args.at)
        ordo_nccl_args(event, values->args);
    return code ? code : set_device(events, event, values, error);
}

static int set_event(struct ordo_chrome_events *events, struct ordo_chrome_read *read, struct ordo_error *error)
{
    struct values values = {0};
    struct ordo_event *event = read->event;
    struct ordo_decimal time;
    events->track = NULL;
    set_values(events, event, &values);
    event->kind = (uint8_t)kind_of(values.phase);
    int code = events->members.is_bare ? odd(events, ORDO_ODD_NO_NUMBER, error) : ORDO_OK;
    if (!code && values.phase == 0)
        code = odd(events, ORDO_ODD_NO_PHASE, error);
    if (code)
        return code;
    if (event->kind == ORDO_EVENT_META)
        return set_meta(events, event, &values, error);
    code = set_time(events, event, values.time, &time, error);
    if (code || event->kind == ORDO_EVENT_META)
        return code;
    return set_timed(events, read, &values, &time, error);
}

/* Counts the begins that have no end. */
static int note_open(struct ordo_chrome_events *events, struct ordo_error *error)
{
    uint64_t count = 0, row = UINT64_MAX;
    for (uint32_t i = 0; i < events->tracks.names.count && i < events->tracks.room; i++)
        if (events->tracks.all[i].open > 0) {
            count += events->tracks.all[i].open;
            row = events->tracks.all[i].open_row < row ? events->tracks.all[i].open_row : row;
        }
    for (size_t i = 0; i < events->lanes.size; i++)
        if (events->lanes.slots[i].key) {
            count += events->lanes.slots[i].depth;
            row = events->lanes.slots[i].row < row ? events->lanes.slots[i].row : row;
        }
    return count > 0 ? ordo_chrome_odd(&events->document, ORDO_ODD_OPEN_BEGIN, row, count, error) : ORDO_OK;
}

int ordo_chrome_events_next(struct ordo_chrome_events *events, struct ordo_chrome_read *read, struct ordo_error *error)
{
    bool was_ended = events->document.where == ORDO_CHROME_ENDED;
    int more = ordo_chrome_document_next(&events->document, &read->event->raw, &events->members, &events->args, error);
    if (more == 0 && !was_ended)
        return note_open(events, error);
    if (more != 1)
        return more;
    read->event->row = events->document.input->row;
    read->event->members = &events->members;
    read->is_corrected = false;
    int code = set_event(events, read, error);
    return code ? code : 1;
}

int ordo_chrome_events_keep(struct ordo_chrome_events *events, const struct ordo_event *event, struct ordo_error *error)
{
    bool opens = event->kind == ORDO_EVENT_BEGIN && !event->is_open && event->collective && events->track;
    return opens && ordo_nest_keep(&events->nest, events->track, event) ? no_event_memory(events, error) : ORDO_OK;
}

void ordo_chrome_events_reset(struct ordo_chrome_events *events)
{
    ordo_tracks_free(&events->tracks);
    ordo_nest_free(&events->nest);
    ordo_lanes_free(&events->lanes);
    ordo_processes_free(&events->processes);
    ordo_names_free(&events->callers);
    free(events->key);
    events->key = NULL;
    events->key_room = 0;
    events->places = events->declared >= 0 ? events->declared : MICROSECONDS;
    events->has_unit = false;
}
