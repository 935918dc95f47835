/* External consistency: a transaction that begins after another transaction's commit has returned sees this commit,
 * even if the clock of the second is behind the clock of the first by exactly the boundary. Without external
 * consistency it may miss the commit. In both cases a thread sees its own commits and everything that it has seen
 * before, even on another clock, and after it has left and joined again.
 *
 * One thread with two workers runs the steps in sequence: it writes on a clock that is ahead, then reads on a clock
 * that is behind. The test covers every engine on every stamp, at every level, with both ways to resolve
 * uncertainty. */
#include "txn.h"

enum {
    BEHIND = 1000000,
    TIMES = 10,
    TRIES_MAX = 1000
}; /* BEHIND: in ticks; it exceeds the time from a commit to the next begin */

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *writer, *other;
static uint64_t skew;
static bool rejoins; /* before its next read, the reader leaves and joins again */

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

static uint64_t read_value(struct ordo_worker *reader, enum ordo_txn_level level, uint64_t ahead)
{
    uint64_t value = 0;
    int code;
    skewed_clock_ticks = ahead;
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

static struct ordo_worker *joined(void)
{
    struct ordo_worker *worker;
    if (ordo_worker_join(db, &worker))
        exit(70);
    return worker;
}

/* Leaves and joins again. In between, another worker takes the slot, so the worker gets a new one. */
static void rejoin(struct ordo_worker **worker)
{
    struct ordo_worker *before[2], *instead;
    unsigned index = (*worker)->index, count = 0;
    ordo_worker_leave(*worker);
    while ((instead = joined())->index != index) {
        if (count == 2)
            exit(70);
        before[count++] = instead;
    }
    while (count > 0)
        ordo_worker_leave(before[--count]);
    *worker = joined();
    ordo_worker_leave(instead);
}

/* True if a reader at level `reads` misses a commit in one of `times` attempts. */
static bool is_missed(struct ordo_worker **reader, enum ordo_txn_level writes, enum ordo_txn_level reads,
                      unsigned times)
{
    static uint64_t value;
    bool missed = false;
    while (times-- > 0 && !missed) {
        write_value(writes, ++value);
        if (rejoins)
            rejoin(reader);
        missed = read_value(*reader, reads, 0) != value;
    }
    return missed;
}

/* True if a thread reads a value, and then no longer sees it on a clock that is behind. */
static bool is_lost(enum ordo_txn_level reads)
{
    static uint64_t value = UINT64_C(1) << 32;
    bool lost = false;
    for (int times = 0; times < TIMES; times++) {
        write_value(ORDO_TXN_SERIALIZABLE, ++value);
        uint64_t seen = read_value(other, reads, skew);
        if (rejoins)
            rejoin(&other);
        lost |= read_value(other, reads, 0) != seen;
    }
    return lost;
}

static bool is_any_missed(struct ordo_worker **reader)
{
    static const enum ordo_txn_level levels[] = {ORDO_TXN_SERIALIZABLE, ORDO_TXN_SNAPSHOT, ORDO_TXN_READ_ONLY};
    bool missed = false;
    for (int writes = 0; writes < 2; writes++)
        for (int reads = 0; reads < 3; reads++)
            if ((engine->levels & levels[writes]) && (engine->levels & levels[reads]))
                missed |= is_missed(reader, levels[writes], levels[reads], TIMES);
    return missed;
}

static int check_threads(void)
{
    int failed = 0;
    if (is_any_missed(&writer))
        failed = violated("a thread missed its own commit");
    if (is_lost(ORDO_TXN_READ_ONLY) || ((engine->levels & ORDO_TXN_SNAPSHOT) && is_lost(ORDO_TXN_SNAPSHOT)))
        failed = violated("a thread no longer saw what it had seen");
    return failed;
}

static int run(bool external, enum ordo_txn_uncertain uncertain)
{
    struct ordo_db_options options = {.memory = counted_memory,
                                      .boundary_ticks = skew,
                                      .watch = watch_of(engine),
                                      .uncertain = uncertain,
                                      .external_consistency = external};
    struct ordo_table_spec spec = {.record_bytes = sizeof(uint64_t), .rows = 1};
    int failed = 0;
    if (ordo_db_open(&db, engine, &options))
        return external && strcmp(engine->name, "tictoc") == 0 ? 0 : violated("does not open");
    if (ordo_table_add(db, &spec, &table) || ordo_worker_join(db, &writer) || ordo_worker_join(db, &other))
        exit(70);
    failed |= check_threads();
    rejoins = true;
    if (check_threads())
        failed = violated("and that although it only left and joined again");
    rejoins = false;
    if (external && is_any_missed(&other))
        failed = violated("a transaction missed what was committed before it began");
    /* Without snapshots a reader always finds the newest value. */
    if (!external && (engine->levels & ORDO_TXN_SNAPSHOT) && skew && uncertain == ORDO_UNCERTAIN_WAIT &&
        !is_missed(&other, ORDO_TXN_SERIALIZABLE, ORDO_TXN_READ_ONLY, TRIES_MAX))
        failed = violated("nothing was missed without external consistency: is that tested?");
    ordo_worker_leave(writer);
    ordo_worker_leave(other);
    ordo_db_close(db);
    return failed;
}

int main(void)
{
    int failed = 0;
    skewed_clock_agree = 1;
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
        engine = *each;
        skew = is_bounded(engine) ? BEHIND : 0;
        for (int way = 0; way < 4; way++)
            failed |= run(way & 1, (enum ordo_txn_uncertain)(way >> 1));
    }
    return failed;
}
