#include "trace/paraver/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/event/collective.h"
#include "trace/event/names.h"
#include "trace/input/input.h"
#include "trace/paraver/body.h"
#include "trace/paraver/labels.h"
#include "trace/paraver/threads.h"

enum { RUN_BYTES = 1 << 26, FIRST_VALUE = 1000 };

/* An end of a message, sorted by its channel and its number in the channel. */
struct end {
    struct ordo_paraver_place place;
    uint64_t communicator, bytes;
    int64_t time_ns, earliest_ns, latest_ns;
    int32_t rank, peer, tag;
    bool sends;
};

/* The parts of a message that have come. */
struct parts {
    struct ordo_paraver_line line;
    int count;
};

struct ordo_paraver_out {
    const char *source;
    struct ordo_paraver_body body;
    struct ordo_map message_of; /* of the source: a message: index of its parts + 1 */
    struct parts *messages;
    size_t message_count, message_room, free; /* `free`: the first unused one + 1; `line.times_ns[0]` is the next one */
    struct ordo_paraver_threads threads;
    struct ordo_sorter *ends;
    struct ordo_names names;
    struct ordo_map points;        /* the names of points */
    struct ordo_map communicators; /* their numbers in the trace; 1: MPI_COMM_WORLD */
    struct ordo_map members;       /* pairs of the number of a communicator and a rank in it */
    int sys_errno;
};

struct ordo_paraver_out *ordo_paraver_create(const char *source)
{
    struct ordo_paraver_out *out = calloc(1, sizeof *out);
    if (!out)
        return NULL;
    out->source = source;
    out->ends = ordo_sorter_create(RUN_BYTES);
    if (ordo_paraver_body_begin(&out->body) == 0 && out->ends)
        return out;
    ordo_paraver_free(out);
    return NULL;
}

void ordo_paraver_free(struct ordo_paraver_out *out)
{
    if (!out)
        return;
    ordo_sorter_free(out->body.sorter);
    ordo_sorter_free(out->ends);
    ordo_paraver_threads_free(&out->threads);
    ordo_names_free(&out->names);
    ordo_map_free(&out->points);
    ordo_map_free(&out->message_of);
    free(out->messages);
    ordo_map_free(&out->communicators);
    ordo_map_free(&out->members);
    free(out);
}

/* Returns the non-negative distance from one time to a later one; 2^62 for bounds that stand for infinity. */
static int64_t distance(int64_t from_ns, int64_t to_ns)
{
    uint64_t ns = (uint64_t)to_ns - (uint64_t)from_ns;
    return ns < UINT64_C(1) << 62 ? (int64_t)ns : INT64_C(1) << 62;
}

/* Returns the parts of a message; NULL if out of memory. */
static struct parts *parts_of(struct ordo_paraver_out *out, uint64_t message)
{
    uint64_t *index = ordo_map_add(&out->message_of, message, 0);
    if (!index || *index > 0)
        return index ? &out->messages[*index - 1] : NULL;
    if (out->free == 0 && out->message_count == out->message_room) {
        size_t room = out->message_room ? 2 * out->message_room : 64;
        struct parts *messages = realloc(out->messages, room * sizeof *messages);
        if (!messages)
            return NULL;
        out->messages = messages;
        out->message_room = room;
    }
    size_t own = out->free > 0 ? out->free : ++out->message_count;
    struct parts *parts = &out->messages[own - 1];
    out->free = out->free > 0 ? (size_t)parts->line.times_ns[0] : 0;
    *parts = (struct parts){.count = 0};
    *index = own;
    return parts;
}

/* Adds a part of a message, and the message if it has all its parts. */
static void put_part(struct ordo_paraver_out *out, const struct ordo_paraver_record *record, int64_t global_ns)
{
    enum { PARTS = 4 };
    struct parts *parts = parts_of(out, record->message);
    if (!parts) {
        out->sys_errno = ENOMEM;
        return;
    }
    parts->line.record = *record;
    parts->line.times_ns[record->part] = global_ns;
    if (++parts->count < PARTS)
        return;
    ordo_paraver_body_add(&out->body, &parts->line);
    parts->line.times_ns[0] = (int64_t)out->free;
    out->free = (size_t)(parts - out->messages) + 1;
    ordo_map_remove(&out->message_of, record->message, 0);
}

