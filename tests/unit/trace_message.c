/* The recorder's messages: sender and receiver give a message the same number, and a request is found as long as its
 * handle is valid. The code is compiled into the test, which simulates the rest of the recorder; no MPI library
 * runs. */
#include <criterion/criterion.h>

#include "base/random.h"
#include "trace/record/message.c"

struct ordo_trace_recorder ordo_trace_recorder = {.lock = PTHREAD_MUTEX_INITIALIZER, .multiple = true};
_Thread_local struct ordo_trace_own ordo_trace_own;

static int is_cancelled, ended_namings;

bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    return ordo_trace_find_room(thread, &ordo_trace_recorder.lock, &ordo_trace_recorder.file);
}

void ordo_trace_wake(void)
{
}

struct ordo_trace_communicator *ordo_trace_communicator_keep(struct ordo_trace_communicator *communicator)
{
    communicator->users++;
    return communicator;
}

void ordo_trace_communicator_drop(struct ordo_trace_communicator *communicator)
{
    communicator->users--;
}

void ordo_trace_naming_end(struct ordo_trace_naming *naming)
{
    (void)naming;
    ended_namings++;
}

int __wrap_PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int __wrap_PMPI_Test_cancelled(const MPI_Status *status, int *flag);

/* In this test the member MPI_ERROR of a status contains the number of bytes. */
int __wrap_PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count)
{
    (void)type;
    *count = status->MPI_ERROR;
    return MPI_SUCCESS;
}

int __wrap_PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    (void)status;
    *flag = is_cancelled;
    return MPI_SUCCESS;
}

enum { RANKS = 4, COMMUNICATORS = 3 };

static struct ordo_trace_communicator *communicators[COMMUNICATORS];
static struct ordo_trace_thread *all, *thread;
static struct ordo_trace_call call;

static void start(void)
{
    cr_assert_eq(ordo_trace_messages_start(), ORDO_OK);
    thread = ordo_trace_thread_open(&all, 64, ORDO_TRACE_RING);
    call = (struct ordo_trace_call){.thread = thread, .entry = 5, .exit = 9, .name = 3};
    for (int i = 0; i < COMMUNICATORS; i++) {
        communicators[i] = calloc(1, sizeof *communicators[i] + RANKS * sizeof(int32_t));
        communicators[i]->index = (uint32_t)i;
        communicators[i]->size = RANKS;
        for (int k = 0; k < RANKS; k++)
            communicators[i]->world[k] = 10 * i + k;
    }
}

static void stop(void)
{
    for (int i = 0; i < COMMUNICATORS; i++)
        free(communicators[i]);
    ordo_trace_messages_stop();
    ordo_trace_threads_free(&all);
}

static uint64_t events(void)
{
    return atomic_load(&thread->head);
}

static const struct ordo_trace_event *last_event(void)
{
    return &thread->events[(events() - 1) & (thread->capacity - 1)];
}

static MPI_Status status_of(int source, int tag, int bytes)
{
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = source;
    status.MPI_TAG = tag;
    status.MPI_ERROR = bytes;
    return status;
}

/* The number of channels makes the table grow. */
Test(trace_message, each_channel_counts_its_messages_from_0, .init = start, .fini = stop)
{
    enum { TAGS = 900 };
    static uint32_t next[2][COMMUNICATORS][RANKS][TAGS];
    uint64_t random = 81;
    for (int i = 0; i < 60000; i++) {
        int of = (int)(ordo_random_next(&random) % COMMUNICATORS), peer = (int)(ordo_random_next(&random) % RANKS);
        int tag = (int)(ordo_random_next(&random) % TAGS), way = (int)(ordo_random_next(&random) % 3);
        MPI_Status status = status_of(peer, tag, 70);
        uint32_t *number = &next[way > 0][of][peer][tag];
        if (way == 1) { /* a receive with an explicit sender and tag */
            cr_assert_eq(ordo_trace_posts(communicators[of], peer, tag), (*number)++);
            continue;
        }
        if (way == 0)
            ordo_trace_sends(&call, communicators[of], peer, tag, 70);
        else /* a receive from any source */
            ordo_trace_receives(&call, communicators[of], ORDO_TRACE_UNCOUNTED, &status);
        const struct ordo_trace_event *event = last_event();
        cr_assert(event->number == (*number)++ && event->peer == 10 * of + peer && event->tag == tag &&
                  event->bytes == 70 && event->communicator == (uint32_t)of);
        cr_assert(way == 0 ? event->kind == ORDO_TRACE_SEND && event->ticks == 5
                           : event->kind == ORDO_TRACE_RECV && event->ticks == 9);
    }
}

