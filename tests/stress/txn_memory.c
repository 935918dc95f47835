/* Transactions that are killed at any point, a long-running reader, and the memory of both. Every engine on every
 * stamp, preempted, and with clocks skewed by up to the boundary if the stamp has one.
 *
 * The test expects:
 * - the sum of the accounts is constant
 * - at rest no lock is held, and every version is reachable or waits to be reclaimed (the audit)
 * - the long reader finds the same values at each scan
 * - memory stays bounded, during the long reader and after its end, for any number of writes
 * - in the end every block of memory was released, with its size
 *
 * --brief: fewer transactions, for builds that run slowly. --soak: about a minute for each run. */
#include "txn.h"

enum { ACCOUNTS = 64, VISITORS = 256, INITIAL = 1000, THREADS_MAX = 8, RECORD_BYTES = 200 };

enum { LOOKS = 20, SEEN = ACCOUNTS + VISITORS };

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *accounts, *visitors;
static struct rounds rounds;
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static uint64_t skew;
static unsigned transactions; /* number of transactions for each thread and phase */
static _Atomic int violations;
static _Atomic uint64_t committed, killed, conflicts;

static void violated(const char *what)
{
    if (atomic_fetch_add(&violations, 1) < 20)
        fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp ? engine->stamp : "-", what);
}

static int64_t balance_of(const void *record)
{
    int64_t balance;
    memcpy(&balance, record, sizeof balance);
    return balance;
}

/* Runs a chain of transfers that leaves the sum unchanged. Returns ORDO_TXN_CONFLICT if it is killed. */
static int transfer(struct ordo_worker *worker, uint64_t *random)
{
    void *from, *to;
    int code = ordo_txn_update(worker, accounts, draw(random) % ACCOUNTS, &from);
    for (unsigned steps = 1 + draw(random) % 4; code == ORDO_OK && steps > 0; steps--) {
        int64_t left, right, amount = (int64_t)(draw(random) % 10);
        if (draw(random) % 16 == 0)
            return ORDO_TXN_CONFLICT; /* killed here */
        code = ordo_txn_update(worker, accounts, draw(random) % ACCOUNTS, &to);
        if (code || to == from)
            continue;
        left = balance_of(from) - amount;
        right = balance_of(to) + amount;
        memcpy(from, &left, sizeof left);
        redraw_skew(random, skew);
        memcpy(to, &right, sizeof right);
    }
    return code;
}

/* Inserts and removes visitors in one transaction. */
static int visit(struct ordo_worker *worker, uint64_t *random)
{
    char record[RECORD_BYTES];
    void *fresh;
    int code = ORDO_OK;
    for (unsigned steps = 1 + draw(random) % 4; steps > 0; steps--) {
        uint64_t key = draw(random) % VISITORS, kind = draw(random) % 3;
        if (draw(random) % 16 == 0)
            return ORDO_TXN_CONFLICT; /* killed here */
        if (kind == 0)
            code = ordo_txn_read(worker, visitors, key, record);
        else if (kind == 1)
            code = ordo_txn_remove(worker, visitors, key);
        else if ((code = ordo_txn_insert(worker, visitors, key, &fresh)) == ORDO_OK)
            memset(fresh, (int)key, RECORD_BYTES);
        if (kind == 0 && code == ORDO_OK && (unsigned char)record[RECORD_BYTES - 1] != (unsigned char)key)
            violated("a record is another's");
        if (code < 0 || code == ORDO_TXN_CONFLICT)
            return code;
    }
    return ORDO_OK;
}

