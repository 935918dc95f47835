#include "engines.h"

#include <string.h>

static const struct txn_workload *const workloads[] = {
    &txn_ycsb_a, &txn_ycsb_b, &txn_ycsb_c, &txn_ycsb_e, &txn_ycsb_f, &txn_tpcc, &txn_smallbank,
};

bool txn_names_have(const struct txn_names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    return false;
}

static void add_engine(struct txn_names *names, const char *name)
{
    if (name && !txn_names_have(names, name) && names->count < TXN_MOST_NAMES)
        names->names[names->count++] = name;
}

const struct txn_names *txn_engine_names(void)
{
    static struct txn_names names;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        add_engine(&names, (*engine)->name);
    return &names;
}

const struct txn_names *txn_stamp_names(void)
{
    static struct txn_names names;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        add_engine(&names, (*engine)->stamp);
    return &names;
}

const struct txn_names *txn_workload_names(void)
{
    static struct txn_names names;
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        add_engine(&names, workloads[w]->name);
    return &names;
}

const struct txn_workload *txn_workload_find(const char *name)
{
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        if (strcmp(workloads[w]->name, name) == 0)
            return workloads[w];
    return NULL;
}

bool txn_engine_can(const struct ordo_db_engine *engine, const struct txn_workload *workload,
                    const struct txn_options *options)
{
    if (workload->scans && !engine->scans)
        return false;
    /* A non-strict engine without a stamp orders transactions by their data. Waiting cannot make this order agree with
     * real time. */
    if (options->external_consistency && !engine->strict && !engine->stamp)
        return false;
    return engine->levels & (options->snapshot ? ORDO_TXN_SNAPSHOT : ORDO_TXN_SERIALIZABLE);
}
