/* The table of all engines, in the order of measurement. Engines to be compared are adjacent. */
#include <stddef.h>

#include "oplog/engine.h"

#define STRUCTURES(engine, name) engine(name##_map) engine(name##_counter) engine(name##_set)
#define ALL(engine)                                                                                                    \
    STRUCTURES(engine, ordo)                                                                                           \
    STRUCTURES(engine, any)                                                                                            \
    STRUCTURES(engine, logical)                                                                                        \
    STRUCTURES(engine, batch)                                                                                          \
    STRUCTURES(engine, tsc)                                                                                            \
    STRUCTURES(engine, mutex)                                                                                          \
    STRUCTURES(engine, rwlock)                                                                                         \
    STRUCTURES(engine, queue)

#define DECLARE(name) extern const struct oplog_engine oplog_engine_##name;
#define ENTRY(name) &oplog_engine_##name,

ALL(DECLARE)

const struct oplog_engine *const oplog_engines[] = {ALL(ENTRY) NULL};
