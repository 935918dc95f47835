/* What can be chosen by name: the engines and stamps that are there, and the workloads. */
#ifndef BENCH_TXN_ENGINES_H
#define BENCH_TXN_ENGINES_H

#include <ordo/cc/txn.h>

#include "store.h"

#define MVCC_MOST_NAMES 16

/** Names, each once. */
struct mvcc_names {
    const char *names[MVCC_MOST_NAMES];
    int count;
};

bool mvcc_names_have(const struct mvcc_names *names, const char *name);

const struct mvcc_names *mvcc_engine_names(void);
const struct mvcc_names *mvcc_stamp_names(void);
const struct mvcc_names *mvcc_workload_names(void);

const struct mvcc_workload *mvcc_workload_find(const char *name);

/** Whether the engine has what the workload and the options need. */
bool mvcc_engine_can(const struct ordo_db_engine *engine, const struct mvcc_workload *workload,
                     const struct mvcc_options *options);

#endif
