/* External consistency: a transaction that begins after another's commit returned sees it, on a clock that is behind
 * the other's by exactly the boundary; and without it can miss it.
 *
 * One thread with two workers, so that each step follows the one before: it writes with its clock ahead, and reads with
 * its clock behind. Every engine on every stamp, at every level and way. */
#include "mvcc.h"

enum { BEHIND = 1000000, TIMES = 20, TRIES_MAX = 1000 }; /* ticks: longer than it takes from a commit to a begin */

static const struct ordo_db_engine *engine;
static struct ordo_table *table;
static struct ordo_worker *writer, *reader;
static uint64_t skew;

static int violated(const char *what)
{
    fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp ? engine->stamp : "-", what);
    return 1;
}

static bool can_retry(int code)
{
    if (code < 0 || code == ORDO_TXN_EXISTS)
        exit(70);
    return code == ORDO_TXN_CONFLICT;
}

static void write_value(enum ordo_txn_level level, uint64_t value)
{
    void *record;
    int code;
    skewed_clock_ticks = skew;
    do {
        if (ordo_txn_begin(writer, level))
            exit(70);
        code = ordo_txn_update(writer, table, 1, &record);
        if (code == ORDO_TXN_ABSENT)
            code = ordo_txn_insert(writer, table, 1, &record);
        if (code == ORDO_OK)
            memcpy(record, &value, sizeof value);
        code = ordo_txn_commit(writer);
    } while (can_retry(code));
}

static uint64_t read_value(enum ordo_txn_level level)
{
    uint64_t value = 0;
    int code;
    skewed_clock_ticks = 0;
    do {
        if (ordo_txn_begin(reader, level))
            exit(70);
        code = ordo_txn_read(reader, table, 1, &value);
        if (code == ORDO_OK || code == ORDO_TXN_ABSENT)
            code = ordo_txn_commit(reader);
        else
            ordo_txn_abort(reader);
    } while (can_retry(code));
    return value;
}

/* How many of so many commits a reader of that level missed; no more once one was. */
static unsigned count_missed(enum ordo_txn_level writes, enum ordo_txn_level reads, unsigned times)
{
    static uint64_t value;
    unsigned missed = 0;
    while (times-- > 0 && !missed) {
        write_value(writes, ++value);
        missed += read_value(reads) != value;
    }
    return missed;
}

static int run(bool external, enum ordo_txn_uncertain uncertain)
{
    struct ordo_db_options options = {
        .memory = counted_memory, .boundary_ticks = skew, .uncertain = uncertain, .external_consistency = external};
    struct ordo_table_spec spec = {.record_bytes = sizeof(uint64_t), .rows = 1};
    struct ordo_db *db;
    int failed = 0;
    if (ordo_db_open(&db, engine, &options))
        return external && strcmp(engine->name, "tictoc") == 0 ? 0 : violated("does not open");
    if (ordo_table_add(db, &spec, &table) || ordo_worker_join(db, &writer) || ordo_worker_join(db, &reader))
        exit(70);
    for (unsigned writes = ORDO_TXN_SERIALIZABLE; external && writes <= ORDO_TXN_SNAPSHOT; writes++)
        for (unsigned reads = ORDO_TXN_SERIALIZABLE; reads <= ORDO_TXN_READ_ONLY; reads *= 2)
            if ((engine->levels & writes) && (engine->levels & reads) &&
                count_missed((enum ordo_txn_level)writes, (enum ordo_txn_level)reads, TIMES))
                failed = violated("a transaction missed what was committed before it began");
    if (!external && !count_missed(ORDO_TXN_SERIALIZABLE, ORDO_TXN_READ_ONLY, TRIES_MAX))
        failed = violated("nothing was missed without external consistency: is that tested?");
    ordo_worker_leave(writer);
    ordo_worker_leave(reader);
    ordo_db_close(db);
    return failed;
}

int main(void)
{
    int failed = 0;
    skewed_clock_agree = 1;
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
        bool bounded;
        engine = *each;
        bounded = engine->stamp && strcmp(engine->stamp, "ordo") == 0;
        skew = bounded ? BEHIND : 0;
        failed |= run(true, ORDO_UNCERTAIN_WAIT) | run(true, ORDO_UNCERTAIN_ABORT);
        if (bounded && strcmp(engine->name, "hekaton") == 0) /* OCC's readers find what is newest anyway */
            failed |= run(false, ORDO_UNCERTAIN_WAIT);
    }
    return failed;
}
