/* Writers while one snapshot stays open. Every engine with snapshots on every stamp, preempted, and with clocks skewed
 * by up to the boundary if the stamp has one.
 *
 * Two versions of each record are needed: one for the snapshot, and the current one. At every moment, not only at rest,
 * the number of versions in memory must be proportional to the number of needed versions, for any number of writers
 * that prune at the same time, even if some of them have no CPU. The snapshot must not change, and in the end all
 * memory must have been released.
 *
 * --brief: fewer transactions, for builds that run slowly. --soak: more. */
#include "txn.h"

enum { RECORDS = 500, UPDATES = 4, RECORD_BYTES = 64, THREADS_MAX = 8, SAMPLE_EVERY = 64 };
/* Numbers of further blocks, besides two versions of each record. OTHERS, for the whole database: anchors without a
 * home, and a constant. WAITING, for each worker: versions that wait, because up to 256 are not pruned, and as many
 * come between two rounds of pruning. KEPT, for each worker: versions kept for later transactions, which are 512 or the
 * recent number of waiting versions. */
enum { OTHERS = 250, WAITING = 1024, KEPT = 1024 };

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *table;
static uint64_t skew;
static unsigned transactions; /* number of transactions of each thread */
static _Atomic int violations;
static _Atomic int64_t most_blocks;
static _Atomic uint64_t committed;

static void violated(const char *what)
{
    if (atomic_fetch_add(&violations, 1) < 20)
        fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp ? engine->stamp : "-", what);
}

static void sample(void)
{
    int64_t blocks = atomic_load(&memory_blocks), most = atomic_load(&most_blocks);
    while (most < blocks && !atomic_compare_exchange_weak(&most_blocks, &most, blocks))
        ;
}

static void update_some(struct ordo_worker *worker, uint64_t *random)
{
    void *record;
    int code = ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE);
    for (unsigned i = 0; i < UPDATES && code == ORDO_OK; i++) {
        redraw_skew(random, skew);
        code = ordo_txn_update(worker, table, draw(random) % RECORDS, &record);
        if (code == ORDO_OK)
            memset(record, (int)draw(random), RECORD_BYTES);
    }
    if (code)
        ordo_txn_abort(worker);
    else
        code = ordo_txn_commit(worker);
    if (code && code != ORDO_TXN_CONFLICT)
        violated("a transaction ended otherwise than by a conflict");
    atomic_fetch_add(&committed, code == ORDO_OK);
}

static void *write_on(void *argument)
{
    struct ordo_worker *worker;
    uint64_t random = 0x9e3779b97f4a7c15u * (1 + (uint64_t)(uintptr_t)argument);
    if (ordo_worker_join(db, &worker))
        exit(70);
    for (unsigned i = 0; i < transactions; i++) {
        update_some(worker, &random);
        if (i % SAMPLE_EVERY == 0)
            sample();
    }
    skewed_clock_range = skewed_clock_ticks = 0;
    sample();
    ordo_worker_leave(worker);
    return NULL;
}

static void fill(struct ordo_worker *worker)
{
    void *record;
    if (ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        exit(70);
    for (uint64_t key = 0; key < RECORDS; key++) {
        if (ordo_txn_insert(worker, table, key, &record))
            exit(70);
        memset(record, (int)key, RECORD_BYTES);
    }
    if (ordo_txn_commit(worker))
        exit(70);
}

/* True if the open snapshot shows what fill() wrote. */
static bool is_as_filled(struct ordo_worker *reader)
{
    unsigned char record[RECORD_BYTES];
    for (uint64_t key = 0; key < RECORDS; key++)
        if (ordo_txn_read(reader, table, key, record) || record[0] != (unsigned char)key ||
            record[RECORD_BYTES - 1] != (unsigned char)key)
            return false;
    return true;
}

static void run(unsigned threads)
{
    struct ordo_worker *reader;
    pthread_t writers[THREADS_MAX];
    struct ordo_error error;
    if (ordo_worker_join(db, &reader))
        exit(70);
    fill(reader);
    if (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY) || !is_as_filled(reader))
        violated("the snapshot shows something else at first");
    atomic_store(&most_blocks, 0);
    for (unsigned i = 0; i < threads; i++)
        pthread_create(&writers[i], NULL, write_on, (void *)(uintptr_t)i);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(writers[i], NULL);
    int64_t bound = 2 * RECORDS + OTHERS + (int64_t)threads * (WAITING + KEPT);
    if (atomic_load(&most_blocks) > bound) {
        fprintf(stderr, "%u writers: %lld blocks, no more than %lld were expected\n", threads,
                (long long)atomic_load(&most_blocks), (long long)bound);
        violated("the versions in memory are out of proportion to what the snapshot needs");
    }
    if (!is_as_filled(reader))
        violated("the snapshot changed");
    if (ordo_txn_commit(reader))
        violated("the snapshot did not end");
    ordo_worker_leave(reader);
    if (ordo_db_audit(db, &error))
        violated(error.text);
}

static int run_engine(unsigned threads)
{
    struct ordo_db_options options = {.memory = counted_memory, .boundary_ticks = BOUNDARY, .watch = watch_of(engine)};
    struct ordo_table_spec spec = {.record_bytes = RECORD_BYTES, .rows = RECORDS};
    int before = atomic_load(&violations);
    skew = is_bounded(engine) ? SKEW : 0;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &table))
        exit(70);
    run(threads);
    ordo_db_close(db);
    if (atomic_load(&memory_blocks) || atomic_load(&memory_bytes))
        violated("memory was not given back, or not with its size");
    return atomic_load(&violations) - before;
}

int main(int argc, char **argv)
{
    bool soak = argc > 1 && strcmp(argv[1], "--soak") == 0, brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    int failed = 0;
    preempt_often();
    transactions = soak ? 500000 : brief ? 2000 : 10000;
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++)
        for (unsigned threads = 2; threads <= THREADS_MAX; threads *= 2) {
            engine = *each;
            if (is_left_out(engine) || !(engine->levels & ORDO_TXN_SNAPSHOT) || strcmp(engine->stamp, "tsc") == 0)
                continue; /* "tsc" promises nothing on an unknown machine */
            failed |= run_engine(threads);
        }
    printf("%llu transactions committed, %d violations\n", (unsigned long long)atomic_load(&committed),
           atomic_load(&violations));
    return preempt_result(failed);
}
