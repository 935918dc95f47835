/* Pairs of records that are inserted, changed and removed together: every transaction sees both records of a pair or
 * neither.
 *
 * Histories are not recorded here, because recording would keep deleted records: they leave the indices, and their
 * memory is reused while other threads read, scan and insert them. In a table without an order the records share few
 * buckets and replace each other there; small records are in the buckets themselves. Every engine with every correct
 * stamp, preempted and skewed.
 *
 * --brief: fewer transactions, for builds that run slowly. --soak: many more. */
#include "cc/txn/index.h"
#include "txn.h"

enum { PAIRS = 6, BUCKETS = 3, THREADS_MAX = 8, SMALL = 3, LARGE = 7 };

struct half {
    uint64_t serials[LARGE]; /* the first `words` are used; all are equal, in both records of a pair */
};

static const struct ordo_db_engine *engine;
static enum ordo_txn_level level;
static struct ordo_db *db;
static struct ordo_table *table;
static bool ordered;             /* the order of the table */
static unsigned words;           /* number of words in a record */
static uint64_t keys[2 * PAIRS]; /* the keys of the records */
static uint64_t skew;
static unsigned transactions = 1500;
static _Atomic uint64_t violations, pairs_seen, none_seen, removed;

static void violated(const char *what)
{
    if (atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s/%s, level %d: %s\n", engine->name, engine->stamp ? engine->stamp : "-",
                (int)level, what);
}

/* True if all words of a record come from one writer. */
static bool is_torn(const struct half *half)
{
    for (unsigned i = 1; i < words; i++)
        if (half->serials[i] != half->serials[0])
            return true;
    return false;
}

/* Gives prefetch hints for reading or updating all records. Other threads insert and remove some of them at the same
 * time. */
static void tell_ahead(struct ordo_worker *worker, uint64_t *random)
{
    if (draw(random) % 2)
        ordo_txn_prefetch(worker, table, keys, 2 * PAIRS, draw(random));
}

/* Reads both halves of a pair, in either order. Returns the number of halves that exist, or the code of a failed
 * read. */
static int look(struct ordo_worker *worker, uint64_t *random, uint64_t pair, struct half halves[2])
{
    int present = 0;
    uint64_t turned = draw(random) & 1;
    for (uint64_t i = 0; i < 2; i++) {
        int code = ordo_txn_read(worker, table, keys[2 * pair + (i ^ turned)], &halves[i]);
        if (code && code != ORDO_TXN_ABSENT)
            return code < 0 ? code : -1000;
        present += code == ORDO_OK;
        if (i == 0 && draw(random) % 4 == 0)
            redraw_skew(random, skew);
    }
    return present;
}

struct range {
    unsigned count;
    bool torn;
    uint64_t serials[2 * PAIRS];
    uint64_t keys[2 * PAIRS];
};

static int collect(void *context, uint64_t key, const void *record)
{
    struct range *range = context;
    const struct half *half = record;
    range->torn |= is_torn(half);
    if (range->count == 2 * PAIRS)
        return 1;
    range->keys[range->count] = key;
    range->serials[range->count++] = half->serials[0];
    return 0;
}

static bool is_whole(const struct range *range)
{
    for (unsigned i = 0; i < range->count && !range->torn; i += 2)
        if (i + 1 == range->count || range->keys[i] % 2 || range->keys[i + 1] != range->keys[i] + 1 ||
            range->serials[i] != range->serials[i + 1])
            return false;
    return !range->torn;
}

/* Reads some pairs. A torn pair is a violation only if the transaction commits. */
static void read_pairs(struct ordo_worker *worker, uint64_t *random)
{
    struct half halves[2] = {{{0}}};
    struct range range = {0};
    bool torn = false, scanned = ordered && draw(random) % 2;
    int present = 0, code = ORDO_OK;
    if (scanned)
        code = ordo_txn_scan(worker, table, 0, 2 * PAIRS - 1, collect, &range);
    for (int i = 0; i < 3 && code == ORDO_OK; i++) {
        present = look(worker, random, draw(random) % PAIRS, halves);
        code = present < 0 ? ORDO_TXN_CONFLICT : ORDO_OK;
        torn |= present == 1 || (present == 2 && halves[0].serials[0] != halves[1].serials[0]);
        torn |= present == 2 && (is_torn(&halves[0]) || is_torn(&halves[1]));
    }
    if (ordo_txn_commit(worker))
        return;
    if (torn || !is_whole(&range))
        violated(torn ? "half of a pair was read" : "half of a pair was scanned");
    atomic_fetch_add(present == 2 ? &pairs_seen : &none_seen, 1);
}

