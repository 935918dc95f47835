/* Transactions that are killed at any point, in threads that join, leave and die.
 *
 * A transaction may end after any of its operations, for one of three reasons: a random draw; a signal that interrupted
 * its thread at any instruction, which the thread notices before its next operation; or the end of the thread itself,
 * after which the joining thread aborts the transaction and leaves in place of the dead thread. Other threads join and
 * leave all the time. Before these runs, one thread alone kills its transactions after each possible number of
 * operations.
 *
 * The test expects:
 * - at rest no lock is held, and every version is reachable or waits to be reclaimed (the audit)
 * - the sum of the accounts is constant
 * - both records of a pair exist, or neither
 * - every record is whole
 * - in the end every block of memory was released, with its size
 *
 * --brief: fewer threads, for builds that run slowly. --soak: for a minute. */
#include "txn.h"

enum { ACCOUNTS = 24, PAIRS = 12, INITIAL = 1000, THREADS = 8, OPERATIONS_MAX = 64 };
enum { KILLED = 50 }; /* a code that no engine returns */
enum operation { READ, UPDATE, INSERT, REMOVE };

struct record {
    int64_t value; /* the balance of an account; equal in both records of a pair */
    char rest[40];
    int64_t check; /* ~value */
};

/* The life of a thread; `worker` may outlive it. */
struct life {
    pthread_t thread;
    struct ordo_worker *worker; /* NULL after the worker has left */
    uint64_t random;
    unsigned left;       /* number of operations before the transaction is killed */
    unsigned one_in;     /* the transaction is killed before an operation with a chance of 1 in one_in; 0: never */
    bool torn;           /* the transaction saw an inconsistent state */
    struct record found; /* the record read last */
};

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *accounts, *pairs;
static bool ordered; /* the order of the table of pairs */
static uint64_t skew;
static _Atomic uint64_t violations, committed, killed, hit, died;

static void violated(const char *what)
{
    if (atomic_fetch_add(&violations, 1) < 20)
        fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp ? engine->stamp : "-", what);
}

static void set(struct record *record, int64_t value)
{
    memset(record, 0, sizeof *record);
    record->value = value;
    record->check = ~value;
}

static bool is_killed(struct life *life)
{
    bool signal = preempt_hit;
    preempt_hit = 0;
    if (life->one_in)
        atomic_fetch_add(&hit, signal);
    return life->left-- == 0 || (life->one_in && (signal || draw(&life->random) % life->one_in == 0));
}

/* Runs one operation, unless the transaction is killed before it. */
static int act(struct life *life, enum operation operation, struct ordo_table *table, uint64_t key,
               struct record **record)
{
    void *room = NULL;
    int code = KILLED;
    if (is_killed(life))
        return code;
    switch (operation) {
    case READ:
        code = ordo_txn_read(life->worker, table, key, &life->found);
        room = &life->found;
        break;
    case UPDATE:
        code = ordo_txn_update(life->worker, table, key, &room);
        break;
    case INSERT:
        code = ordo_txn_insert(life->worker, table, key, &room);
        break;
    case REMOVE:
        return ordo_txn_remove(life->worker, table, key);
    }
    if (code < 0)
        violated("a call failed");
    if (record)
        *record = room;
    if (code == ORDO_OK && operation != INSERT)
        life->torn |= ((struct record *)room)->check != ~((struct record *)room)->value;
    return code;
}

/* Runs a chain of transfers that leaves the sum unchanged. */
static int transfer(struct life *life)
{
    uint64_t at = draw(&life->random) % ACCOUNTS;
    struct record *from, *to;
    int code = act(life, UPDATE, accounts, at, &from);
    for (uint64_t steps = 1 + draw(&life->random) % 4; code == ORDO_OK && steps > 0; steps--) {
        int64_t amount = (int64_t)(draw(&life->random) % 10);
        at = (at + 1 + draw(&life->random) % (ACCOUNTS - 1)) % ACCOUNTS;
        code = act(life, UPDATE, accounts, at, &to);
        if (code)
            break;
        set(from, from->value - amount);
        redraw_skew(&life->random, skew);
        set(to, to->value + amount);
        from = to;
    }
    return code;
}

