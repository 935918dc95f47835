/* The types behind txn.h: an engine with its stamp, and the common part of the workers of all engines. Part of txn.h.
 */
#ifndef ORDO_CC_TXN_H
#error "include <ordo/cc/txn.h>"
#endif

/** A worker: one thread's access to a database. The engine's own part of the worker follows in memory. */
struct ordo_worker {
    const struct ordo_db_engine *engine;
    struct ordo_db *db;
    unsigned index;               /* 0 to options.workers - 1, unique among the joined workers */
    struct ordo_history *history; /* NULL: nothing is recorded */
    struct ordo_txn_counts counts;
};

/** An engine with a stamp. Each function implements the function of txn.h with the same name. */
struct ordo_db_engine {
    const char *name;  /* "hekaton", "occ", "silo", "tictoc" */
    const char *stamp; /* "ordo", "any", "corrected", "logical", "batch", "tsc"; NULL: takes no timestamps */
    unsigned levels;   /* a set of enum ordo_txn_level: the levels that the engine has */
    bool scans;        /* the engine can have ordered tables */
    bool strict;       /* commits respect real time even without external_consistency */
    int (*open)(struct ordo_db **db, const struct ordo_db_engine *engine, const struct ordo_db_options *options);
    void (*close)(struct ordo_db *db);
    int (*table_add)(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table);
    int (*join)(struct ordo_db *db, struct ordo_worker **worker);
    void (*leave)(struct ordo_worker *worker);
    int (*audit)(struct ordo_db *db, struct ordo_error *error);
    int (*raise)(struct ordo_db *db, uint64_t boundary_ticks);
    int (*begin)(struct ordo_worker *worker, enum ordo_txn_level level);
    void (*prefetch)(struct ordo_worker *worker, struct ordo_table *table, const uint64_t *keys, unsigned count,
                     uint64_t updates);
    int (*read)(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void *record);
    int (*view)(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, const void **record);
    int (*update)(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record);
    int (*insert)(struct ordo_worker *worker, struct ordo_table *table, uint64_t key, void **record);
    int (*remove)(struct ordo_worker *worker, struct ordo_table *table, uint64_t key);
    int (*scan)(struct ordo_worker *worker, struct ordo_table *table, uint64_t first, uint64_t last,
                ordo_txn_visit *visit, void *context);
    int (*commit)(struct ordo_worker *worker);
    void (*rollback)(struct ordo_worker *worker); /* ordo_txn_abort */
};
