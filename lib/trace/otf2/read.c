/* Reads an archive: merges its locations by time, gives each event its meaning, and sends it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/layout.h"
#include "trace/otf2/archive.h"
#include "trace/otf2/clock.h"
#include "trace/otf2/collective.h"
#include "trace/otf2/events.h"
#include "trace/otf2/markers.h"
#include "trace/otf2/marks.h"

const bool ordo_otf2_is_there = true;

/* How far the reading of a location runs ahead for the completion of a receive. Without its completion, a receive is
 * numbered when it completes. */
enum { AHEAD_MOST = 1 << 16, ANCHOR_BYTES = 1 << 28 };

/* A region that was entered and not left. */
struct frame {
    uint64_t communicator, bytes;
    int32_t root, place;
    uint8_t collective;
    bool has_bytes;
};

struct stack {
    struct frame *frames;
    size_t depth, room;
};

struct reading {
    struct ordo_process_out *out;
    const struct ordo_otf2_task *task;
    OTF2_Reader *reader;
    struct ordo_otf2_definitions all;
    struct ordo_otf2_stream *streams;
    struct stack *stacks;
    size_t *heap, size;     /* indices of the locations with a next event; the earliest event first */
    struct ordo_map names;  /* a string: its number as a name + 1 */
    struct ordo_map counts; /* a channel: numbers of its sends and receives */
    uint32_t name_count;
    bool corrected, no_memory;
    bool is_undefined; /* something that the event refers to is not defined */
    int64_t shift_ns;  /* see ORDO_OTF2_GLOBAL */
    char problem[160];
};

static void send_failure(struct reading *reading, OTF2_ErrorCode code, const char *where)
{
    char text[300];
    int length = snprintf(text, sizeof text, "%s: the OTF2 library says '%s%s%s': write the archive again%s", where,
                          OTF2_Error_GetDescription(code), reading->problem[0] ? ": " : "", reading->problem,
                          reading->stacks ? ", or take what is whole with --partial" : "");
    ordo_process_send(reading->out, ORDO_OTF2_FAILED, text, (size_t)length, NULL, 0);
}

static void send_odd(const struct reading *reading, enum ordo_otf2_oddity oddity, uint64_t count)
{
    struct ordo_otf2_odd sent = {oddity, count};
    if (count > 0)
        ordo_process_send(reading->out, ORDO_OTF2_ODD, &sent, sizeof sent, NULL, 0);
}

/* Keeps the first message of the library, which has the cause. */
static OTF2_ErrorCode keep_problem(void *user, const char *file, uint64_t line, const char *function,
                                   OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct reading *reading = user;
    (void)file, (void)line, (void)function;
    if (!reading->problem[0])
        (void)vsnprintf(reading->problem, sizeof reading->problem, format, arguments);
    for (char *at = reading->problem; *at; at++)
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    return code;
}

/* Sends a new name. Returns its number. */
static uint32_t send_name(struct reading *reading, const char *text, size_t length)
{
    size_t most = ORDO_TRACE_NAME_MOST;
    ordo_process_send(reading->out, ORDO_OTF2_NAME, text, length < most ? length : most, NULL, 0);
    return reading->name_count++;
}

/* Returns the number of a text as a name, and sends a new one. */
static uint32_t name_of(struct reading *reading, OTF2_StringRef ref)
{
    const char *text = ordo_otf2_string(&reading->all, ref);
    uint64_t *number = text ? ordo_map_add(&reading->names, ref, 0) : NULL;
    reading->no_memory |= text && !number;
    if (!number)
        return ORDO_OTF2_NO_NAME;
    if (*number == 0)
        *number = (uint64_t)send_name(reading, text, strlen(text)) + 1;
    return (uint32_t)(*number - 1);
}

static const uint64_t *values_of(const struct ordo_otf2_entry *entry)
{
    return entry->more ? entry->more : entry->values;
}