static void one_transaction(struct ordo_worker *worker, uint64_t *random)
{
    redraw_skew(random, skew);
    if (ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        violated("a transaction could not begin");
    int code = draw(random) % 2 ? transfer(worker, random) : visit(worker, random);
    if (code < 0)
        violated("a call failed");
    redraw_skew(random, skew);
    if (code || draw(random) % 16 == 0) {
        ordo_txn_abort(worker);
        atomic_fetch_add(&killed, 1);
    } else if (ordo_txn_commit(worker) == ORDO_OK) {
        atomic_fetch_add(&committed, 1);
    } else {
        atomic_fetch_add(&conflicts, 1);
    }
}

/* Reclaims a worker's retired items, which had to wait while other workers were in transactions. No worker is in a
 * transaction now, and each empty transaction reclaims a few items. */
static void put_away(struct ordo_worker *worker)
{
    pthread_mutex_lock(&alone);
    for (int i = 0; i < 4000; i++)
        if (ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE) || ordo_txn_commit(worker))
            violated("an empty transaction did not commit");
    pthread_mutex_unlock(&alone);
}

static void *work(void *argument)
{
    struct ordo_worker *worker;
    uint64_t random = 0x9e3779b97f4a7c15u * (1 + (uint64_t)(uintptr_t)argument);
    if (ordo_worker_join(db, &worker))
        exit(70);
    for (;;) {
        pthread_barrier_wait(&rounds.gate);
        if (atomic_load(&rounds.over))
            break;
        for (unsigned i = 0; i < transactions; i++)
            one_transaction(worker, &random);
        skewed_clock_range = skewed_clock_ticks = 0;
        pthread_barrier_wait(&rounds.gate);
        put_away(worker);
        pthread_barrier_wait(&rounds.gate);
    }
    ordo_worker_leave(worker);
    return NULL;
}

static void fill(void)
{
    struct ordo_worker *worker;
    void *record;
    int64_t balance = INITIAL;
    if (ordo_worker_join(db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        exit(70);
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        if (ordo_txn_insert(worker, accounts, key, &record))
            exit(70);
        memset(record, 0, RECORD_BYTES);
        memcpy(record, &balance, sizeof balance);
    }
    if (ordo_txn_commit(worker))
        exit(70);
    ordo_worker_leave(worker);
}

/* Reads the balances and the visitors in an open transaction. Returns the sum of the balances. */
static int64_t look(struct ordo_worker *reader, int64_t *seen)
{
    char record[RECORD_BYTES];
    int64_t sum = 0;
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        if (ordo_txn_read(reader, accounts, key, record))
            violated("an account cannot be read");
        seen[key] = balance_of(record);
        sum += seen[key];
    }
    for (uint64_t key = 0; key < VISITORS; key++)
        seen[ACCOUNTS + key] = ordo_txn_read(reader, visitors, key, record);
    return sum;
}

static void work_once(void)
{
    for (int gates = 0; gates < 3; gates++) /* the ends of working, of reclaiming, and of resting */
        pthread_barrier_wait(&rounds.gate);
}

/* Returns an upper bound of the bytes in use at rest. Each record has a current version, a version for the snapshot, an
 * anchor, and indices. Each worker has its pools; the ring of its retired items, with at least 4096 items; retired
 * versions, too few to be pruned while a snapshot is open; and its read and write sets. */
static int64_t bound_bytes(unsigned threads)
{
    enum { ITEM = 256, POOLS = 2 * 512 * ITEM, RING = 4096 * 40, UNPRUNED = 256 * ITEM, LISTS = 32768 };
    enum { RECORDS = SEEN * (2 * ITEM + 256), INDICES = 65536 };
    return RECORDS + INDICES + (int64_t)(threads + 1) * (POOLS + RING + UNPRUNED + LISTS);
}

static void check_at_rest(struct ordo_worker *reader)
{
    int64_t seen[SEEN];
    struct ordo_error error;
    if (ordo_db_audit(db, &error))
        violated(error.text);
    if (ordo_txn_begin(reader, ORDO_TXN_SERIALIZABLE) || look(reader, seen) != ACCOUNTS * INITIAL ||
        ordo_txn_commit(reader))
        violated("money was made or lost");
}

/* Runs rounds until the memory in use is within the bound; a very long backlog takes several rounds. Returns the bytes
 * in use. */
