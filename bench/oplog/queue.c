/* A baseline with one queue for all threads, the wait-free-enqueue queue of liburcu. Updates are appended to the queue;
 * a reader takes the queue and applies it. The length is bounded as in our Oplog: a thread that has appended as many
 * updates as a log holds applies the queue. */
#define _LGPL_SOURCE /* inlined, which liburcu recommends */
#include <pthread.h>
#include <urcu/wfcqueue.h>

#include "oplog/engine.h"

struct message {
    struct cds_wfcq_node node;
    uint64_t index, op, argument;
};

struct keeper {
    _Alignas(BENCH_LINE) struct cds_wfcq_head head;
    _Alignas(BENCH_LINE) struct cds_wfcq_tail tail;
    _Alignas(BENCH_LINE) pthread_mutex_t mutex; /* held by the thread that applies and reads */
    _Alignas(BENCH_LINE) struct oplog_state *state;
    void (*apply)(struct oplog_state *state, uint64_t index, uint64_t op, uint64_t argument);
    uint64_t limit;
    atomic_uint_least64_t refused; /* updates refused because the program was out of memory */
};

struct user {
    struct keeper *keeper;
    uint64_t appended; /* updates since this thread last applied the queue */
};

static void apply_queue(struct keeper *keeper)
{
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
    struct cds_wfcq_node *node, *next;
    cds_wfcq_init(&head, &tail);
    (void)__cds_wfcq_splice_blocking(&head, &tail, &keeper->head, &keeper->tail);
    __cds_wfcq_for_each_blocking_safe(&head, &tail, node, next)
    {
        struct message *message = caa_container_of(node, struct message, node);
        keeper->apply(keeper->state, message->index, message->op, message->argument);
        free(message); // NOLINT(clang-analyzer-unix.Malloc): the list ends at a mark, not at this address
    }
}

static int create_queue(struct oplog_bench *bench)
{
    static void (*const apply[OPLOG_STRUCTURES])(struct oplog_state *, uint64_t, uint64_t,
                                                 uint64_t) = {map_apply, counter_apply, set_apply};
    struct keeper *keeper = aligned_alloc(BENCH_LINE, sizeof *keeper);
    if (!keeper)
        return -1;
    cds_wfcq_init(&keeper->head, &keeper->tail);
    (void)pthread_mutex_init(&keeper->mutex, NULL); /* on Linux it does not fail with default attributes */
    keeper->state = bench->state;
    keeper->apply = apply[bench->engine->structure];
    keeper->limit = bench->log_entries;
    atomic_init(&keeper->refused, 0);
    bench->keeper = keeper;
    return 0;
}

static void destroy_queue(struct oplog_bench *bench)
{
    struct keeper *keeper = bench->keeper;
    apply_queue(keeper);
    keeper->state->refused += atomic_load(&keeper->refused);
    (void)pthread_mutex_destroy(&keeper->mutex);
    cds_wfcq_destroy(&keeper->head, &keeper->tail);
    free(keeper);
}

static void *enter_queue(struct oplog_bench *bench)
{
    struct user *user = aligned_alloc(BENCH_LINE, BENCH_LINE);
    if (user)
        *user = (struct user){bench->keeper, 0};
    return user;
}

static void leave_queue(void *user, uint64_t counters[BENCH_COUNTERS])
{
    (void)counters;
    free(user);
}

static inline void update_queue(void *argument, uint64_t index, uint64_t op, uint64_t what)
{
    struct user *user = argument;
    struct keeper *keeper = user->keeper;
    struct message *message = malloc(sizeof *message);
    if (!message) {
        atomic_fetch_add_explicit(&keeper->refused, 1, memory_order_relaxed); /* relaxed: read after all joins */
        return;
    }
    cds_wfcq_node_init(&message->node);
    message->index = index;
    message->op = op;
    message->argument = what;
    (void)cds_wfcq_enqueue(&keeper->head, &keeper->tail, &message->node);
    if (++user->appended < keeper->limit)
        return;
    user->appended = 0;
    (void)pthread_mutex_lock(&keeper->mutex);
    apply_queue(keeper);
    (void)pthread_mutex_unlock(&keeper->mutex);
}

static inline void no_pause(void *user)
{
    (void)user;
}

#define ENGINE(name, which)                                                                                            \
    static inline uint64_t name##_consult(void *argument, uint64_t index, uint64_t what)                               \
    {                                                                                                                  \
        struct keeper *keeper = ((struct user *)argument)->keeper;                                                     \
        (void)pthread_mutex_lock(&keeper->mutex);                                                                      \
        apply_queue(keeper);                                                                                           \
        uint64_t found = name##_read(keeper->state, index, what);                                                      \
        (void)pthread_mutex_unlock(&keeper->mutex);                                                                    \
        return found;                                                                                                  \
    }                                                                                                                  \
    OPLOG_WORK(name##_work, name, update_queue, name##_consult, no_pause)                                              \
    const struct oplog_engine oplog_engine_queue_##name = {.algorithm = "wfcqueue",                                    \
                                                           .structure = which,                                         \
                                                           .create = create_queue,                                     \
                                                           .destroy = destroy_queue,                                   \
                                                           .enter = enter_queue,                                       \
                                                           .leave = leave_queue,                                       \
                                                           .work = name##_work};

ENGINE(map, OPLOG_MAP)
ENGINE(counter, OPLOG_COUNTER)
ENGINE(set, OPLOG_SET)