/* Adds a record of the source. */
static void put_again(struct ordo_paraver_out *out, const struct ordo_event *event,
                      const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    struct ordo_paraver_line line = {.times_ns = {stamp->global_ns},
                                     .earliest_ns = distance(stamp->earliest_ns, stamp->global_ns),
                                     .latest_ns = distance(stamp->global_ns, stamp->latest_ns)};
    memcpy(&line.record, event->raw.at, sizeof line.record);
    if (line.record.kind == ORDO_PARAVER_STATE)
        line.times_ns[1] = end->global_ns;
    if (line.record.kind != ORDO_PARAVER_MESSAGE) {
        ordo_paraver_body_add(&out->body, &line);
        return;
    }
    put_part(out, &line.record, stamp->global_ns);
}

static bool is_mpi(struct ordo_text name)
{
    return name.length > 4 && memcmp(name.at, "MPI_", 4) == 0;
}

/* Returns the type and the value of a region. The calls that Extrae numbers have its numbers. */
static int64_t type_of(const struct ordo_paraver_out *out, uint32_t number, int64_t *value)
{
    static const char *const known[] = {"",
                                        "MPI_Send",
                                        "MPI_Recv",
                                        "MPI_Isend",
                                        "MPI_Irecv",
                                        "MPI_Wait",
                                        "MPI_Waitall",
                                        "MPI_Bcast",
                                        "MPI_Barrier",
                                        "MPI_Reduce",
                                        "MPI_Allreduce",
                                        "MPI_Alltoall",
                                        "MPI_Alltoallv",
                                        "MPI_Gather",
                                        "MPI_Gatherv",
                                        "MPI_Scatter",
                                        "MPI_Scatterv",
                                        "MPI_Allgather",
                                        "MPI_Allgatherv"};
    struct ordo_text name = out->names.all[number];
    int64_t count = sizeof known / sizeof *known;
    *value = (int64_t)number + FIRST_VALUE;
    if (!is_mpi(name))
        return ORDO_PARAVER_FUNCTION;
    for (int64_t i = 1; i < count; i++)
        if (strlen(known[i]) == name.length && memcmp(known[i], name.at, name.length) == 0)
            *value = i;
    if (ordo_event_collective_of(name))
        return ORDO_PARAVER_COLLECTIVE;
    return *value < count ? ORDO_PARAVER_POINT_TO_POINT : ORDO_PARAVER_OTHER_MPI;
}

/* Returns the number of a communicator in the trace, and adds a rank to it. */
static int64_t communicator_of_event(struct ordo_paraver_out *out, uint64_t communicator, int32_t rank)
{
    uint64_t *number = ordo_map_add(&out->communicators, communicator, 0);
    if (number && *number == 0)
        *number = communicator == 0 ? 1 : out->communicators.count + 1;
    int64_t found = number ? (int64_t)*number : 0;
    if (!number || !ordo_map_add(&out->members, (uint64_t)found, (uint64_t)rank))
        out->sys_errno = ENOMEM;
    return found;
}

/* Adds a pair of type and value to the body. */
static void add_type_pair(struct ordo_paraver_out *out, const struct ordo_paraver_place *place,
                          const struct ordo_event_stamp *stamp, int64_t type, int64_t value)
{
    struct ordo_paraver_line line = {
        .record = {.place = *place, .type = type, .value = value, .kind = ORDO_PARAVER_EVENT},
        .times_ns = {stamp->global_ns},
        .earliest_ns = distance(stamp->earliest_ns, stamp->global_ns),
        .latest_ns = distance(stamp->global_ns, stamp->latest_ns)};
    ordo_paraver_body_add(&out->body, &line);
}