static int64_t work_until(int64_t bound)
{
    work_once();
    for (int more = 0; more < 20 && atomic_load(&memory_bytes) > bound; more++)
        work_once();
    return atomic_load(&memory_bytes);
}

/* Holds a snapshot and reads it repeatedly while other threads work. */
static void hold(struct ordo_worker *reader, int64_t bound)
{
    int64_t first[SEEN], now[SEEN];
    if (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY) || look(reader, first) != ACCOUNTS * INITIAL)
        violated("the long reader saw another sum at first");
    for (int times = 0; times < 3; times++) {
        pthread_barrier_wait(&rounds.gate);
        for (int i = 0; i < LOOKS; i++) {
            (void)look(reader, now);
            if (memcmp(first, now, sizeof first) != 0)
                violated("the long reader's snapshot changed");
        }
        pthread_barrier_wait(&rounds.gate);
        pthread_barrier_wait(&rounds.gate);
    }
    if (work_until(bound) > bound)
        violated("memory grew with the long reader");
    (void)look(reader, now);
    if (memcmp(first, now, sizeof first) != 0)
        violated("the long reader's snapshot changed");
    if (ordo_txn_commit(reader))
        violated("the long reader could not end");
}

static void run_phases(unsigned threads)
{
    struct ordo_worker *reader;
    pthread_t workers[THREADS_MAX];
    if (ordo_worker_join(db, &reader))
        exit(70);
    pthread_barrier_init(&rounds.gate, NULL, threads + 1);
    atomic_store(&rounds.over, false);
    for (unsigned i = 0; i < threads; i++)
        pthread_create(&workers[i], NULL, work, (void *)(uintptr_t)i);
    work_once();
    check_at_rest(reader);
    int64_t bound = bound_bytes(threads);
    if (engine->levels & ORDO_TXN_SNAPSHOT)
        hold(reader, bound);
    check_at_rest(reader);
    if (work_until(bound) > bound)
        violated("memory did not come back after the long reader");
    check_at_rest(reader);
    atomic_store(&rounds.over, true);
    pthread_barrier_wait(&rounds.gate);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    pthread_barrier_destroy(&rounds.gate);
    ordo_worker_leave(reader);
}

/* Runs an engine. `ordered` is the order of the table whose records are inserted and removed; `dense`: both tables are
 * dense. */
static int run_engine(unsigned threads, bool ordered, bool dense)
{
    struct ordo_db_options options = {.memory = counted_memory, .boundary_ticks = BOUNDARY, .watch = watch_of(engine)};
    struct ordo_table_spec spec = {.record_bytes = RECORD_BYTES, .rows = ACCOUNTS, .dense = dense};
    int before = atomic_load(&violations);
    skew = is_bounded(engine) ? SKEW : 0;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &accounts))
        exit(70);
    spec.ordered = ordered;
    spec.rows = dense ? VISITORS : ACCOUNTS;
    if (ordo_table_add(db, &spec, &visitors))
        exit(70);
    fill();
    run_phases(threads);
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
    transactions = soak ? 500000 : brief ? 800 : 3000;
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++)
        for (unsigned threads = 2; threads <= THREADS_MAX; threads += 6) {
            engine = *each;
            if (is_left_out(engine) || (engine->stamp && strcmp(engine->stamp, "tsc") == 0))
                continue; /* "tsc" promises nothing on an unknown machine */
            failed |= run_engine(threads, false, false);
            if (engine->scans)
                failed |= run_engine(threads, true, false);
            if (threads == THREADS_MAX)
                failed |= run_engine(threads, engine->scans, true);
        }
    printf("%llu transactions committed, %llu killed, %llu in conflict, %d violations\n",
           (unsigned long long)atomic_load(&committed), (unsigned long long)atomic_load(&killed),
           (unsigned long long)atomic_load(&conflicts), atomic_load(&violations));
    return preempt_result(failed);
}
