/* The unmodified transaction engine that a simulated machine runs: ENGINE is HEKATON (the default), OCC, SILO or
 * TICTOC. Its memory is an arena. Memory that was released, or is in a pool, is overwritten. The database has one
 * table, and a worker for each thread. Include it after machine.h. */
#ifndef ORDO_PROOF_SCHEDULE_ENGINES_H
#define ORDO_PROOF_SCHEDULE_ENGINES_H

/* Number of bytes that are not overwritten: those after the header of an item or, if the entry is in its bucket, the
 * `head` of an anchor or the `id` of a record. A thread that reads them does not crash. */
#define CC_KEPT(bytes) ((bytes) < 64 ? 8 : 32)
#define CC_POISON(memory, bytes) memset((char *)(memory) + CC_KEPT(bytes), 0x11, (bytes)-CC_KEPT(bytes))
#define CC_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))

#define HEKATON 1
#define OCC 2
#define SILO 3
#define TICTOC 4
#ifndef ENGINE
#define ENGINE HEKATON
#endif
#if ENGINE == HEKATON
#include "cc/txn/hekaton/engine.h"
static const struct ordo_db_engine engine = HK_ENGINE;
#elif ENGINE == OCC
#include "cc/txn/single/occ.h"
static const struct ordo_db_engine engine = OCC_ENGINE;
#elif ENGINE == SILO
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/silo.h"
static const struct ordo_db_engine engine = SILO_ENGINE;
#else
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/tictoc.h"
static const struct ordo_db_engine engine = TICTOC_ENGINE;
#endif

enum { ARENA_BYTES = 1 << 18 };

static struct {
    _Alignas(128) char bytes[ARENA_BYTES];
    size_t used;
} arena;

static void *take_memory(void *context, size_t align, size_t bytes)
{
    (void)context;
    arena.used = (arena.used + align - 1) & ~(align - 1);
    if (arena.used + bytes > ARENA_BYTES)
        return NULL;
    arena.used += bytes;
    return arena.bytes + arena.used - bytes;
}

static void give_memory(void *context, void *memory, size_t bytes)
{
    (void)context;
    memset(memory, 0xee, bytes); /* all memory is released at the end of the run */
}

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *workers[THREADS];
static const int is_opaque = ENGINE == HEKATON || ENGINE == OCC; /* aborted transactions saw one state too */

/* Opens the database, with room for one more worker. */
static void database_open(const struct ordo_table_spec *spec, int external)
{
    struct ordo_db_options options = {.memory = {take_memory, give_memory, NULL},
                                      .boundary_ticks = machine.boundary,
                                      .external_consistency = external,
                                      .workers = THREADS + 1};
    arena.used = 0;
    expect(ordo_db_open(&db, &engine, &options) == ORDO_OK, "no database");
    expect(engine.table_add(db, spec, &table) == ORDO_OK, "no table");
    for (int i = 0; i < THREADS; i++)
        expect(engine.join(db, &workers[i]) == ORDO_OK, "no worker");
}

/* Inserts all records, filled with zeros, long before the transactions of the run. */
static void database_fill(const struct ordo_table_spec *spec)
{
    expect(ordo_txn_begin(workers[0], ORDO_TXN_SERIALIZABLE) == ORDO_OK, "no transaction");
    for (uint64_t key = 0; key < spec->rows && !violated; key++) {
        void *record;
        expect(ordo_txn_insert(workers[0], table, key, &record) == ORDO_OK, "no record");
        if (!violated)
            memset(record, 0, spec->record_bytes);
    }
    expect(ordo_txn_commit(workers[0]) == ORDO_OK, "no first commit");
    machine.true_time += 8 * machine.boundary;
}

static void database_close(void)
{
    struct ordo_error error;
    for (int i = 0; i < THREADS && !violated; i++)
        engine.leave(workers[i]);
    if (!violated)
        expect(engine.audit(db, &error) == ORDO_OK, "the audit finds something");
    if (!violated)
        engine.close(db);
}

#endif