/* True if the record of a collective's end proves that ranks wait: a rank that contributes nothing need not be waited
 * for ([K18] of event/collective.h), and neither is anything if both sizes are 0. A size that is not known is not 0. */
static bool is_proved(const uint64_t *values)
{
    OTF2_CollectiveOp operation = (OTF2_CollectiveOp)values[0];
    bool has_data = values[3] > 0 || values[4] > 0;
    return operation == OTF2_COLLECTIVE_OP_BARRIER || (has_data && !ordo_otf2_is_uneven(operation));
}

/* Returns the facts about a collective that are in the record of its end. */
static struct frame frame_of(struct reading *reading, const struct ordo_otf2_stream *stream,
                             const struct ordo_otf2_entry *end)
{
    struct frame frame = {.communicator = ORDO_EVENT_NO_COMMUNICATOR, .root = -1, .place = -1};
    const uint64_t *values = values_of(end);
    const struct ordo_otf2_communicator *communicator = ordo_otf2_communicator(&reading->all, (OTF2_CommRef)values[1]);
    enum ordo_event_collective waits = ordo_otf2_waits((OTF2_CollectiveOp)values[0]);
    int32_t own = stream->location->rank;
    reading->is_undefined |= !communicator;
    if (!communicator || waits == ORDO_COLLECTIVE_NONE || !is_proved(values) || communicator->two_groups ||
        ordo_otf2_is_self(&reading->all, communicator))
        return frame;
    frame.communicator = communicator->id;
    frame.collective = (uint8_t)waits;
    frame.bytes = values[3] > INT64_MAX ? 0 : values[3];
    frame.has_bytes = true;
    if (waits == ORDO_COLLECTIVE_ONE_TO_ALL || waits == ORDO_COLLECTIVE_ALL_TO_ONE)
        frame.root = values[2] == OTF2_COLLECTIVE_ROOT_SELF
                         ? own
                         : ordo_otf2_rank_of(&reading->all, communicator, own, (uint32_t)values[2]);
    if (waits == ORDO_COLLECTIVE_PREFIX)
        frame.place = ordo_otf2_place_of(&reading->all, communicator, own);
    return frame;
}

static void push_frame(struct reading *reading, struct stack *stack, const struct frame *frame)
{
    if (stack->depth == stack->room) {
        size_t room = stack->room ? 2 * stack->room : 16;
        struct frame *frames = realloc(stack->frames, room * sizeof *frames);
        reading->no_memory |= !frames;
        if (!frames)
            return;
        stack->frames = frames;
        stack->room = room;
    }
    stack->frames[stack->depth++] = *frame;
}

static void set_frame(struct ordo_event *event, const struct frame *frame)
{
    event->communicator = frame->communicator;
    event->root = frame->root;
    event->place = frame->place;
    event->bytes = frame->bytes;
    event->has_bytes = frame->has_bytes;
    event->collective = frame->collective;
}

/* A region begins. If the next record of the location is the begin of a collective, the region is this collective. */
static void set_enter(struct reading *reading, size_t at, struct ordo_otf2_event *sent)
{
    const struct ordo_otf2_stream *stream = &reading->streams[at];
    const struct ordo_otf2_queue *queue = &stream->queue;
    const struct ordo_otf2_entry *next = queue->next - queue->first > 1 ? ordo_otf2_at(queue, queue->first + 1) : NULL;
    struct frame frame = {.communicator = ORDO_EVENT_NO_COMMUNICATOR, .root = -1, .place = -1};
    if (next && next->kind == ORDO_OTF2_MpiCollectiveBegin && next->link > 0)
        frame = frame_of(reading, stream, ordo_otf2_at(queue, next->link));
    push_frame(reading, &reading->stacks[at], &frame);
    sent->event.kind = ORDO_EVENT_BEGIN;
    set_frame(&sent->event, &frame);
}

