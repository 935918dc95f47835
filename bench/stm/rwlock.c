/* A baseline: one reader-writer lock for all transactions. */
#include <pthread.h>

#define STM_PLAIN
#define STM_ALGORITHM "rwlock"
#define STM_STAMP NULL
#define STM_ENGINE(structure) stm_engine_rwlock_##structure

struct stm_shared {
    pthread_rwlock_t rwlock;
};

static int stm_shared_open(struct stm_shared *shared)
{
    return pthread_rwlock_init(&shared->rwlock, NULL) ? -1 : 0;
}

static void stm_shared_close(struct stm_shared *shared)
{
    (void)pthread_rwlock_destroy(&shared->rwlock);
}

#define STM_ATOMICALLY(t, flags, result, call)                                                                         \
    do {                                                                                                               \
        pthread_rwlock_t *stm_rwlock = &(t)->shared->rwlock;                                                           \
        if ((flags)&ORDO_STM_READ_ONLY)                                                                                \
            (void)pthread_rwlock_rdlock(stm_rwlock);                                                                   \
        else                                                                                                           \
            (void)pthread_rwlock_wrlock(stm_rwlock);                                                                   \
        (result) = (call);                                                                                             \
        (void)pthread_rwlock_unlock(stm_rwlock);                                                                       \
    } while (0)

#include "stm/stm_engine.h"
