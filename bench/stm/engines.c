/* The table of all engines, in the order of measurement. Engines to be compared are adjacent. */
#include <stddef.h>

#include "stm/engine.h"

#define STRUCTURES(engine, name)                                                                                       \
    engine(name##_list) engine(name##_hash) engine(name##_tree) engine(name##_skip) engine(name##_bank)                \
        engine(name##_reservations) engine(name##_packets)

#ifdef BENCH_STM_GNU_TM
#define GNU_TM(engine) STRUCTURES(engine, gnu_tm)
#else
#define GNU_TM(engine) /* this compiler has no transactional memory */
#endif

#define ALL(engine)                                                                                                    \
    STRUCTURES(engine, ordo)                                                                                           \
    STRUCTURES(engine, any)                                                                                            \
    STRUCTURES(engine, logical)                                                                                        \
    STRUCTURES(engine, gv4)                                                                                            \
    STRUCTURES(engine, gv5)                                                                                            \
    STRUCTURES(engine, dctl)                                                                                           \
    STRUCTURES(engine, clock)                                                                                          \
    STRUCTURES(engine, tsc) GNU_TM(engine) STRUCTURES(engine, mutex) STRUCTURES(engine, rwlock)

#define DECLARE(name) extern const struct stm_engine stm_engine_##name;
#define ENTRY(name) &stm_engine_##name,

ALL(DECLARE)

const struct stm_engine *const stm_engines[] = {ALL(ENTRY) NULL};