static void put_region(struct ordo_paraver_out *out, const struct ordo_event *event, bool begins,
                       const struct ordo_event_stamp *stamp)
{
    uint32_t number = ordo_names_number(&out->names, event->name);
    struct ordo_paraver_thread *thread =
        ordo_paraver_thread(&out->threads, event->rank, event->thread, stamp->global_ns);
    int64_t value;
    if (number == UINT32_MAX || !thread) {
        out->sys_errno = ENOMEM;
        return;
    }
    int64_t type = type_of(out, number, &value), left = begins ? 0 : ordo_paraver_thread_leave(thread);
    if (begins && ordo_paraver_thread_enter(thread, type))
        out->sys_errno = ENOMEM;
    if (left > 0 && event->name.length == 0) /* an end that does not name its region */
        type = left;
    if (type == ORDO_PARAVER_COLLECTIVE && event->communicator != ORDO_EVENT_NO_COMMUNICATOR) {
        add_type_pair(out, &thread->place, stamp, ORDO_PARAVER_COMMUNICATOR,
                      communicator_of_event(out, event->communicator, event->rank));
        if (event->root >= 0)
            add_type_pair(out, &thread->place, stamp, ORDO_PARAVER_ROOT, event->root + INT64_C(1));
    }
    add_type_pair(out, &thread->place, stamp, type, begins ? value : 0);
    if (type != ORDO_PARAVER_FUNCTION)
        ordo_paraver_thread_call(thread, &out->body, event->name, begins, stamp->global_ns);
}

static void put_point(struct ordo_paraver_out *out, const struct ordo_event *event,
                      const struct ordo_event_stamp *stamp)
{
    uint32_t number = ordo_names_number(&out->names, event->name);
    struct ordo_paraver_thread *thread =
        ordo_paraver_thread(&out->threads, event->rank, event->thread, stamp->global_ns);
    if (number == UINT32_MAX || !thread || !ordo_map_add(&out->points, number, 0))
        out->sys_errno = ENOMEM;
    else
        add_type_pair(out, &thread->place, stamp, ORDO_PARAVER_POINT, (int64_t)number + FIRST_VALUE);
}

/* Adds an end of a message, to be joined with the other one. */
static void put_end(struct ordo_paraver_out *out, const struct ordo_event *event, const struct ordo_event_stamp *stamp)
{
    bool sends = event->kind == ORDO_EVENT_SEND;
    uint64_t from = (uint64_t)(sends ? event->rank : event->peer), to = (uint64_t)(sends ? event->peer : event->rank);
    uint64_t channel = (from << 40 ^ to << 20 ^ (uint32_t)event->tag) * UINT64_C(0x9e3779b97f4a7c15);
    struct ordo_sorter_key key = {channel ^ event->communicator * UINT64_C(0xff51afd7ed558ccd), (int64_t)event->flow};
    struct ordo_paraver_thread *thread =
        ordo_paraver_thread(&out->threads, event->rank, event->thread, stamp->global_ns);
    if (!thread) {
        out->sys_errno = ENOMEM;
        return;
    }
    out->threads.last_rank = event->peer > out->threads.last_rank ? event->peer : out->threads.last_rank;
    struct end end = {thread->place,    event->communicator, event->bytes, stamp->global_ns, stamp->earliest_ns,
                      stamp->latest_ns, event->rank,         event->peer,  event->tag,       sends};
    if (ordo_sorter_add(out->ends, key, &end, sizeof end))
        out->sys_errno = errno;
}

void ordo_paraver_put(struct ordo_paraver_out *out, const struct ordo_event *event,
                      const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end)
{
    if (event->kind == ORDO_EVENT_META || out->sys_errno)
        return;
    if (out->source) {
        put_again(out, event, stamp, end);
        return;
    }
    switch (event->kind) {
    case ORDO_EVENT_POINT:
        put_point(out, event, stamp);
        break;
    case ORDO_EVENT_BEGIN:
    case ORDO_EVENT_END:
        put_region(out, event, event->kind == ORDO_EVENT_BEGIN, stamp);
        break;
    case ORDO_EVENT_SPAN:
        put_region(out, event, true, stamp);
        put_region(out, event, false, end);
        break;
    case ORDO_EVENT_SEND:
    case ORDO_EVENT_RECV:
        put_end(out, event, stamp);
        break;
    default:
        break;
    }
}

