/* Baselines with one lock around the whole structure: a mutex or a reader-writer lock. */
#include <pthread.h>

#include "oplog/engine.h"

struct keeper {
    _Alignas(BENCH_LINE) pthread_mutex_t mutex;
    _Alignas(BENCH_LINE) pthread_rwlock_t rwlock;
    _Alignas(BENCH_LINE) struct oplog_state *state; /* not changed during a trial */
};

static int create_locked(struct oplog_bench *bench)
{
    struct keeper *keeper = aligned_alloc(BENCH_LINE, sizeof *keeper);
    if (!keeper)
        return -1;
    keeper->state = bench->state;
    (void)pthread_mutex_init(&keeper->mutex, NULL); /* on Linux neither fails with default attributes */
    (void)pthread_rwlock_init(&keeper->rwlock, NULL);
    bench->keeper = keeper;
    return 0;
}

static void destroy_locked(struct oplog_bench *bench)
{
    struct keeper *keeper = bench->keeper;
    (void)pthread_mutex_destroy(&keeper->mutex);
    (void)pthread_rwlock_destroy(&keeper->rwlock);
    free(keeper);
}

/* Returns the keeper: a thread needs no data of its own. */
static void *enter_locked(struct oplog_bench *bench)
{
    return bench->keeper;
}

static void leave_locked(void *user, uint64_t counters[BENCH_COUNTERS])
{
    (void)user;
    (void)counters;
}

static inline void no_pause(void *user)
{
    (void)user;
}

#define ENGINE(lock, name, which, read, write, unlock)                                                                 \
    static inline void lock##_##name##_update(void *user, uint64_t index, uint64_t op, uint64_t argument)              \
    {                                                                                                                  \
        struct keeper *keeper = user;                                                                                  \
        write;                                                                                                         \
        name##_apply(keeper->state, index, op, argument);                                                              \
        unlock;                                                                                                        \
    }                                                                                                                  \
    static inline uint64_t lock##_##name##_consult(void *user, uint64_t index, uint64_t argument)                      \
    {                                                                                                                  \
        struct keeper *keeper = user;                                                                                  \
        read;                                                                                                          \
        uint64_t found = name##_read(keeper->state, index, argument);                                                  \
        unlock;                                                                                                        \
        return found;                                                                                                  \
    }                                                                                                                  \
    OPLOG_WORK(lock##_##name##_work, name, lock##_##name##_update, lock##_##name##_consult, no_pause)                  \
    const struct oplog_engine oplog_engine_##lock##_##name = {.algorithm = #lock,                                      \
                                                              .structure = which,                                      \
                                                              .create = create_locked,                                 \
                                                              .destroy = destroy_locked,                               \
                                                              .enter = enter_locked,                                   \
                                                              .leave = leave_locked,                                   \
                                                              .work = lock##_##name##_work};

#define STRUCTURES(lock, read, write, unlock)                                                                          \
    ENGINE(lock, map, OPLOG_MAP, read, write, unlock)                                                                  \
    ENGINE(lock, counter, OPLOG_COUNTER, read, write, unlock)                                                          \
    ENGINE(lock, set, OPLOG_SET, read, write, unlock)

STRUCTURES(mutex, pthread_mutex_lock(&keeper->mutex), pthread_mutex_lock(&keeper->mutex),
           pthread_mutex_unlock(&keeper->mutex))
STRUCTURES(rwlock, pthread_rwlock_rdlock(&keeper->rwlock), pthread_rwlock_wrlock(&keeper->rwlock),
           pthread_rwlock_unlock(&keeper->rwlock))
