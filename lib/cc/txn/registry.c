/* The part that is common to all engines: the search for an engine, the calls that take only a database, and the names
 * of the answers. */
#include <string.h>

#include <ordo/cc/txn.h>

/* The first member of every engine's database. */
struct ordo_db {
    const struct ordo_db_engine *engine;
};

const struct ordo_db_engine *ordo_db_engine_find(const char *name, const char *stamp)
{
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++) {
        const char *has = (*at)->stamp;
        if (strcmp((*at)->name, name) == 0 && (has && stamp ? strcmp(has, stamp) == 0 : has == stamp))
            return *at;
    }
    return NULL;
}

const struct ordo_db_engine *ordo_db_engine_of(const struct ordo_db *db)
{
    return db->engine;
}

void ordo_db_close(struct ordo_db *db)
{
    db->engine->close(db);
}

int ordo_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table)
{
    return db->engine->table_add(db, spec, table);
}

int ordo_db_raise(struct ordo_db *db, uint64_t boundary_ticks)
{
    return db->engine->raise(db, boundary_ticks);
}

int ordo_worker_join(struct ordo_db *db, struct ordo_worker **worker)
{
    return db->engine->join(db, worker);
}

int ordo_db_audit(struct ordo_db *db, struct ordo_error *error)
{
    return db->engine->audit(db, error);
}

static const char *const outcomes[] = {
    [ORDO_OK] = "ok",
    [ORDO_TXN_ABSENT] = "absent",
    [ORDO_TXN_EXISTS] = "exists",
    [ORDO_TXN_CONFLICT] = "conflict",
};

static const char *const errors[] = {
    [-ORDO_E_MISSING] = "missing",
    [-ORDO_E_TRUNCATED] = "truncated",
    [-ORDO_E_MALFORMED] = "malformed",
    [-ORDO_E_CHECKSUM] = "checksum",
    [-ORDO_E_LAYOUT] = "layout",
    [-ORDO_E_SECTION] = "section",
    [-ORDO_E_WRITABLE] = "writable",
    [-ORDO_E_OWNER] = "owner",
    [-ORDO_E_BOOT] = "boot",
    [-ORDO_E_CLOCK] = "clock",
    [-ORDO_E_RATE] = "rate",
    [-ORDO_E_EXPIRED] = "expired",
    [-ORDO_E_SUPERSEDED] = "superseded",
    [-ORDO_E_DISRUPTED] = "disrupted",
    [-ORDO_E_BOUNDARY] = "boundary",
    [-ORDO_E_CPUS] = "cpus",
    [-ORDO_E_INVALID] = "invalid",
    [-ORDO_E_SYSTEM] = "system",
    [-ORDO_E_MEASURE] = "measure",
    [-ORDO_E_UNVERIFIED] = "unverified",
    [-ORDO_E_REFUTED] = "refuted",
    [-ORDO_E_CANCELLED] = "cancelled",
    [-ORDO_E_UNMEASURED] = "unmeasured",
    [-ORDO_E_FULL] = "full",
    [-ORDO_E_TRUST] = "trust",
};

const char *ordo_txn_outcome_name(int outcome)
{
    bool error = outcome < 0;
    const char *const *names = error ? errors : outcomes;
    size_t count = error ? sizeof errors / sizeof *errors : sizeof outcomes / sizeof *outcomes;
    size_t index = error ? 0u - (unsigned)outcome : (unsigned)outcome;
    return index < count && names[index] ? names[index] : "unknown";
}