/* Returns the number of records of a pair that exist, or the negated code of a failed read. */
static int look(struct life *life, uint64_t pair)
{
    int64_t values[2];
    int present = 0;
    for (uint64_t i = 0; i < 2; i++) {
        int code = act(life, READ, pairs, 2 * pair + i, NULL);
        if (code && code != ORDO_TXN_ABSENT)
            return -code;
        values[present] = life->found.value;
        present += code == ORDO_OK;
    }
    life->torn |= present == 1 || (present == 2 && values[0] != values[1]);
    return present;
}

/* Inserts, changes or removes a pair. */
static int write_pair(struct life *life)
{
    uint64_t pair = draw(&life->random) % PAIRS, turned = draw(&life->random) & 1;
    int64_t value = (int64_t)draw(&life->random);
    int present = look(life, pair), code = ORDO_OK;
    enum operation operation = present == 0 ? INSERT : draw(&life->random) % 2 ? UPDATE : REMOVE;
    if (present < 0 || present == 1)
        return present < 0 ? -present : ORDO_OK;
    redraw_skew(&life->random, skew);
    for (uint64_t i = 0; i < 2 && code == ORDO_OK; i++) {
        struct record *record;
        code = act(life, operation, pairs, 2 * pair + (i ^ turned), &record);
        if (code == ORDO_OK && operation != REMOVE)
            set(record, value);
    }
    return code;
}

static int count_pairs(void *context, uint64_t key, const void *record)
{
    (void)key;
    (void)record;
    ++*(unsigned *)context;
    return 0;
}

static int read_all(struct life *life)
{
    int64_t sum = 0;
    unsigned count = 0;
    int code;
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        if ((code = act(life, READ, accounts, key, NULL)))
            return code;
        sum += life->found.value;
    }
    life->torn |= sum != (int64_t)ACCOUNTS * INITIAL;
    for (uint64_t pair = 0; pair < PAIRS; pair++)
        if ((code = look(life, pair)) < 0)
            return -code;
    if (ordered && (code = ordo_txn_scan(life->worker, pairs, 0, UINT64_MAX, count_pairs, &count)))
        return code;
    life->torn |= count % 2 == 1;
    return ORDO_OK;
}

/* Runs one transaction until it ends or is killed. Returns false if the thread dies with it. */
static bool one_transaction(struct life *life)
{
    uint64_t kind = draw(&life->random) % 8;
    enum ordo_txn_level level = kind == 0                                        ? ORDO_TXN_READ_ONLY
                                : engine->levels & ORDO_TXN_SNAPSHOT && kind % 2 ? ORDO_TXN_SNAPSHOT
                                                                                 : ORDO_TXN_SERIALIZABLE;
    redraw_skew(&life->random, skew);
    if (ordo_txn_begin(life->worker, level))
        violated("a transaction could not begin");
    life->torn = false;
    int code = kind == 0 ? read_all(life) : kind < 5 ? transfer(life) : write_pair(life);
    if (code == ORDO_OK && is_killed(life))
        code = KILLED;
    atomic_fetch_add(&killed, code == KILLED);
    if (code == KILLED && life->one_in && draw(&life->random) % 16 == 0)
        return false;
    redraw_skew(&life->random, skew);
    if (code) {
        ordo_txn_abort(life->worker);
    } else if (ordo_txn_commit(life->worker) == ORDO_OK) {
        atomic_fetch_add(&committed, 1);
        if (life->torn)
            violated("a transaction committed that saw the half of another");
    }
    return true;
}

static void *live(void *argument)
{
    struct life *life = argument;
    unsigned transactions = 20 + draw(&life->random) % 200;
    while (transactions-- > 0)
        if (!one_transaction(life)) {
            atomic_fetch_add(&died, 1);
            return NULL;
        }
    skewed_clock_range = skewed_clock_ticks = 0;
    ordo_worker_leave(life->worker);
    life->worker = NULL;
    return NULL;
}

static void start(struct life *life, uint64_t seed)
{
    *life = (struct life){.random = 0x9e3779b97f4a7c15u * (seed + 1), .left = UINT32_MAX, .one_in = 24};
    if (ordo_worker_join(db, &life->worker) || pthread_create(&life->thread, NULL, live, life))
        exit(70);
}

static void bury(struct life *life)
{
    pthread_join(life->thread, NULL);
    if (!life->worker)
        return;
    ordo_txn_abort(life->worker);
    ordo_worker_leave(life->worker);
}