static void add_lone(struct ordo_paraver_out *out, const struct end *end)
{
    struct ordo_event_stamp stamp = {end->time_ns, end->earliest_ns, end->latest_ns};
    add_type_pair(out, &end->place, &stamp, ORDO_PARAVER_LONE, end->peer + INT64_C(1));
}

static void add_message(struct ordo_paraver_out *out, const struct end *send, const struct end *receive)
{
    struct ordo_paraver_line line = {.record = {.place = send->place,
                                                .other = receive->place,
                                                .type = send->tag,
                                                .value = (int64_t)send->bytes,
                                                .kind = ORDO_PARAVER_MESSAGE},
                                     .times_ns = {send->time_ns, send->time_ns, receive->time_ns, receive->time_ns}};
    ordo_paraver_body_add(&out->body, &line);
}

static bool is_pair(const struct end *a, const struct end *b)
{
    return a->sends != b->sends && a->rank == b->peer && a->peer == b->rank && a->tag == b->tag &&
           a->communicator == b->communicator;
}

/* Joins the ends of messages: both have the same key, so that they are neighbours. */
static int join(struct ordo_paraver_out *out)
{
    struct ordo_sorted sorted;
    struct end before, end;
    bool waits = false;
    int more = ordo_sorter_start(out->ends) ? -1 : 1;
    while (more == 1 && (more = ordo_sorter_next(out->ends, &sorted)) == 1) {
        memcpy(&end, sorted.bytes, sizeof end);
        if (waits && is_pair(&before, &end)) {
            add_message(out, before.sends ? &before : &end, before.sends ? &end : &before);
            waits = false;
            continue;
        }
        if (waits)
            add_lone(out, &before);
        before = end;
        waits = true;
    }
    if (waits)
        add_lone(out, &before);
    return more;
}

/* Writes the header of the source with another duration, and the lines behind it up to the first record. */
static void copy_header(const struct ordo_paraver_out *out, int64_t length_ns, int64_t origin_ns, FILE *stream)
{
    struct ordo_input input;
    struct ordo_text line;
    if (ordo_input_open(&input, out->source, NULL) != ORDO_OK)
        return;
    for (bool first = true; ordo_input_line(&input, &line, NULL) == 1; first = false) {
        const char *date = first ? memchr(line.at, ')', line.length) : NULL, *end = line.at + line.length;
        const char *rest = date && end - date > 2 ? memchr(date + 2, ':', (size_t)(end - date - 2)) : NULL;
        if (rest)
            fprintf(stream, "%.*s):%" PRId64 "_ns%.*s\n" ORDO_PARAVER_MARK "%" PRId64 "\n", (int)(date - line.at),
                    line.at, length_ns, (int)(end - rest), rest, origin_ns);
        else if (line.length > 0 && strchr("#cCiI", *line.at))
            fprintf(stream, "%.*s\n", (int)line.length, line.at);
        else if (line.length > 0)
            break;
    }
    ordo_input_close(&input);
}

