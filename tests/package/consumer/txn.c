/* Links the engines and the checker, as an outside program does, and records and checks one transaction; valid C and
 * C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/cc/history.h>
#include <ordo/cc/txn.h>

static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

int main(void)
{
    const struct ordo_memory memory = {allocate, release, NULL};
    const struct ordo_db_engine *engine = ordo_db_engine_find("hekaton", "logical");
    struct ordo_history_checker *checker = ordo_history_checker_create();
    const struct ordo_table_spec spec = {sizeof(long), 8, false};
    struct ordo_db_options options;
    struct ordo_history_report report;
    struct ordo_history *history;
    struct ordo_table *table;
    struct ordo_worker *worker;
    struct ordo_db *db;
    void *record;
    memset(&options, 0, sizeof options);
    options.memory = memory;
    options.history = true;
    if (!engine || !checker || ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &table) ||
        ordo_worker_join(db, &worker) || ordo_history_create(&history, worker, &memory) ||
        ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE) || ordo_txn_insert(worker, table, 7, &record))
        return 1;
    *(long *)record = 42;
    if (ordo_txn_commit(worker) || ordo_history_head(ORDO_TXN_SERIALIZABLE, false, ordo_history_check, checker) ||
        ordo_history_cut(&history, 1, ordo_history_check, checker) || ordo_history_finish(checker, &report))
        return 2;
    ordo_worker_leave(worker);
    ordo_history_destroy(history);
    ordo_history_checker_destroy(checker);
    ordo_db_close(db);
    printf("%llu committed, %llu anomalies\n", (unsigned long long)report.committed,
           (unsigned long long)report.anomalies);
    return report.committed != 1 || report.anomalies;
}
