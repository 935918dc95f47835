/* A baseline: one mutex for all transactions. */
#include <pthread.h>

#define STM_PLAIN
#define STM_ALGORITHM "mutex"
#define STM_STAMP NULL
#define STM_ENGINE(structure) stm_engine_mutex_##structure

struct stm_shared {
    pthread_mutex_t mutex;
};

static int stm_shared_open(struct stm_shared *shared)
{
    return pthread_mutex_init(&shared->mutex, NULL) ? -1 : 0;
}

static void stm_shared_close(struct stm_shared *shared)
{
    (void)pthread_mutex_destroy(&shared->mutex);
}

#define STM_ATOMICALLY(t, flags, result, call)                                                                         \
    do {                                                                                                               \
        pthread_mutex_t *stm_mutex = &(t)->shared->mutex;                                                              \
        (void)pthread_mutex_lock(stm_mutex);                                                                           \
        (result) = (call);                                                                                             \
        (void)pthread_mutex_unlock(stm_mutex);                                                                         \
    } while (0)

#include "stm/stm_engine.h"