static void set_leave(struct reading *reading, size_t at, struct ordo_otf2_event *sent)
{
    static const struct frame none = {.communicator = ORDO_EVENT_NO_COMMUNICATOR, .root = -1, .place = -1};
    struct stack *stack = &reading->stacks[at];
    sent->event.kind = ORDO_EVENT_END;
    set_frame(&sent->event, stack->depth > 0 ? &stack->frames[--stack->depth] : &none);
}

static void set_region(struct reading *reading, uint64_t region, struct ordo_otf2_event *sent)
{
    const uint64_t *name = ordo_map_find(&reading->all.region_of, region, 0);
    sent->name = name && *name > 0 ? name_of(reading, (OTF2_StringRef)(*name - 1)) : ORDO_OTF2_NO_NAME;
    reading->is_undefined |= sent->name == ORDO_OTF2_NO_NAME;
}

/* Sets the channel of a message. Returns false if the other rank is not known. */
static bool set_channel(const struct reading *reading, const struct ordo_otf2_stream *stream,
                        const struct ordo_otf2_entry *entry, struct ordo_event *event)
{
    const uint64_t *values = values_of(entry);
    const struct ordo_otf2_communicator *communicator = ordo_otf2_communicator(&reading->all, (OTF2_CommRef)values[1]);
    int32_t own = stream->location->rank;
    int32_t peer = communicator ? ordo_otf2_rank_of(&reading->all, communicator, own, (uint32_t)values[0]) : -1;
    if (peer < 0)
        return false;
    event->peer = peer;
    event->communicator = communicator->id;
    event->tag = values[2] <= INT32_MAX ? (int32_t)values[2] : -1;
    event->bytes = values[3] <= INT64_MAX ? values[3] : 0;
    event->has_bytes = true;
    return true;
}

/* [N1] MPI matches the messages of a channel in the order in which they were sent and their receives were posted, and
 *      not in the order in which they completed. Both ends are therefore numbered in this order.
 * Returns the next number of a channel. */
static uint32_t next_number(struct reading *reading, const struct ordo_event *event, bool sent)
{
    uint64_t from = (uint64_t)(sent ? event->rank : event->peer), to = (uint64_t)(sent ? event->peer : event->rank);
    uint64_t tag = (uint32_t)event->tag; /* ranks are below 2^20, and so are the numbers in `communicator` below 2^33 */
    uint64_t *count = ordo_map_add(&reading->counts, from << 40 | to << 20 | (tag & 0xfffff),
                                   event->communicator << 16 | tag >> 20 | (uint64_t)sent << 63);
    reading->no_memory |= !count;
    return count ? (uint32_t)(*count)++ : ORDO_EVENT_UNCOUNTED;
}

static void set_message(struct reading *reading, const struct ordo_otf2_stream *stream,
                        const struct ordo_otf2_entry *entry, struct ordo_otf2_event *sent)
{
    bool sends = entry->kind == ORDO_OTF2_MpiSend || entry->kind == ORDO_OTF2_MpiIsend;
    struct ordo_event *event = &sent->event;
    if (!set_channel(reading, stream, entry, event)) {
        reading->is_undefined = true;
        return;
    }
    event->kind = sends ? ORDO_EVENT_SEND : ORDO_EVENT_RECV;
    event->number = entry->number > 0 ? (uint32_t)(entry->number - 1) : next_number(reading, event, sends);
}

/* Numbers a receive when it is posted [N1]. */
static void number_posted(struct reading *reading, const struct ordo_otf2_stream *stream,
                          const struct ordo_otf2_entry *entry)
{
    struct ordo_event event = {.rank = stream->location->rank, .peer = -1, .tag = -1};
    struct ordo_otf2_entry *completion = entry->link > 0 ? ordo_otf2_at(&stream->queue, entry->link) : NULL;
    if (completion && completion->kind == ORDO_OTF2_MpiIrecv && set_channel(reading, stream, completion, &event))
        completion->number = (uint64_t)next_number(reading, &event, false) + 1;
}

