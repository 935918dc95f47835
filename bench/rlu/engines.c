/* The table of all engines, in the order in which they are measured: those that are compared stand side by side. */
#include <stddef.h>

#include "rlu/engine.h"

#define ALL(engine)                                                                                                    \
    engine(rcu_memb_list) engine(rcu_memb_hash) engine(rcu_qsbr_list) engine(rcu_qsbr_hash) engine(lfht_hash)          \
        engine(mutex_list) engine(mutex_hash) engine(mutex_tree) engine(rwlock_list) engine(rwlock_hash)               \
            engine(rwlock_tree)

#define DECLARE(name) extern const struct rlu_engine rlu_engine_##name;
#define ENTRY(name) &rlu_engine_##name,

ALL(DECLARE)

const struct rlu_engine *const rlu_engines[] = {ALL(ENTRY) NULL};
