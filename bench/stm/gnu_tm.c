/* A baseline: GCC's transactional memory, libitm, with its default algorithm. This file is compiled with -fgnu-tm.
 * libitm is under the GPL with the exception for runtime libraries of the compiler. */
#define STM_PLAIN
#define STM_ALGORITHM "gnu-tm"
#define STM_STAMP NULL
#define STM_ENGINE(structure) stm_engine_gnu_tm_##structure

struct stm_shared {
    char nothing; /* libitm keeps all state */
};

static int stm_shared_open(struct stm_shared *shared)
{
    (void)shared;
    return 0;
}

static void stm_shared_close(struct stm_shared *shared)
{
    (void)shared;
}

#define STM_ATOMICALLY(t, flags, result, call)                                                                         \
    do {                                                                                                               \
        __transaction_atomic                                                                                           \
        {                                                                                                              \
            (result) = (call);                                                                                         \
        }                                                                                                              \
    } while (0)

#include "stm/stm_engine.h"