/* A marker is an event of the rank to which it belongs, with its text as the name. */
static void set_marker(struct reading *reading, const uint64_t *values, struct ordo_otf2_event *sent)
{
    size_t bytes = (size_t)values[ORDO_OTF2_MARKER_BYTES];
    sent->event.kind = ORDO_EVENT_POINT;
    sent->event.rank = ordo_otf2_marker_rank(&reading->all, values);
    sent->name = send_name(reading, (const char *)(values + ORDO_OTF2_MARKER_TEXT), bytes);
}

static void set_kind(struct reading *reading, size_t at, const struct ordo_otf2_entry *entry,
                     struct ordo_otf2_event *sent)
{
    const struct ordo_otf2_stream *stream = &reading->streams[at];
    const uint64_t *values = values_of(entry);
    switch (entry->kind) {
    case ORDO_OTF2_Enter:
        set_enter(reading, at, sent);
        set_region(reading, values[0], sent);
        break;
    case ORDO_OTF2_Leave:
        set_leave(reading, at, sent);
        set_region(reading, values[0], sent);
        break;
    case ORDO_OTF2_MpiSend:
    case ORDO_OTF2_MpiIsend:
    case ORDO_OTF2_MpiRecv:
    case ORDO_OTF2_MpiIrecv:
        set_message(reading, stream, entry, sent);
        break;
    case ORDO_OTF2_MpiIrecvRequest:
        number_posted(reading, stream, entry);
        break;
    case ORDO_OTF2_Marker:
        set_marker(reading, values, sent);
        break;
    case ORDO_OTF2_ParameterString:
        sent->event.kind = ORDO_EVENT_POINT;
        sent->name = name_of(reading, (OTF2_StringRef)values[1]);
        reading->is_undefined |= sent->name == ORDO_OTF2_NO_NAME;
        break;
    default:
        break;
    }
}

/* Sets the stamp of an event of a corrected archive, whose bounds are attributes. */
static void set_stamp(const struct reading *reading, const struct ordo_otf2_entry *entry, struct ordo_otf2_event *sent)
{
    int64_t time_ns = sent->event.time_ns -= reading->shift_ns;
    const uint64_t *attribute = values_of(entry) + entry->words;
    sent->stamp = (struct ordo_event_stamp){time_ns, time_ns, time_ns};
    for (int i = 0; i < entry->attributes; i++, attribute += 2) {
        if ((attribute[0] >> 8) + 1 == reading->all.earliest)
            sent->stamp.earliest_ns = (int64_t)((uint64_t)time_ns + attribute[1]);
        if ((attribute[0] >> 8) + 1 == reading->all.latest)
            sent->stamp.latest_ns = (int64_t)((uint64_t)time_ns + attribute[1]);
    }
}

/* Converts the length of a marker to ns. */
static uint64_t length_ns(const struct ordo_otf2_definitions *all, const struct ordo_otf2_entry *marker)
{
    uint64_t length = marker->more[ORDO_OTF2_MARKER_LENGTH], most = UINT64_MAX - marker->time;
    int64_t end_ns = ordo_otf2_ns(all, marker->time + (length < most ? length : most));
    return (uint64_t)(end_ns - ordo_otf2_ns(all, marker->time));
}

