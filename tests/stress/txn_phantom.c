/* A single record that moves: a transaction that scans the range and finds no record inserts one; a transaction that
 * finds the record removes it or moves it to another key. Two such transactions write different keys, so only their
 * scans conflict. If a scan misses a change, two records appear.
 *
 * Histories are not recorded, so deleted records leave the index while other threads scan over them, and their keys are
 * used again. Every engine with ordered tables, preempted and skewed.
 *
 * --brief: fewer transactions, for builds that run slowly. --soak: many more. */
#include <time.h>

#include "txn.h"

enum { KEYS = 12, THREADS_MAX = 8 };

static const struct ordo_db_engine *engine;
static enum ordo_txn_uncertain uncertain;
static struct ordo_db *db;
static struct ordo_table *table;
static uint64_t skew;
static unsigned transactions = 3000;
static time_t most_s =
    5; /* limit for one run, because a yield has no bounded length while other programs use the CPUs */
static _Atomic uint64_t violations, came, went, moved, looks, conflicts;

static void violated(const char *what)
{
    if (atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s/%s, %s: %s\n", engine->name, engine->stamp,
                uncertain == ORDO_UNCERTAIN_WAIT ? "wait" : "abort", what);
}

struct found {
    unsigned count;
    uint64_t key;
};

static int find(void *context, uint64_t key, const void *record)
{
    struct found *found = context;
    uint64_t copy;
    memcpy(&copy, record, sizeof copy);
    if (copy != key)
        violated("a record is another's");
    found->count++;
    found->key = key;
    return 0;
}

static int insert(struct ordo_worker *worker, uint64_t key)
{
    void *record;
    int code = ordo_txn_insert(worker, table, key, &record);
    if (code == ORDO_OK)
        memcpy(record, &key, sizeof key);
    return code;
}

/* Inserts, removes or moves the record. `*kind` becomes the counter for this kind of change. */
static int wander(struct ordo_worker *worker, uint64_t *random, const struct found *found, _Atomic uint64_t **kind)
{
    uint64_t key = draw(random) % KEYS;
    *kind = &came;
    if (found->count == 0)
        return insert(worker, key);
    *kind = &went;
    int code = ordo_txn_remove(worker, table, found->key);
    if (code || draw(random) % 4 == 0 || key == found->key)
        return code;
    *kind = &moved;
    return insert(worker, key);
}

static void one_transaction(struct ordo_worker *worker, uint64_t *random)
{
    bool reads = draw(random) % 8 == 0;
    struct found found = {0};
    _Atomic uint64_t *kind = &looks;
    redraw_skew(random, skew);
    if (ordo_txn_begin(worker, reads ? ORDO_TXN_READ_ONLY : ORDO_TXN_SERIALIZABLE))
        violated("a transaction could not begin");
    int code = ordo_txn_scan(worker, table, 0, KEYS - 1, find, &found);
    if (code < 0)
        violated("a scan failed");
    if (code == ORDO_OK && found.count > 1)
        violated("a transaction that sees what was there at one moment saw two records");
    if (draw(random) % 16 == 0)
        (void)sched_yield();
    if (code == ORDO_OK && !reads)
        code = wander(worker, random, &found, &kind);
    if (code < 0)
        violated("a call failed");
    redraw_skew(random, skew);
    if (code)
        ordo_txn_abort(worker);
    else
        code = ordo_txn_commit(worker);
    atomic_fetch_add(code ? &conflicts : kind, 1);
}

static void *work(void *argument)
{
    struct ordo_worker *worker;
    time_t end_s = time(NULL) + most_s;
    uint64_t random = 0x9e3779b97f4a7c15u * (1 + (uint64_t)(uintptr_t)argument);
    if (ordo_worker_join(db, &worker))
        exit(70);
    for (unsigned i = 0; i < transactions && !atomic_load(&violations) && time(NULL) <= end_s; i++)
        one_transaction(worker, &random);
    skewed_clock_range = skewed_clock_ticks = 0;
    ordo_worker_leave(worker);
    return NULL;
}

static void run(unsigned threads)
{
    struct ordo_db_options options = {
        .memory = counted_memory, .boundary_ticks = BOUNDARY, .watch = watch_of(engine), .uncertain = uncertain};
    struct ordo_table_spec spec = {.record_bytes = sizeof(uint64_t), .rows = KEYS, .ordered = true};
    struct ordo_error error;
    pthread_t workers[THREADS_MAX];
    skew = is_bounded(engine) ? SKEW : 0;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &table))
        exit(70);
    for (unsigned i = 0; i < threads; i++)
        pthread_create(&workers[i], NULL, work, (void *)(uintptr_t)i);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    if (ordo_db_audit(db, &error))
        violated(error.text);
    ordo_db_close(db);
    if (atomic_load(&memory_blocks) || atomic_load(&memory_bytes))
        violated("memory was not given back, or not with its size");
}

int main(int argc, char **argv)
{
    preempt_often();
    if (argc > 1 && strcmp(argv[1], "--soak") == 0) {
        transactions = 400000;
        most_s = 3600;
    } else if (argc > 1) { /* --brief */
        transactions = 800;
    }
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each && !atomic_load(&violations); each++) {
        engine = *each;
        if (is_left_out(engine) || !engine->scans || strcmp(engine->stamp, "tsc") == 0)
            continue; /* "tsc" promises nothing on an unknown machine */
        for (unsigned threads = 2; threads <= THREADS_MAX; threads += 3)
            for (int way = 0; way < 2; way++) {
                uncertain = (enum ordo_txn_uncertain)way;
                run(threads);
            }
    }
    printf("a record came %llu times, went %llu, moved %llu, was looked for %llu; %llu conflicts\n",
           (unsigned long long)atomic_load(&came), (unsigned long long)atomic_load(&went),
           (unsigned long long)atomic_load(&moved), (unsigned long long)atomic_load(&looks),
           (unsigned long long)atomic_load(&conflicts));
    if (!atomic_load(&came) || !atomic_load(&went) || !atomic_load(&moved) || !atomic_load(&looks))
        violated("the record did not wander");
    return preempt_result(atomic_load(&violations) != 0);
}
