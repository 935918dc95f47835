/* Databases and their tables. */
#ifndef ORDO_CC_TXN_CORE_DATABASE_H
#define ORDO_CC_TXN_CORE_DATABASE_H

#include "cc/memory.h"
#include "cc/txn/core/doom.h"
#include "cc/txn/core/memory.h"

static int cc_open(struct ordo_db **result, const struct ordo_db_engine *engine, const struct ordo_db_options *options)
{
    struct ordo_db_options chosen = *options;
    struct ordo_db *db;
    chosen.memory = cc_memory_or_default(&options->memory);
    if (chosen.workers == 0)
        chosen.workers = CC_WORKERS;
    if (chosen.workers > UINT16_MAX - 1)
        return ORDO_E_INVALID;
    db = chosen.memory.allocate(chosen.memory.context, CC_LINE, sizeof *db);
    if (!db)
        return ORDO_E_SYSTEM;
    memset(db, 0, sizeof *db);
    db->engine = engine;
    db->options = chosen;
    db->places = cc_allocate(db, CC_LINE, chosen.workers * sizeof *db->places);
    int code = db->places ? ordo_stamp_init(&db->stamp, chosen.boundary_ticks, chosen.watch) : ORDO_E_SYSTEM;
    if (code) {
        cc_release(db, db->places, chosen.workers * sizeof *db->places);
        chosen.memory.release(chosen.memory.context, db, sizeof *db);
        return code;
    }
    memset(db->places, 0, chosen.workers * sizeof *db->places);
    *result = db;
    return ORDO_OK;
}

#define CC_FIRST_TOWER_BYTES (sizeof(struct cc_tower) + CC_TOWER * sizeof(struct cc_tower *))

static void cc_table_free(struct ordo_db *db, struct ordo_table *table)
{
    cc_release(db, table->places.first, cc_places_bytes(&table->places));
    if (table->hash.buckets)
        cc_release(db, table->hash.buckets, cc_hash_bytes(&table->hash));
    cc_release(db, table->list.first, CC_FIRST_TOWER_BYTES);
    cc_release(db, table, sizeof *table);
}

/* Returns the offset of the record in an item of 64-byte lines: directly behind the header if both fit in one line,
 * otherwise at the begin of the next line. */
static size_t cc_record_at(size_t header_bytes, size_t record_bytes)
{
    return header_bytes + record_bytes <= 64 ? header_bytes : (header_bytes + 63) / 64 * 64;
}

/* The layout of a table's entries and items, which the engine chooses. */
struct cc_layout {
    size_t header_bytes; /* size of the header in front of each record, a multiple of 32 */
    unsigned width;      /* of the buckets of a hashed table (struct cc_hash) */
    size_t place_bytes;  /* size of an entry of a dense table */
};

static bool cc_spec_is_valid(const struct ordo_db *db, const struct ordo_table_spec *spec)
{
    return db->tables < CC_TABLES && spec->record_bytes > 0 && spec->record_bytes <= 1u << 20 &&
           spec->rows <= UINT64_C(1) << 36 && !(spec->ordered && !db->engine->scans) && !(spec->dense && !spec->rows);
}

/* Allocates the entries of a dense table. The engine fills them before the table is used. */
static int cc_table_lay_out(struct ordo_table *table, const struct ordo_table_spec *spec, size_t place_bytes)
{
    table->last_key = spec->rows - 1;
    table->places = (struct cc_places){NULL, spec->rows, place_bytes};
    table->places.first = cc_allocate(table->db, CC_LINE, cc_places_bytes(&table->places));
    return table->places.first ? ORDO_OK : ORDO_E_SYSTEM;
}

/* Allocates the hash index of a table; if the table is ordered, its list too. */
static int cc_table_index(struct ordo_table *table, const struct ordo_table_spec *spec, unsigned width)
{
    unsigned bits = 6;
    while (UINT64_C(1) << bits < spec->rows)
        bits++;
    bits++; /* half of the buckets stay empty */
    table->last_key = UINT64_MAX;
    table->hash = (struct cc_hash){.shift = 64 - bits, .width = width};
    table->hash.buckets = cc_allocate(table->db, CC_LINE, cc_hash_bytes(&table->hash));
    table->list.first = spec->ordered ? cc_allocate(table->db, CC_LINE, CC_FIRST_TOWER_BYTES) : NULL;
    if (!table->hash.buckets || (spec->ordered && !table->list.first))
        return ORDO_E_SYSTEM;
    cc_hash_init(&table->hash);
    if (spec->ordered) {
        memset(table->list.first, 0, CC_FIRST_TOWER_BYTES);
        table->list.first->height = CC_TOWER;
    }
    return ORDO_OK;
}

/* Adds a table. If it is dense, the engine must fill its entries. */
static int cc_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, const struct cc_layout *layout,
                        struct ordo_table **result)
{
    if (!cc_spec_is_valid(db, spec))
        return ORDO_E_INVALID;
    struct ordo_table *table = cc_allocate(db, CC_LINE, sizeof *table);
    if (!table)
        return ORDO_E_SYSTEM;
    memset(table, 0, sizeof *table);
    size_t record_at = cc_record_at(layout->header_bytes, spec->record_bytes);
    *table = (struct ordo_table){.record_bytes = spec->record_bytes,
                                 .record_at = record_at,
                                 .item_bytes = (record_at + spec->record_bytes + 63) / 64 * 64,
                                 .number = db->tables,
                                 .db = db,
                                 .list.random = db->tables};
    if (spec->dense ? cc_table_lay_out(table, spec, layout->place_bytes) : cc_table_index(table, spec, layout->width)) {
        cc_table_free(db, table);
        return ORDO_E_SYSTEM;
    }
    db->table[db->tables++] = *result = table;
    return ORDO_OK;
}

/* Raises the boundary while no transaction is open. All earlier times are settled afterwards: every version that was
 * decided, superseded or retired by the old boundary is certainly before every transaction that begins later. */
static int cc_raise(struct ordo_db *db, uint64_t boundary_ticks)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i] && db->places[i]->opened)
            return ORDO_E_INVALID;
    return cc_is_disrupted(db) ? ORDO_E_DISRUPTED : ordo_stamp_raise(&db->stamp, boundary_ticks);
}

static void cc_close(struct ordo_db *db)
{
    struct ordo_memory memory = db->options.memory;
    cc_release(db, db->places, db->options.workers * sizeof *db->places);
    memory.release(memory.context, db, sizeof *db);
}

#endif
