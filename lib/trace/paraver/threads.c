#include "trace/paraver/threads.h"

#include <stdlib.h>
#include <string.h>

#include "trace/event/collective.h"

/* States as Extrae numbers them. */
enum { RUNNING = 1, OTHER_CALL = 15 };

static const char *const states[] = {"Idle",
                                     "Running",
                                     "Not created",
                                     "Waiting a message",
                                     "Blocking Send",
                                     "Synchronization",
                                     "Test/Probe",
                                     "Scheduling and Fork/Join",
                                     "Wait/WaitAll",
                                     "Blocked",
                                     "Immediate Send",
                                     "Immediate Receive",
                                     "I/O",
                                     "Group Communication",
                                     "Tracing Disabled",
                                     "Others",
                                     "Send Receive"};

static const struct {
    const char *name;
    int64_t state;
} calls[] = {{"MPI_Recv", 3},     {"MPI_Send", 4},   {"MPI_Ssend", 4},   {"MPI_Bsend", 4},    {"MPI_Rsend", 4},
             {"MPI_Barrier", 5},  {"MPI_Test", 6},   {"MPI_Testall", 6}, {"MPI_Testany", 6},  {"MPI_Testsome", 6},
             {"MPI_Probe", 6},    {"MPI_Iprobe", 6}, {"MPI_Wait", 8},    {"MPI_Waitall", 8},  {"MPI_Waitany", 8},
             {"MPI_Waitsome", 8}, {"MPI_Isend", 10}, {"MPI_Irecv", 11},  {"MPI_Sendrecv", 16}};

static int64_t state_of(struct ordo_text name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == name.length && memcmp(calls[i].name, name.at, name.length) == 0)
            return calls[i].state;
    return ordo_event_collective_of(name) ? 13 : OTHER_CALL;
}

static struct ordo_paraver_thread *add(struct ordo_paraver_threads *threads, int32_t rank, int64_t time_ns)
{
    if (threads->count == threads->room) {
        uint32_t room = threads->room ? 2 * threads->room : 64;
        struct ordo_paraver_thread *all = realloc(threads->all, room * sizeof *all);
        if (!all)
            return NULL;
        threads->all = all;
        threads->room = room;
    }
    uint64_t *count = ordo_map_add(&threads->count_of, (uint64_t)rank, 0);
    if (!count)
        return NULL;
    struct ordo_paraver_place place = {threads->count + 1, 1, (uint32_t)rank + 1, (uint32_t)++ * count};
    threads->last_rank = rank > threads->last_rank ? rank : threads->last_rank;
    threads->all[threads->count] =
        (struct ordo_paraver_thread){.place = place, .since_ns = time_ns, .last_ns = time_ns, .state = RUNNING};
    return &threads->all[threads->count++];
}

struct ordo_paraver_thread *ordo_paraver_thread(struct ordo_paraver_threads *threads, int32_t rank, uint32_t thread,
                                                int64_t time_ns)
{
    uint64_t *index = ordo_map_add(&threads->index_of, (uint64_t)rank, thread);
    struct ordo_paraver_thread *found = index && *index > 0 ? &threads->all[*index - 1] : NULL;
    if (index && !found && (found = add(threads, rank, time_ns)))
        *index = threads->count;
    if (found)
        found->last_ns = time_ns > found->last_ns ? time_ns : found->last_ns;
    return found;
}

void ordo_paraver_threads_free(struct ordo_paraver_threads *threads)
{
    ordo_map_free(&threads->index_of);
    ordo_map_free(&threads->count_of);
    for (uint32_t i = 0; i < threads->count; i++)
        free(threads->all[i].open);
    free(threads->all);
}

int ordo_paraver_thread_enter(struct ordo_paraver_thread *thread, int64_t type)
{
    if (thread->open_count == thread->open_room) {
        size_t room = thread->open_room ? 2 * thread->open_room : 16;
        int64_t *open = realloc(thread->open, room * sizeof *open);
        if (!open)
            return -1;
        thread->open = open;
        thread->open_room = room;
    }
    thread->open[thread->open_count++] = type;
    return 0;
}

int64_t ordo_paraver_thread_leave(struct ordo_paraver_thread *thread)
{
    return thread->open_count > 0 ? thread->open[--thread->open_count] : 0;
}

uint32_t ordo_paraver_threads_of(const struct ordo_paraver_threads *threads, int32_t rank)
{
    const uint64_t *count = ordo_map_find(&threads->count_of, (uint64_t)rank, 0);
    return count && *count > 0 ? (uint32_t)*count : 1;
}

/* Ends the present state, unless it has no length. */
static void change(struct ordo_paraver_thread *thread, struct ordo_paraver_body *body, int64_t state, int64_t time_ns)
{
    struct ordo_paraver_line line = {
        .record = {.place = thread->place, .value = thread->state, .kind = ORDO_PARAVER_STATE},
        .times_ns = {thread->since_ns, time_ns}};
    if (time_ns > thread->since_ns) {
        ordo_paraver_body_add(body, &line);
        thread->since_ns = time_ns;
    }
    thread->state = state;
}

void ordo_paraver_thread_call(struct ordo_paraver_thread *thread, struct ordo_paraver_body *body, struct ordo_text name,
                              bool begins, int64_t time_ns)
{
    if (begins && thread->depth++ == 0)
        change(thread, body, state_of(name), time_ns);
    if (!begins && thread->depth > 0 && --thread->depth == 0)
        change(thread, body, RUNNING, time_ns);
}

void ordo_paraver_thread_end(struct ordo_paraver_thread *thread, struct ordo_paraver_body *body)
{
    change(thread, body, RUNNING, thread->last_ns);
}

void ordo_paraver_write_states(FILE *stream)
{
    fputs("STATES\n", stream);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        fprintf(stream, "%zu    %s\n", i, states[i]);
    fputs("\n\n", stream);
}
