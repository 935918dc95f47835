/* The table of all engines, in the order of measurement. Engines to be compared are adjacent. */
#include <stddef.h>

#include "rlu/engine.h"

#define LISTS(engine, name) engine(name##_list) engine(name##_hash)
#define LISTS_AND_TREES(engine, name) LISTS(engine, name) engine(name##_tree)
#define ALL(engine)                                                                                                    \
    LISTS_AND_TREES(engine, ordo)                                                                                      \
    LISTS_AND_TREES(engine, any)                                                                                       \
    LISTS_AND_TREES(engine, corrected)                                                                                 \
    LISTS_AND_TREES(engine, logical)                                                                                   \
    LISTS_AND_TREES(engine, clock)                                                                                     \
    LISTS_AND_TREES(engine, tsc)                                                                                       \
    LISTS_AND_TREES(engine, multi_ordo)                                                                                \
    LISTS_AND_TREES(engine, multi_any)                                                                                 \
    LISTS_AND_TREES(engine, multi_corrected)                                                                           \
    LISTS_AND_TREES(engine, multi_logical)                                                                             \
    LISTS_AND_TREES(engine, multi_tsc)                                                                                 \
    engine(stm_ordo_hash) engine(stm_any_hash) engine(stm_logical_hash) LISTS(engine, rcu_memb)                        \
        LISTS(engine, rcu_wide) LISTS(engine, rcu_lazy) LISTS(engine, rcu_qsbr) engine(lfht_hash)                      \
            engine(bucket_lock_hash) engine(bucket_rwlock_hash) LISTS_AND_TREES(engine, mutex)                         \
                LISTS_AND_TREES(engine, rwlock)

#define DECLARE(name) extern const struct rlu_engine rlu_engine_##name;
#define ENTRY(name) &rlu_engine_##name,

ALL(DECLARE)

const struct rlu_engine *const rlu_engines[] = {ALL(ENTRY) NULL};
