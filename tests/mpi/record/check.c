/* check FILE...: reads the traces of one run by the layout in trace/file/layout.h, without any code of the readers, and
 * checks that chunks are whole, names are known, times ascend, regions nest, every receive has its send, and every
 * collective has all its ranks. Prints the figures. Exit 1 with one line if a check fails. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/file/layout.h"

enum { MOST_NAMES = 4096, MOST_THREADS = 64, MOST_DEPTH = 64, MOST_EVENTS = 4000000, MOST_GROUPS = 4096 };

/** One end of a message, or a rank's part in a collective operation. */
struct end {
    uint64_t communicator;
    uint32_t number;
    int32_t from, to, tag, is_collective;
    uint64_t bytes;
    int64_t local_ns;
    int receives;
};

static struct end *ends;
static size_t end_count;
static long events, exchanges, sessions, groups, lost, closed, regions, unmatched, early, collectives, messages;

static void fail(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s: ", file);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    exit(1);
}

/** The state of reading one file. */
struct state {
    const char *file;
    const struct ordo_trace_head *head;
    char *names[MOST_NAMES];
    uint64_t last[MOST_THREADS], number;
    uint32_t stack[MOST_THREADS][MOST_DEPTH];
    int depth[MOST_THREADS], open;
    uint64_t communicators[MOST_GROUPS]; /* in the order of the file */
    uint32_t groups;
};

static void take_strings(struct state *state, const struct ordo_trace_chunk *chunk, const char *at)
{
    static uint32_t last;
    last = chunk->number == 0 ? 0 : last;
    for (uint32_t i = 0; i < chunk->count; i++) {
        struct ordo_trace_string string;
        memcpy(&string, at, sizeof string);
        if (string.id != last + 1 || string.id >= MOST_NAMES || string.length == 0 ||
            string.length > ORDO_TRACE_NAME_MOST)
            fail(state->file, "name %u of %u letters", string.id, string.length);
        last = string.id;
        state->names[string.id] = strndup(at + sizeof string, string.length);
        at += ordo_trace_padded(string.length);
    }
}

static void keep(const struct state *state, const struct ordo_trace_event *event, int32_t from, int32_t to)
{
    if (end_count == MOST_EVENTS)
        fail(state->file, "too many events for this test");
    if (event->communicator > state->groups)
        fail(state->file, "communicator %u of %u", event->communicator, state->groups);
    ends[end_count++] = (struct end){.communicator = state->communicators[event->communicator],
                                     .number = event->number,
                                     .from = from,
                                     .to = to,
                                     .tag = event->tag,
                                     .bytes = event->bytes,
                                     .is_collective = event->collective,
                                     .local_ns = ordo_trace_local_ns(state->head, event->ticks),
                                     .receives = event->kind == ORDO_TRACE_RECV};
}

static void take_event(struct state *state, const struct ordo_trace_event *event)
{
    uint32_t thread = event->thread;
    if (thread >= MOST_THREADS || event->name >= MOST_NAMES || !state->names[event->name])
        fail(state->file, "thread %u, name %u", thread, event->name);
    if (event->ticks < state->last[thread])
        fail(state->file, "%s: times go back", state->names[event->name]);
    state->last[thread] = event->ticks;
    events++;
    switch (event->kind) {
    case ORDO_TRACE_BEGIN:
        if (state->depth[thread] == MOST_DEPTH)
            fail(state->file, "too deep");
        state->stack[thread][state->depth[thread]++] = event->name;
        regions++;
        if (event->collective)
            keep(state, event, state->head->rank, -1);
        return;
    case ORDO_TRACE_END:
        if (state->depth[thread] == 0 || state->stack[thread][--state->depth[thread]] != event->name)
            fail(state->file, "%s: ends and is not open", state->names[event->name]);
        return;
    case ORDO_TRACE_SEND:
        return keep(state, event, state->head->rank, event->peer);
    case ORDO_TRACE_RECV:
        return keep(state, event, event->peer, state->head->rank);
    default:
        fail(state->file, "an event of kind %u", event->kind);
    }
}

static void take_exchanges(struct state *state, const struct ordo_trace_exchange *exchange, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, exchanges++) {
        if (exchange[i].received_ticks < exchange[i].sent_ticks || exchange[i].master != 0)
            fail(state->file, "an exchange that ends before it begins");
        sessions = exchange[i].session + 1 > sessions ? exchange[i].session + 1 : sessions;
    }
}

static void take_group(struct state *state, const struct ordo_trace_group *group, uint32_t bytes)
{
    const int32_t *ranks = (const void *)(group + 1);
    if (group->communicator != state->groups + 1 || group->communicator == MOST_GROUPS || group->number == 0 ||
        group->place < 0 || (uint32_t)group->place >= group->size || bytes != ordo_trace_group_bytes(group->size))
        fail(state->file, "communicator %u after %u, rank %d of %u", group->communicator, state->groups, group->place,
             group->size);
    if (ranks[group->place] != state->head->rank)
        fail(state->file, "communicator %u: its rank %d is %d", group->communicator, group->place, ranks[group->place]);
    for (uint32_t i = 0; i < group->size; i++)
        if (ranks[i] < group->lowest)
            fail(state->file, "communicator %u: rank %d is below the lowest, %d", group->communicator, ranks[i],
                 group->lowest);
    state->communicators[++state->groups] = ordo_trace_communicator_id(group->number, group->lowest);
    groups++;
}

