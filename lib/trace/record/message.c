#include "trace/record/message.h"

#include <stdlib.h>
#include <string.h>

/* Counts the messages from or to one rank, on one communicator, with one tag. */
struct counter {
    uint32_t used, communicator, number;
    int peer, tag, sends;
};

/* Two hash tables with linear probing. The number of slots is a power of 2. From the slot to which a key hashes up to
 * the slot that holds the key, no slot is empty. */
static struct {
    pthread_mutex_t lock; /* taken only if several threads may call MPI */
    struct counter *counters;
    size_t counter_room, counter_count;
    struct ordo_trace_request *requests;
    size_t request_room, request_count;
} messages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock(void)
{
    if (ordo_trace_recorder.multiple)
        pthread_mutex_lock(&messages.lock);
}

static void unlock(void)
{
    if (ordo_trace_recorder.multiple)
        pthread_mutex_unlock(&messages.lock);
}

int ordo_trace_messages_start(void)
{
    enum { FIRST = 1024 };
    messages.counter_room = messages.request_room = FIRST;
    messages.counter_count = messages.request_count = 0;
    messages.counters = calloc(FIRST, sizeof *messages.counters);
    messages.requests = calloc(FIRST, sizeof *messages.requests);
    return messages.counters && messages.requests ? ORDO_OK : ORDO_E_SYSTEM;
}

void ordo_trace_messages_stop(void)
{
    free(messages.counters);
    free(messages.requests);
    messages.counters = NULL;
    messages.requests = NULL;
}

static uint64_t mix(uint64_t word)
{
    word *= UINT64_C(0x9e3779b97f4a7c15);
    return word ^ word >> 32;
}

static bool same(const struct counter *one, const struct counter *other)
{
    return one->communicator == other->communicator && one->peer == other->peer && one->tag == other->tag &&
           one->sends == other->sends;
}

static struct counter *place_of(struct counter *table, size_t room, const struct counter *wanted)
{
    uint64_t at = mix((uint64_t)wanted->communicator << 33 ^ (uint64_t)(uint32_t)wanted->peer << 20 ^
                      (uint64_t)(uint32_t)wanted->tag << 1 ^ (uint64_t)wanted->sends);
    while (table[at & (room - 1)].used && !same(&table[at & (room - 1)], wanted))
        at++;
    return &table[at & (room - 1)];
}

static bool grow_counters(void)
{
    size_t room = 2 * messages.counter_room;
    struct counter *table = calloc(room, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < messages.counter_room; i++)
        if (messages.counters[i].used)
            *place_of(table, room, &messages.counters[i]) = messages.counters[i];
    free(messages.counters);
    messages.counters = table;
    messages.counter_room = room;
    return true;
}

/* Returns the number of the next message to or from `peer`; ORDO_TRACE_UNCOUNTED if out of memory. */
static uint32_t count(const struct ordo_trace_communicator *communicator, int peer, int tag, bool sends)
{
    const struct counter wanted = {
        .used = 1, .communicator = communicator->index, .peer = peer, .tag = tag, .sends = sends};
    uint32_t number = ORDO_TRACE_UNCOUNTED;
    lock();
    struct counter *counter = place_of(messages.counters, messages.counter_room, &wanted);
    if (!counter->used && 2 * messages.counter_count >= messages.counter_room && grow_counters())
        counter = place_of(messages.counters, messages.counter_room, &wanted);
    if (!counter->used && messages.counter_count + 1 < messages.counter_room) {
        *counter = wanted;
        messages.counter_count++;
    }
    if (counter->used)
        number = counter->number++;
    unlock();
    return number;
}

static void push_message(struct ordo_trace_thread *thread, uint32_t name, uint64_t ticks, enum ordo_trace_kind kind,
                         const struct ordo_trace_communicator *communicator, int peer, int tag, uint64_t bytes,
                         uint32_t number)
{
    int32_t world = ordo_trace_world_rank(communicator, peer);
    struct ordo_trace_event *place = ordo_trace_place(thread);
    if (!place)
        return;
    *place = (struct ordo_trace_event){.ticks = ticks,
                                       .bytes = bytes,
                                       .name = name,
                                       .thread = thread->number,
                                       .peer = world,
                                       .tag = tag,
                                       .communicator = communicator->index,
                                       .root = -1,
                                       .kind = (uint16_t)kind,
                                       .number = number};
    ordo_trace_publish(thread);
}

void ordo_trace_message_sent(struct ordo_trace_thread *thread, uint32_t name, uint64_t entry,
                             const struct ordo_trace_communicator *communicator, int peer, int tag, uint64_t bytes)
{
    if (communicator && peer >= 0)
        push_message(thread, name, entry, ORDO_TRACE_SEND, communicator, peer, tag, bytes,
                     count(communicator, peer, tag, true));
}

