#include "engines.h"

#include <string.h>

static const struct mvcc_workload *const workloads[] = {
    &mvcc_ycsb_a, &mvcc_ycsb_b, &mvcc_ycsb_c, &mvcc_ycsb_e, &mvcc_ycsb_f, &mvcc_tpcc, &mvcc_smallbank,
};

bool mvcc_names_have(const struct mvcc_names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    return false;
}

static void add(struct mvcc_names *names, const char *name)
{
    if (name && !mvcc_names_have(names, name) && names->count < MVCC_MOST_NAMES)
        names->names[names->count++] = name;
}

const struct mvcc_names *mvcc_engine_names(void)
{
    static struct mvcc_names names;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        add(&names, (*engine)->name);
    return &names;
}

const struct mvcc_names *mvcc_stamp_names(void)
{
    static struct mvcc_names names;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        add(&names, (*engine)->stamp);
    return &names;
}

const struct mvcc_names *mvcc_workload_names(void)
{
    static struct mvcc_names names;
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        add(&names, workloads[w]->name);
    return &names;
}

const struct mvcc_workload *mvcc_workload_find(const char *name)
{
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        if (strcmp(workloads[w]->name, name) == 0)
            return workloads[w];
    return NULL;
}

bool mvcc_engine_can(const struct ordo_db_engine *engine, const struct mvcc_workload *workload,
                     const struct mvcc_options *options)
{
    if (workload->scans && !engine->scans)
        return false;
    /* An order that the data make up is made real neither by itself nor by waiting. */
    if (options->external_consistency && !engine->strict && !engine->stamp)
        return false;
    return engine->levels & (options->snapshot ? ORDO_TXN_SNAPSHOT : ORDO_TXN_SERIALIZABLE);
}