/* Checks the state at rest. A conflict can then only come from an uncertain order of times, so the check repeats until
 * it passes. */
static void check_at_rest(void)
{
    struct life life = {.random = 1, .left = UINT32_MAX};
    struct ordo_error error;
    int code;
    if (ordo_db_audit(db, &error))
        violated(error.text);
    if (ordo_worker_join(db, &life.worker))
        exit(70);
    do {
        life.torn = false;
        if (ordo_txn_begin(life.worker, ORDO_TXN_SERIALIZABLE))
            exit(70);
        code = read_all(&life);
        if (code)
            ordo_txn_abort(life.worker);
        else
            code = ordo_txn_commit(life.worker);
    } while (code == ORDO_TXN_CONFLICT);
    if (code || life.torn)
        violated("at rest: an account, a pair or the sum is not what it was");
    ordo_worker_leave(life.worker);
}

/* Kills transactions after 1, 2, ... operations, in a single thread. Returns false if a lock may remain. */
static bool kill_alone(uint64_t seed)
{
    struct life life = {.random = 0x9e3779b97f4a7c15u * (seed + 1)};
    struct ordo_error error;
    int code = ORDO_OK;
    if (ordo_worker_join(db, &life.worker))
        exit(70);
    for (unsigned operations = 0; operations < OPERATIONS_MAX && !code; operations++) {
        life.left = operations;
        (void)one_transaction(&life);
        code = ordo_db_audit(db, &error);
    }
    skewed_clock_range = skewed_clock_ticks = 0;
    ordo_worker_leave(life.worker);
    if (code)
        violated(error.text);
    else
        check_at_rest();
    return code == ORDO_OK;
}

static void fill(void)
{
    struct ordo_worker *worker;
    void *record;
    if (ordo_worker_join(db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        exit(70);
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        if (ordo_txn_insert(worker, accounts, key, &record))
            exit(70);
        set(record, INITIAL);
    }
    if (ordo_txn_commit(worker))
        exit(70);
    ordo_worker_leave(worker);
}

static void kill_many(unsigned lives, uint64_t seed)
{
    struct life slots[THREADS];
    for (unsigned i = 0; i < lives; i++) {
        if (i >= THREADS)
            bury(&slots[i % THREADS]);
        start(&slots[i % THREADS], seed * 1000003 + i);
    }
    for (unsigned i = 0; i < THREADS; i++)
        bury(&slots[i]);
    check_at_rest();
}

static void run(unsigned lives, uint64_t seed)
{
    struct ordo_db_options options = {.memory = counted_memory,
                                      .boundary_ticks = BOUNDARY,
                                      .watch = watch_of(engine),
                                      .uncertain = (enum ordo_txn_uncertain)(seed % 2)};
    struct ordo_table_spec spec = {.record_bytes = sizeof(struct record), .rows = ACCOUNTS};
    skew = is_bounded(engine) ? SKEW : 0;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &accounts))
        exit(70);
    spec.ordered = ordered;
    if (ordo_table_add(db, &spec, &pairs))
        exit(70);
    fill();
    if (kill_alone(seed)) /* other threads would wait for a remaining lock */
        kill_many(lives, seed);
    ordo_db_close(db);
    if (atomic_load(&memory_blocks) || atomic_load(&memory_bytes))
        violated("memory was not given back, or not with its size");
}

int main(int argc, char **argv)
{
    bool soak = argc > 1 && strcmp(argv[1], "--soak") == 0, brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    time_t start_s = time(NULL);
    uint64_t seed = 0;
    preempt_often();
    do {
        for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
            engine = *each;
            if (is_left_out(engine) || (engine->stamp && strcmp(engine->stamp, "tsc") == 0))
                continue; /* "tsc" promises nothing */
            for (int with_order = 0; with_order <= engine->scans; with_order++) {
                ordered = with_order;
                run(soak ? 200 : brief ? 24 : 120, seed);
            }
        }
    } while (!atomic_load(&violations) && (++seed < 2 || (soak && time(NULL) - start_s < 60)));
    printf("%llu transactions committed, %llu killed, %llu of them by a signal, %llu with their thread\n",
           (unsigned long long)atomic_load(&committed), (unsigned long long)atomic_load(&killed),
           (unsigned long long)atomic_load(&hit), (unsigned long long)atomic_load(&died));
    return preempt_result(atomic_load(&violations) != 0);
}
