/* The engines, stamps and workloads that can be chosen by name. */
#ifndef BENCH_TXN_ENGINES_H
#define BENCH_TXN_ENGINES_H

#include <ordo/cc/txn.h>

#include "store.h"

#define TXN_MOST_NAMES 16

/** A list of names without duplicates, ending with NULL. */
struct txn_names {
    const char *names[TXN_MOST_NAMES + 1];
    int count;
};

bool txn_names_have(const struct txn_names *names, const char *name);

const struct txn_names *txn_engine_names(void);
const struct txn_names *txn_stamp_names(void);
const struct txn_names *txn_workload_names(void);

const struct txn_workload *txn_workload_find(const char *name);

/** True if the engine offers everything that the workload and the options need. */
bool txn_engine_can(const struct ordo_db_engine *engine, const struct txn_workload *workload,
                    const struct txn_options *options);

#endif