static int by_pair(const void *a, const void *b)
{
    const struct ordo_map_slot *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Writes the communicators: MPI_COMM_WORLD, and those that collectives use, with the ranks that use them. */
static int write_communicators(const struct ordo_paraver_out *out, FILE *stream)
{
    int32_t tasks = out->threads.last_rank + 1;
    size_t count = 0;
    struct ordo_map_slot *all = calloc(out->members.count + 1, sizeof *all);
    if (!all)
        return -1;
    for (size_t i = 0; i < out->members.size; i++)
        if (out->members.slots[i].used && out->members.slots[i].a > 1)
            all[count++] = out->members.slots[i];
    qsort(all, count, sizeof *all, by_pair);
    fprintf(stream, "c:1:1:%" PRId32, tasks);
    for (int32_t task = 1; task <= tasks; task++)
        fprintf(stream, ":%" PRId32, task);
    for (size_t from = 0, end; from < count; from = end) {
        for (end = from; end < count && all[end].a == all[from].a; end++)
            ;
        fprintf(stream, "\nc:1:%" PRIu64 ":%zu", all[from].a, end - from);
        for (size_t i = from; i < end; i++)
            fprintf(stream, ":%" PRIu64, all[i].b + 1);
    }
    putc('\n', stream);
    free(all);
    return 0;
}

static size_t count_communicators(const struct ordo_paraver_out *out)
{
    bool has_world = ordo_map_find(&out->communicators, 0, 0);
    return out->communicators.count + !has_world;
}

static int make_header(const struct ordo_paraver_out *out, int64_t length_ns, int64_t origin_ns, FILE *stream)
{
    char date[32];
    time_t now = time(NULL);
    struct tm parts;
    int32_t tasks = out->threads.last_rank + 1;
    (void)strftime(date, sizeof date, "%d/%m/%y at %H:%M", gmtime_r(&now, &parts));
    fprintf(stream, "#Paraver (%s):%" PRId64 "_ns:1(%u):1:%" PRId32 "(", date, length_ns, out->threads.count, tasks);
    for (int32_t rank = 0; rank < tasks; rank++)
        fprintf(stream, "%s%u:1", rank > 0 ? "," : "", ordo_paraver_threads_of(&out->threads, rank));
    fprintf(stream, "),%zu\n" ORDO_PARAVER_MARK "%" PRId64 "\n", count_communicators(out), origin_ns);
    return write_communicators(out, stream);
}

static int write_trace(struct ordo_paraver_out *out, FILE *stream)
{
    const struct ordo_paraver_body *body = &out->body;
    int64_t origin_ns = out->source && body->first_ns >= 0 ? 0 : body->first_ns;
    int64_t length_ns = distance(origin_ns, body->last_ns);
    int failed = 0;
    if (out->source)
        copy_header(out, length_ns, origin_ns, stream);
    else
        failed = make_header(out, length_ns, origin_ns, stream);
    return failed ? failed : ordo_paraver_body_write(body, origin_ns, stream);
}

/* Writes a type with the names of its values. */
static void write_type(const struct ordo_paraver_out *out, FILE *stream, int64_t type, const char *title)
{
    bool points = type == ORDO_PARAVER_POINT;
    fprintf(stream, "EVENT_TYPE\n0    %" PRId64 "    %s\nVALUES\n", type, title);
    if (!points)
        fputs("0      End\n", stream);
    for (uint32_t i = 0; i < out->names.count; i++) {
        int64_t value = (int64_t)i + FIRST_VALUE;
        if (points ? ordo_map_find(&out->points, i, 0) != NULL : type_of(out, i, &value) == type)
            fprintf(stream, "%" PRId64 "      %s\n", value, out->names.all[i].at);
    }
    fputs("\n\n", stream);
}

/* Copies the file of the source with this suffix, if there is one. */
static void copy_beside(const struct ordo_paraver_out *out, const char *suffix, FILE *stream)
{
    char beside[4096], room[4096];
    FILE *source = NULL;
    if (ordo_labels_beside(out->source, suffix, beside, sizeof beside))
        source = fopen(beside, "re");
    for (size_t got; source && (got = fread(room, 1, sizeof room, source)) > 0;)
        fwrite(room, 1, got, stream);
    if (source)
        (void)fclose(source);
}

static int write_names(struct ordo_paraver_out *out, FILE *stream)
{
    if (out->source) {
        copy_beside(out, ".pcf", stream);
        fputs("\n\n", stream);
    } else {
        fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\n", stream);
        ordo_paraver_write_states(stream);
        write_type(out, stream, ORDO_PARAVER_POINT_TO_POINT, "MPI Point-to-point");
        write_type(out, stream, ORDO_PARAVER_COLLECTIVE, "MPI Collective Comm");
        write_type(out, stream, ORDO_PARAVER_OTHER_MPI, "MPI Other");
        write_type(out, stream, ORDO_PARAVER_FUNCTION, "User function");
        write_type(out, stream, ORDO_PARAVER_POINT, "Event");
        fprintf(stream, "EVENT_TYPE\n0    %d    Communicator\n0    %d    Root plus 1\n", ORDO_PARAVER_COMMUNICATOR,
                ORDO_PARAVER_ROOT);
        fprintf(stream, "0    %d    End of a message without the other: its rank plus 1\n\n\n", ORDO_PARAVER_LONE);
    }
    fprintf(stream, "EVENT_TYPE\n0    %d    ns since the earliest time\n0    %d    ns until the latest time\n",
            ORDO_PARAVER_EARLIEST, ORDO_PARAVER_LATEST);
    return 0;
}

static int write_rows(struct ordo_paraver_out *out, FILE *stream)
{
    uint32_t threads = 0;
    if (out->source) {
        copy_beside(out, ".row", stream);
        return 0;
    }
    fprintf(stream, "LEVEL CPU SIZE %u\n", out->threads.count);
    for (uint32_t i = 1; i <= out->threads.count; i++)
        fprintf(stream, "%u.machine\n", i);
    fputs("\nLEVEL NODE SIZE 1\nmachine\n", stream);
    for (int32_t rank = 0; rank <= out->threads.last_rank; rank++)
        threads += ordo_paraver_threads_of(&out->threads, rank);
    fprintf(stream, "\nLEVEL THREAD SIZE %u\n", threads);
    for (int32_t rank = 0; rank <= out->threads.last_rank; rank++)
        for (uint32_t i = 1; i <= ordo_paraver_threads_of(&out->threads, rank); i++)
            fprintf(stream, "THREAD 1.%" PRId32 ".%u\n", rank + 1, i);
    return 0;
}

/* Writes a file of the folder. */
static int write_file(struct ordo_paraver_out *out, const struct ordo_folder *folder, const char *name,
                      int (*write)(struct ordo_paraver_out *, FILE *), struct ordo_error *error)
{
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/%s", folder->staged, name);
    FILE *stream = fopen(path, "wxe");
    if (!stream)
        return ordo_error_errno(error, "%s", folder->path);
    int failed = write(out, stream), sys_errno = failed ? errno : 0;
    failed |= ferror(stream);
    if (fclose(stream) != 0) { /* it writes the rest, and meets the cause of an earlier failure again */
        failed = 1;
        sys_errno = sys_errno ? sys_errno : errno;
    }
    if (!failed)
        return ORDO_OK;
    errno = sys_errno ? sys_errno : EIO;
    return ordo_error_errno(error, "%s", folder->path);
}

/* Completes the body: messages, and the last states. */
static int complete(struct ordo_paraver_out *out)
{
    if (!out->sys_errno && join(out) < 0)
        out->sys_errno = errno;
    for (uint32_t i = 0; i < out->threads.count; i++)
        ordo_paraver_thread_end(&out->threads.all[i], &out->body);
    if (!out->sys_errno)
        out->sys_errno = out->body.sys_errno;
    return out->sys_errno;
}

int ordo_paraver_finish(struct ordo_paraver_out *out, struct ordo_folder *folder, struct ordo_error *error)
{
    errno = complete(out);
    if (errno)
        return ordo_error_errno(error, "%s", folder->path);
    if (out->threads.last_rank / 16 > (int64_t)out->threads.count + 64)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: Paraver numbers tasks without gaps, and most ranks below %d have no events: write "
                              "another form",
                              folder->path, out->threads.last_rank);
    int code = ordo_folder_make(folder, error);
    if (!code)
        code = write_file(out, folder, "trace.prv", write_trace, error);
    if (!code)
        code = write_file(out, folder, "trace.pcf", write_names, error);
    return code ? code : write_file(out, folder, "trace.row", write_rows, error);
}