static void send_event(struct reading *reading, size_t at)
{
    struct ordo_otf2_stream *stream = &reading->streams[at];
    struct ordo_otf2_entry *entry = ordo_otf2_at(&stream->queue, stream->queue.first);
    size_t count = entry->words + 2 * (size_t)entry->attributes;
    int64_t time_ns = ordo_otf2_ns(&reading->all, entry->time);
    if (entry->kind == ORDO_OTF2_BufferFlush && !entry->more) /* its value becomes the length of the flush */
        entry->values[0] = (uint64_t)(ordo_otf2_ns(&reading->all, entry->values[0]) - time_ns);
    if (entry->kind == ORDO_OTF2_Marker)
        entry->more[ORDO_OTF2_MARKER_LENGTH] = length_ns(&reading->all, entry);
    struct {
        struct ordo_otf2_event sent;
        struct ordo_otf2_raw raw;
    } record = {.sent = {.event = {.time_ns = time_ns,
                                   .flow = ORDO_EVENT_NO_FLOW,
                                   .rank = stream->location->rank,
                                   .peer = -1,
                                   .tag = -1,
                                   .root = -1,
                                   .place = -1,
                                   .thread = stream->location->thread,
                                   .number = ORDO_EVENT_UNCOUNTED,
                                   .kind = ORDO_EVENT_OTHER},
                         .name = ORDO_OTF2_NO_NAME},
                .raw = {stream->location->ref, entry->kind, entry->words, entry->attributes}};
    reading->is_undefined = false;
    set_kind(reading, at, entry, &record.sent);
    if (reading->is_undefined)
        send_odd(reading, ORDO_OTF2_UNDEFINED, 1);
    if (reading->corrected)
        set_stamp(reading, entry, &record.sent);
    ordo_process_send(reading->out, ORDO_OTF2_EVENT, &record, sizeof record, values_of(entry),
                      count * sizeof(uint64_t));
}

/* True if the meaning of the first entry depends on records that were not read yet. */
static bool lacks(const struct ordo_otf2_stream *stream)
{
    const struct ordo_otf2_queue *queue = &stream->queue;
    uint64_t count = queue->next - queue->first;
    if (count == 0)
        return true;
    const struct ordo_otf2_entry *entry = ordo_otf2_at(queue, queue->first);
    if (entry->kind == ORDO_OTF2_MpiIrecvRequest)
        return entry->link == 0 && count < AHEAD_MOST;
    if (entry->kind != ORDO_OTF2_Enter)
        return false;
    if (count == 1)
        return true;
    const struct ordo_otf2_entry *next = ordo_otf2_at(queue, queue->first + 1);
    return next->kind == ORDO_OTF2_MpiCollectiveBegin && next->link == 0 && count < AHEAD_MOST;
}

/* Reads until a location has its next event, with everything that its meaning depends on. Damage ends the location, if
 * the caller accepts the events before it. */
static OTF2_ErrorCode prepare(struct reading *reading, struct ordo_otf2_stream *stream)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    while (code == OTF2_SUCCESS && !stream->ended && lacks(stream))
        code = ordo_otf2_stream_read(stream, reading->reader);
    send_odd(reading, ORDO_OTF2_UNKNOWN, stream->unknown);
    stream->unknown = 0;
    if (code == OTF2_SUCCESS || stream->no_memory || !reading->task->is_partial)
        return code;
    stream->ended = true;
    ordo_process_send(reading->out, ORDO_OTF2_CUT, NULL, 0, NULL, 0);
    return OTF2_SUCCESS;
}

static bool earlier(const struct reading *reading, size_t a, size_t b)
{
    const struct ordo_otf2_queue *x = &reading->streams[a].queue, *y = &reading->streams[b].queue;
    uint64_t s = ordo_otf2_at(x, x->first)->time, t = ordo_otf2_at(y, y->first)->time;
    return s != t ? s < t : a < b;
}