Test(trace_message, a_message_to_mpi_proc_null_is_not_recorded, .init = start, .fini = stop)
{
    MPI_Status status = status_of(MPI_PROC_NULL, 1, 0);
    ordo_trace_sends(&call, communicators[0], MPI_PROC_NULL, 1, 8);
    ordo_trace_sends(&call, NULL, 1, 1, 8);
    ordo_trace_receives(&call, communicators[0], 0, &status);
    cr_assert_eq(events(), 0);
    cr_assert_eq(ordo_trace_posts(communicators[0], MPI_ANY_SOURCE, 1), ORDO_TRACE_UNCOUNTED);
    cr_assert_eq(ordo_trace_posts(communicators[0], 1, MPI_ANY_TAG), ORDO_TRACE_UNCOUNTED);
    cr_assert_eq(ordo_trace_posts(communicators[0], 1, 1), 0);
}

static struct ordo_trace_request request_of(uintptr_t key)
{
    return (struct ordo_trace_request){.key = key, .communicator = communicators[key % COMMUNICATORS], .bytes = key};
}

/* Handles are added and removed; their values are close together, like addresses from an allocator. Compared with a
 * plain array. */
Test(trace_message, a_request_is_found_until_it_is_removed, .init = start, .fini = stop)
{
    enum { KEYS = 4000 };
    static bool there[KEYS];
    uint64_t random = 82;
    for (int i = 0; i < 200000; i++) {
        int at = (int)(ordo_random_next(&random) % KEYS);
        uintptr_t key = 0x1000 + (uintptr_t)at;
        struct ordo_trace_request taken, made = request_of(key);
        if (!there[at] && ordo_random_next(&random) % 4 > 0) {
            ordo_trace_request_put(&made);
            there[at] = true;
            continue;
        }
        MPI_Request handle = (MPI_Request)key;
        cr_assert_eq(ordo_trace_requests_take(&handle, 1, &taken), there[at], "%d", at);
        cr_assert_eq(taken.key, there[at] ? key : 0);
        cr_assert(!there[at] || (taken.bytes == key && taken.communicator == made.communicator));
        ordo_trace_request_forget(&taken);
        there[at] = false;
    }
    for (int i = 0; i < COMMUNICATORS; i++)
        cr_assert_gt(communicators[i]->users, 0); /* used by pending requests */
    for (int at = 0; at < KEYS; at++) {
        MPI_Request handle = (MPI_Request)(uintptr_t)(0x1000 + at);
        struct ordo_trace_request taken;
        cr_assert_eq(ordo_trace_requests_take(&handle, 1, &taken), there[at]);
        ordo_trace_request_forget(&taken);
    }
    for (int i = 0; i < COMMUNICATORS; i++)
        cr_assert_eq(communicators[i]->users, 0);
}

static void take(uintptr_t key, struct ordo_trace_request *taken)
{
    MPI_Request handles[] = {MPI_REQUEST_NULL, (MPI_Request)key};
    struct ordo_trace_request both[2];
    cr_assert_eq(ordo_trace_requests_take(handles, 2, both), 1);
    cr_assert_eq(both[0].key, 0);
    *taken = both[1];
}

/* Each start of a persistent receive takes the next number. Each completion is an event, unless the request was
 * cancelled. */
Test(trace_message, each_start_of_a_persistent_receive_takes_a_number, .init = start, .fini = stop)
{
    struct ordo_trace_request request = {
        .key = 0x2000, .communicator = communicators[1], .peer = 2, .tag = 7, .persistent = true};
    MPI_Status status = status_of(2, 7, 33);
    ordo_trace_request_put(&request);
    for (uint32_t i = 0; i < 4; i++) {
        take(0x2000, &request);
        ordo_trace_request_starts(&call, &request);
        take(0x2000, &request);
        is_cancelled = i == 2;
        ordo_trace_request_done(&call, &request, &status);
        cr_assert_eq(events(), i < 2 ? i + 1 : i);
        cr_assert(last_event()->number == (i == 2 ? 1 : i) && last_event()->bytes == 33 && last_event()->peer == 12);
    }
    take(0x2000, &request);
    ordo_trace_request_done(&call, &request, &status); /* the request is not active, so this has no effect */
    cr_assert_eq(events(), 3);
    take(0x2000, &request);
    ordo_trace_request_forget(&request);
    cr_assert_eq(communicators[1]->users, 0);
}

Test(trace_message, a_completed_request_is_forgotten, .init = start, .fini = stop)
{
    struct ordo_trace_request request = {.key = 0x3000, .communicator = communicators[0], .active = true, .number = 6};
    MPI_Status status = status_of(1, 2, 3);
    MPI_Request handle = (MPI_Request)(uintptr_t)0x3000;
    ordo_trace_request_put(&request);
    take(0x3000, &request);
    ordo_trace_request_done(&call, &request, &status);
    cr_assert(events() == 1 && last_event()->number == 6 && last_event()->kind == ORDO_TRACE_RECV);
    cr_assert_eq(communicators[0]->users, 0);
    cr_assert_eq(ordo_trace_requests_take(&handle, 1, &request), 0);
    ordo_trace_request_done(&call, &request, &status); /* the recorder does not know this handle */
    request = (struct ordo_trace_request){.key = 0x3000, .naming = (struct ordo_trace_naming *)&status};
    ordo_trace_request_done(&call, &request, &status);
    cr_assert(ended_namings == 1 && events() == 1);
}
