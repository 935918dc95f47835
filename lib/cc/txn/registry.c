/* What the engines share: finding them, and calls that only have a database. */
#include <string.h>

#include <ordo/cc/txn.h>

/* Every engine's database begins so. */
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