static void take_chunk(struct state *state, const struct ordo_trace_chunk *chunk, const void *payload)
{
    const struct ordo_trace_event *event = payload;
    if (chunk->number != state->number++)
        fail(state->file, "chunk %llu is out of order", (unsigned long long)chunk->number);
    if (chunk->kind == ORDO_TRACE_STRINGS)
        take_strings(state, chunk, payload);
    if (chunk->kind == ORDO_TRACE_EXCHANGES)
        take_exchanges(state, payload, chunk->count);
    if (chunk->kind == ORDO_TRACE_GROUP)
        take_group(state, payload, chunk->bytes);
    if (chunk->kind == ORDO_TRACE_CLOSED) {
        closed++;
        lost += (long)chunk->lost;
    }
    for (uint32_t i = 0; i < chunk->count && chunk->kind == ORDO_TRACE_EVENTS; i++)
        take_event(state, &event[i]);
}

static void read_file(const char *file)
{
    struct state *state = calloc(1, sizeof *state);
    struct stat status;
    int fd = open(file, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) || status.st_size < (off_t)sizeof *state->head)
        fail(file, "no trace");
    if ((status.st_mode & 0777) != 0600)
        fail(file, "mode %o", status.st_mode & 0777);
    const char *all = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    state->file = file;
    state->head = (const void *)all;
    if (memcmp(all, ORDO_TRACE_MAGIC, 8) != 0 ||
        state->head->checksum != ordo_record_fold(all, offsetof(struct ordo_trace_head, checksum)))
        fail(file, "its head is not one");
    for (size_t at = sizeof *state->head; at + sizeof(struct ordo_trace_chunk) <= (size_t)status.st_size;) {
        const struct ordo_trace_chunk *chunk = (const void *)(all + at);
        const char *payload = all + at + sizeof *chunk;
        if (!ordo_trace_chunk_whole(chunk) || at + sizeof *chunk + chunk->bytes > (size_t)status.st_size ||
            chunk->checksum != ordo_record_fold(payload, chunk->bytes))
            break; /* a rank died */
        take_chunk(state, chunk, payload);
        at += sizeof *chunk + chunk->bytes;
    }
    for (int i = 0; i < MOST_THREADS; i++)
        state->open += state->depth[i];
    printf("file %s rank %d node %u clock_of %d clock %s open %d\n", file, state->head->rank, state->head->node,
           state->head->clock_of, state->head->clock, state->open);
    (void)munmap((void *)(uintptr_t)all, (size_t)status.st_size);
    (void)close(fd);
    for (int i = 0; i < MOST_NAMES; i++)
        free(state->names[i]);
    free(state);
}

static int order(const void *one, const void *other)
{
    const struct end *a = one, *b = other;
#define BY(member)                                                                                                     \
    if (a->member != b->member)                                                                                        \
    return a->member < b->member ? -1 : 1
    BY(is_collective);
    BY(communicator);
    if (a->is_collective) {
        BY(number);
        BY(from);
        return 0;
    }
    BY(from);
    BY(to);
    BY(tag);
    BY(number);
    BY(receives);
#undef BY
    return 0;
}

/* Checks the ends of one message, which are adjacent after sorting: a send and its receive. */
static size_t match(size_t i)
{
    const struct end *send = &ends[i], *receive = &ends[i + 1];
    bool pair = i + 1 < end_count && !send->receives && receive->receives && send->from == receive->from &&
                send->to == receive->to && send->tag == receive->tag && send->number == receive->number &&
                send->communicator == receive->communicator;
    if (!pair) {
        unmatched++;
        return i + 1;
    }
    if (send->bytes != receive->bytes)
        fail("messages", "%d to %d, tag %d, number %u: %llu bytes, and %llu", send->from, send->to, send->tag,
             send->number, (unsigned long long)send->bytes, (unsigned long long)receive->bytes);
    messages++;
    early += receive->local_ns < send->local_ns;
    return i + 2;
}

int main(int argc, char **argv)
{
    ends = calloc(MOST_EVENTS, sizeof *ends);
    for (int i = 1; i < argc; i++)
        read_file(argv[i]);
    qsort(ends, end_count, sizeof *ends, order);
    for (size_t i = 0; i < end_count;) {
        if (!ends[i].is_collective) {
            i = match(i);
            continue;
        }
        size_t last = i;
        while (last + 1 < end_count && ends[last + 1].is_collective == ends[i].is_collective &&
               ends[last + 1].communicator == ends[i].communicator && ends[last + 1].number == ends[i].number &&
               ends[last + 1].bytes == ends[i].bytes)
            last++;
        collectives++;
        i = last + 1;
    }
    printf(
        "files %d closed %ld events %ld regions %ld messages %ld unmatched %ld early %ld collectives %ld sessions %ld "
        "exchanges %ld groups %ld lost %ld\n",
        argc - 1, closed, events, regions, messages, unmatched, early, collectives, sessions, exchanges, groups, lost);
    free(ends);
    return 0;
}