static void sift(struct reading *reading, size_t at)
{
    size_t *heap = reading->heap, moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < reading->size; at = child) {
        if (child + 1 < reading->size && earlier(reading, heap[child + 1], heap[child]))
            child++;
        if (!earlier(reading, heap[child], moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Reads the markers. If their file is damaged, and the caller accepts this, there are none. */
static OTF2_ErrorCode read_markers_of(const struct reading *reading, struct ordo_otf2_stream *stream)
{
    OTF2_ErrorCode code = ordo_otf2_markers_read(stream, reading->reader);
    if (code == OTF2_SUCCESS || code == OTF2_ERROR_MEM_ALLOC_FAILED || !reading->task->is_partial)
        return code;
    ordo_otf2_queue_free(&stream->queue);
    ordo_process_send(reading->out, ORDO_OTF2_CUT, NULL, 0, NULL, 0);
    return OTF2_SUCCESS;
}

static OTF2_ErrorCode open_streams(struct reading *reading)
{
    OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(reading->reader);
    for (size_t i = 0; code == OTF2_SUCCESS && i < reading->all.location_count; i++) {
        struct ordo_otf2_stream *stream = &reading->streams[i];
        code = ordo_otf2_stream_open(stream, reading->reader, &reading->all.locations[i]);
        if (code == OTF2_SUCCESS)
            code = prepare(reading, stream);
        if (code == OTF2_SUCCESS && stream->queue.next > stream->queue.first)
            reading->heap[reading->size++] = i;
    }
    if (code == OTF2_SUCCESS)
        code = read_markers_of(reading, &reading->streams[reading->all.location_count]);
    if (code == OTF2_SUCCESS && reading->streams[reading->all.location_count].queue.next > 0)
        reading->heap[reading->size++] = reading->all.location_count;
    for (size_t i = reading->size / 2; i > 0; i--)
        sift(reading, i - 1);
    return code;
}

static OTF2_ErrorCode send_events(struct reading *reading)
{
    OTF2_ErrorCode code = open_streams(reading);
    while (code == OTF2_SUCCESS && reading->size > 0 && !reading->no_memory) {
        struct ordo_otf2_stream *stream = &reading->streams[reading->heap[0]];
        send_event(reading, reading->heap[0]);
        ordo_otf2_pop(&stream->queue);
        code = prepare(reading, stream);
        if (stream->queue.next == stream->queue.first)
            reading->heap[0] = reading->heap[--reading->size];
        if (reading->size > 0)
            sift(reading, 0);
    }
    return reading->no_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

/* Reads the local definitions of each location: the library applies their mapping tables to the events that are read
 * afterwards; and their clock offset records, if `offsets` is not NULL. */
static OTF2_ErrorCode read_local(struct reading *reading, struct ordo_otf2_offsets *offsets)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    bool opened = OTF2_Reader_OpenDefFiles(reading->reader) == OTF2_SUCCESS;
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, ordo_otf2_take_offset);
    for (size_t i = 0; opened && code == OTF2_SUCCESS && i < reading->all.location_count; i++) {
        uint64_t count = 0;
        OTF2_DefReader *local = OTF2_Reader_GetDefReader(reading->reader, reading->all.locations[i].ref);
        if (!local)
            continue; /* a location need not have definitions of its own */
        if (offsets)
            code = OTF2_Reader_RegisterDefCallbacks(reading->reader, local, callbacks, &offsets[i]);
        if (code == OTF2_SUCCESS)
            code = OTF2_Reader_ReadAllLocalDefinitions(reading->reader, local, &count);
        (void)OTF2_Reader_CloseDefReader(reading->reader, local);
    }
    OTF2_DefReaderCallbacks_Delete(callbacks);
    if (opened)
        (void)OTF2_Reader_CloseDefFiles(reading->reader);
    return code;
}

static OTF2_ErrorCode learn(struct reading *reading)
{
    size_t count = reading->all.location_count;
    struct ordo_otf2_offsets *offsets = calloc(count + 1, sizeof *offsets);
    if (!offsets)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (size_t i = 0; i < count; i++)
        offsets[i].all = &reading->all;
    OTF2_ErrorCode code = read_local(reading, offsets);
    for (size_t i = 0; i < count; i++)
        code = offsets[i].no_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
    if (code == OTF2_SUCCESS)
        ordo_otf2_send_fixes(reading->out, &reading->all, offsets);
    for (size_t i = 0; i < count; i++)
        free(offsets[i].of);
    free(offsets);
    return code;
}

/* Returns the number of snapshots and thumbnails. They repeat events, so that they need not be read. */
static uint64_t omissions(const struct reading *reading)
{
    uint32_t snapshots = 0, thumbnails = 0;
    if (OTF2_Reader_GetNumberOfSnapshots(reading->reader, &snapshots) != OTF2_SUCCESS)
        snapshots = 0;
    if (OTF2_Reader_GetNumberOfThumbnails(reading->reader, &thumbnails) != OTF2_SUCCESS)
        thumbnails = 0;
    return (uint64_t)snapshots + thumbnails;
}

/* Finds out whether Ordo has corrected the archive, and sends it with the step of the clock. If a tick is not a whole
 * number of ns, 2 ns are added to the step for the rounding of times. A tick of 1 ns says nothing about the step. */
static void send_start(struct reading *reading)
{
    char *value = NULL;
    uint64_t hz = reading->all.hz;
    struct ordo_otf2_start start = {0};
    if (OTF2_Reader_GetProperty(reading->reader, ORDO_OTF2_GLOBAL, &value) == OTF2_SUCCESS && value) {
        reading->corrected = start.corrected = true;
        reading->shift_ns = strtoll(value, NULL, 10);
    }
    free(value);
    reading->problem[0] = '\0'; /* the library has complained that there is no such property */
    if (hz != 1000000000)
        start.step_ns = 1000000000 % hz == 0 ? (int64_t)(1000000000 / hz) : (int64_t)(1000000000 / hz) + 3;
    ordo_process_send(reading->out, ORDO_OTF2_START, &start, sizeof start, NULL, 0);
    send_odd(reading, ORDO_OTF2_SNAPSHOT, omissions(reading));
}

static OTF2_ErrorCode select_locations(struct reading *reading)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    size_t count = reading->all.location_count;
    for (size_t i = 0; code == OTF2_SUCCESS && i < count; i++)
        code = OTF2_Reader_SelectLocation(reading->reader, reading->all.locations[i].ref);
    reading->streams = calloc(count + 2, sizeof *reading->streams);
    reading->stacks = calloc(count + 2, sizeof *reading->stacks);
    reading->heap = calloc(count + 2, sizeof *reading->heap);
    return reading->streams && reading->stacks && reading->heap ? code : OTF2_ERROR_MEM_ALLOC_FAILED;
}

static void read_archive(struct reading *reading, const struct ordo_otf2_task *task)
{
    const char *where = "its definitions";
    OTF2_ErrorCode code = ordo_otf2_define(&reading->all, reading->reader);
    if (code == OTF2_SUCCESS)
        code = select_locations(reading);
    if (code == OTF2_SUCCESS)
        send_start(reading);
    if (code == OTF2_SUCCESS)
        code = task->learns ? learn(reading) : read_local(reading, NULL);
    if (code == OTF2_SUCCESS && !task->learns) {
        where = "its events";
        code = send_events(reading);
    }
    if (code == OTF2_SUCCESS)
        ordo_process_send(reading->out, ORDO_OTF2_END, NULL, 0, NULL, 0);
    else
        send_failure(reading, code, where);
}

/* Frees nothing, because the process ends. */
void ordo_otf2_work(struct ordo_process_out *out, const void *context)
{
    static struct reading reading;
    const struct ordo_otf2_task *task = reading.task = context;
    reading.out = out;
    (void)OTF2_Error_RegisterCallback(keep_problem, &reading);
    ordo_process_limit(ANCHOR_BYTES); /* a damaged anchor file may announce billions of properties */
    reading.reader = OTF2_Reader_Open(task->path);
    ordo_process_limit(UINT64_MAX);
    if (!reading.reader || OTF2_Reader_SetSerialCollectiveCallbacks(reading.reader) != OTF2_SUCCESS)
        send_failure(&reading, OTF2_ERROR_PROCESSED_WITH_FAULTS, "its anchor file");
    else
        read_archive(&reading, task);
}