/* Inserts a missing pair; changes or removes an existing one. */
static int write_pair(struct ordo_worker *worker, uint64_t *random)
{
    struct half halves[2];
    uint64_t pair = draw(random) % PAIRS, serial = draw(random), turned = draw(random) & 1;
    int present = look(worker, random, pair, halves), code = ORDO_OK;
    bool remove = draw(random) % 2;
    if (present < 0)
        return ORDO_TXN_CONFLICT;
    for (uint64_t i = 0; i < 2 && code == ORDO_OK; i++) {
        uint64_t key = keys[2 * pair + (i ^ turned)];
        void *record = NULL;
        code = present == 0 ? ordo_txn_insert(worker, table, key, &record)
               : remove     ? ordo_txn_remove(worker, table, key)
                            : ordo_txn_update(worker, table, key, &record);
        for (unsigned word = 0; word < words && code == ORDO_OK && record; word++)
            ((struct half *)record)->serials[word] = serial;
    }
    if (code == ORDO_OK && present && remove)
        atomic_fetch_add(&removed, 1);
    return code;
}

static void one_transaction(struct ordo_worker *worker, uint64_t *random)
{
    bool reads = draw(random) % 2;
    redraw_skew(random, skew);
    if (ordo_txn_begin(worker, reads && draw(random) % 2 ? ORDO_TXN_READ_ONLY : level)) {
        violated("a transaction could not begin");
        return;
    }
    tell_ahead(worker, random);
    if (reads) {
        read_pairs(worker, random);
        return;
    }
    int code = write_pair(worker, random);
    if (code < 0)
        violated("a call failed");
    tell_ahead(worker, random); /* the transaction may be doomed, and no longer protected */
    if (code || draw(random) % 16 == 0)
        ordo_txn_abort(worker);
    else
        (void)ordo_txn_commit(worker);
}

static void *work(void *argument)
{
    struct ordo_worker *worker;
    uint64_t random = 0x9e3779b97f4a7c15u * (1 + (uint64_t)(uintptr_t)argument);
    if (ordo_worker_join(db, &worker))
        exit(70);
    for (unsigned i = 0; i < transactions; i++)
        one_transaction(worker, &random);
    skewed_clock_range = skewed_clock_ticks = 0;
    ordo_worker_leave(worker);
    return NULL;
}

/* Chooses the keys. In a table without an order they share three of its 128 buckets. */
static void draw_keys(void)
{
    static uintptr_t buckets[1 << 7];
    const struct cc_hash hash = {.buckets = buckets, .shift = 64 - 7};
    for (uint64_t key = 0, count = 0; count < 2 * PAIRS; key++)
        if (ordered || cc_hash_bucket(&hash, key) < buckets + BUCKETS)
            keys[count++] = key;
}

static void run(unsigned threads, enum ordo_txn_uncertain uncertain)
{
    struct ordo_db_options options = {
        .memory = counted_memory, .boundary_ticks = BOUNDARY, .watch = watch_of(engine), .uncertain = uncertain};
    struct ordo_table_spec spec = {.record_bytes = words * sizeof(uint64_t), .rows = PAIRS, .ordered = ordered};
    struct ordo_error error;
    pthread_t workers[THREADS_MAX];
    skew = is_bounded(engine) ? SKEW : 0;
    draw_keys();
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

static void run_tables(unsigned threads)
{
    static const struct {
        bool ordered;
        unsigned words;
    } tables[] = {{false, SMALL}, {false, LARGE}, {true, LARGE}};
    for (int i = 0; i < 2 + engine->scans; i++) {
        ordered = tables[i].ordered;
        words = tables[i].words;
        run(threads, ORDO_UNCERTAIN_WAIT);
        run(threads, ORDO_UNCERTAIN_ABORT);
    }
}

int main(int argc, char **argv)
{
    preempt_often();
    if (argc > 1)
        transactions = strcmp(argv[1], "--soak") == 0 ? 200000 : 500; /* --brief */
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
        engine = *each;
        if (is_left_out(engine) || (engine->stamp && strcmp(engine->stamp, "tsc") == 0))
            continue; /* "tsc" promises nothing on an unknown machine */
        for (level = ORDO_TXN_SERIALIZABLE; level <= ORDO_TXN_SNAPSHOT; level++)
            for (unsigned threads = 2; threads <= THREADS_MAX && (engine->levels & level); threads += 6)
                run_tables(threads);
    }
    printf("%llu pairs seen, %llu missing, %llu removed\n", (unsigned long long)atomic_load(&pairs_seen),
           (unsigned long long)atomic_load(&none_seen), (unsigned long long)atomic_load(&removed));
    if (!atomic_load(&pairs_seen) || !atomic_load(&none_seen) || !atomic_load(&removed))
        violated("pairs did not come and go");
    return preempt_result(atomic_load(&violations) != 0);
}