uint32_t ordo_trace_posts(const struct ordo_trace_communicator *communicator, int peer, int tag)
{
    return communicator && peer >= 0 && tag >= 0 ? count(communicator, peer, tag, false) : ORDO_TRACE_UNCOUNTED;
}

void ordo_trace_message_received(struct ordo_trace_thread *thread, uint32_t name, uint64_t exit,
                                 const struct ordo_trace_communicator *communicator, uint32_t number,
                                 const MPI_Status *status)
{
    MPI_Count bytes = 0;
    if (!communicator || status->MPI_SOURCE < 0)
        return;
    if (PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
        bytes = 0;
    if (number == ORDO_TRACE_UNCOUNTED)
        number = count(communicator, status->MPI_SOURCE, status->MPI_TAG, false);
    push_message(thread, name, exit, ORDO_TRACE_RECV, communicator, status->MPI_SOURCE, status->MPI_TAG,
                 (uint64_t)bytes, number);
}

static struct ordo_trace_request *request_place(struct ordo_trace_request *table, size_t room, uintptr_t key)
{
    uint64_t at = mix(key);
    while (table[at & (room - 1)].key && table[at & (room - 1)].key != key)
        at++;
    return &table[at & (room - 1)];
}

static bool grow_requests(void)
{
    size_t room = 2 * messages.request_room;
    struct ordo_trace_request *table = calloc(room, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < messages.request_room; i++)
        if (messages.requests[i].key)
            *request_place(table, room, messages.requests[i].key) = messages.requests[i];
    free(messages.requests);
    messages.requests = table;
    messages.request_room = room;
    return true;
}

void ordo_trace_request_back(const struct ordo_trace_request *request)
{
    lock();
    bool room = 2 * messages.request_count < messages.request_room || grow_requests();
    struct ordo_trace_request *place = request_place(messages.requests, messages.request_room, request->key);
    messages.request_count += room && !place->key;
    if (room)
        *place = *request;
    unlock();
    if (!room)
        ordo_trace_communicator_drop(request->communicator); /* a communicator that the request makes gets no number */
}

void ordo_trace_request_put(const struct ordo_trace_request *request)
{
    (void)ordo_trace_communicator_keep(request->communicator);
    ordo_trace_request_back(request);
}

/* Moves the following entries up, so that no search ends before it reaches its key. */
static void close_gap(size_t gap)
{
    size_t mask = messages.request_room - 1;
    messages.requests[gap].key = 0;
    for (size_t at = (gap + 1) & mask; messages.requests[at].key; at = (at + 1) & mask) {
        struct ordo_trace_request moved = messages.requests[at];
        messages.requests[at].key = 0;
        *request_place(messages.requests, messages.request_room, moved.key) = moved;
    }
}

int ordo_trace_requests_take(const MPI_Request *requests, int many, struct ordo_trace_request *taken)
{
    int known = 0;
    lock();
    for (int i = 0; i < many; i++) {
        taken[i].key = 0;
        if (requests[i] == MPI_REQUEST_NULL || messages.request_count == 0)
            continue;
        struct ordo_trace_request *place =
            request_place(messages.requests, messages.request_room, (uintptr_t)requests[i]);
        if (!place->key)
            continue;
        taken[i] = *place;
        known++;
        messages.request_count--;
        close_gap((size_t)(place - messages.requests));
    }
    unlock();
    return known;
}

void ordo_trace_request_forget(struct ordo_trace_request *request)
{
    if (request->key)
        ordo_trace_communicator_drop(request->communicator);
    request->key = 0;
}

void ordo_trace_request_done(const struct ordo_trace_call *call, struct ordo_trace_request *request,
                             const MPI_Status *status)
{
    if (!request->key)
        return;
    if (request->naming) {
        ordo_trace_naming_end(request->naming);
        return;
    }
    int cancelled = 0;
    if (request->active && !request->sends)
        (void)PMPI_Test_cancelled(status, &cancelled);
    if (request->active && !request->sends && !cancelled)
        ordo_trace_receives(call, request->communicator, request->number, status);
    request->active = false;
    if (request->persistent)
        ordo_trace_request_back(request);
    else
        ordo_trace_request_forget(request);
}

void ordo_trace_request_starts(struct ordo_trace_call *call, struct ordo_trace_request *request)
{
    if (!request->key)
        return;
    request->active = true;
    if (request->sends)
        ordo_trace_sends(call, request->communicator, request->peer, request->tag, request->bytes);
    else
        request->number = ordo_trace_posts(request->communicator, request->peer, request->tag);
    ordo_trace_request_back(request);
}
