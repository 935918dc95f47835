/* A thread that is stopped again and again in the middle of a transaction, as by SIGSTOP; every engine on every stamp.
 *
 * The thread stays in a signal handler until it is released, at the instruction at which the signal arrived: in a read,
 * with claims, in its commit. Meanwhile the other threads proceed on records that it has not claimed, and their retired
 * memory stays within the amount that they wrote. After the release, the transaction commits or aborts as any other,
 * all retired memory is reclaimed, and at rest no lock is held.
 *
 * --brief: fewer stops, for builds that run slowly. --soak [TIMES SECONDS [ENGINE STAMP]]: TIMES stops of SECONDS each
 * (default: 100 of 5 s), for every engine or only for ENGINE on STAMP. It prints the throughput and the memory of the
 * other threads. Throughput is relative to that while the thread rests outside of transactions; a ratio below one half
 * is a violation, because the others then wait for the stopped thread. */
#include <semaphore.h>
#include <unistd.h>

#include "txn.h"

enum {
    OTHERS = 3,
    ITS_RECORDS = 8,
    RECORDS = 64,
    SOAK_RECORDS = 16384,
    RECORD_BYTES = 64,
    ITEM_BYTES = 192,
    COMMITS = 200,
    MOST_BYTES =
        64
        << 20 /* a worker that is slowed down, because nothing is reclaimed, takes several seconds to allocate this */
};

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *table;
static uint64_t records; /* records in the table */
static pthread_t victim;
static sem_t stopped, go_on;
static atomic_bool over, rests;    /* rests: the thread to be stopped stays outside of transactions */
static _Atomic uint64_t committed; /* transactions committed by the other threads */
static _Atomic uint64_t begun;     /* transactions begun by the thread to be stopped */
static _Atomic uint64_t in_transaction, stops;
static __thread volatile sig_atomic_t is_open; /* true if the thread is in a transaction */
static _Atomic int violations;
static int64_t most_grown; /* the largest growth of memory in one stop, in bytes */

static void violated(const char *what)
{
    fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp ? engine->stamp : "-", what);
    atomic_fetch_add(&violations, 1);
}

static void stand_still(int unused)
{
    (void)unused;
    atomic_fetch_add(&stops, 1);
    if (is_open)
        atomic_fetch_add(&in_transaction, 1);
    sem_post(&stopped);
    while (sem_wait(&go_on))
        ;
}

/* Allocates with the signal blocked, because a stopped thread must not hold a lock of the C library's allocator,
 * which the other threads need. */
static void *allocate(void *context, size_t align, size_t bytes)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    void *memory = count_allocate(context, align, bytes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return memory;
}

static void release(void *context, void *memory, size_t bytes)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    count_release(context, memory, bytes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Increments two of the records [first, end). True if the transaction committed. */
static bool transact(struct ordo_worker *worker, uint64_t first, uint64_t end, uint64_t *random)
{
    void *record;
    if (ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        exit(70);
    is_open = 1;
    int code = ORDO_OK;
    for (int i = 0; i < 2 && !code; i++) {
        code = ordo_txn_update(worker, table, first + draw(random) % (end - first), &record);
        if (!code)
            ++*(uint64_t *)record;
    }
    if (code)
        ordo_txn_abort(worker);
    else
        code = ordo_txn_commit(worker);
    is_open = 0;
    return code == ORDO_OK;
}

static void *be_stopped(void *unused)
{
    struct ordo_worker *worker;
    uint64_t random = 7;
    if (ordo_worker_join(db, &worker))
        exit(70);
    while (!atomic_load(&over))
        if (atomic_load(&rests))
            (void)usleep(1000);
        else {
            atomic_fetch_add(&begun, 1);
            (void)transact(worker, 0, ITS_RECORDS, &random);
        }
    ordo_worker_leave(worker);
    return unused;
}

static void *go_about(void *argument)
{
    struct ordo_worker *worker;
    sigset_t set;
    uint64_t random = 1 + (uint64_t)(uintptr_t)argument;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (ordo_worker_join(db, &worker))
        exit(70);
    while (!atomic_load(&over))
        if (transact(worker, ITS_RECORDS, records, &random))
            atomic_fetch_add(&committed, 1);
    ordo_worker_leave(worker);
    return NULL;
}

static void fill(void)
{
    struct ordo_worker *worker;
    void *record;
    if (ordo_worker_join(db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        exit(70);
    for (uint64_t key = 0; key < records; key++) {
        if (ordo_txn_insert(worker, table, key, &record))
            exit(70);
        memset(record, 0, RECORD_BYTES);
    }
    if (ordo_txn_commit(worker))
        exit(70);
    ordo_worker_leave(worker);
}

/* Waits for at least `seconds`, and until the other threads have committed at least `commits` transactions. Returns the
 * number of transactions that they have committed. */
static uint64_t let_them_work(uint64_t commits, unsigned seconds)
{
    uint64_t before = atomic_load(&committed);
    if (seconds)
        (void)sleep(seconds);
    while (atomic_load(&committed) - before < commits)
        (void)usleep(200);
    return atomic_load(&committed) - before;
}

/* Stops the thread once. Returns the number of transactions that the other threads commit during the stop. */
static uint64_t stop_it(unsigned seconds)
{
    int64_t before = atomic_load(&memory_bytes);
    pthread_kill(victim, SIGUSR1);
    while (sem_wait(&stopped))
        ;
    uint64_t done = let_them_work(COMMITS, seconds);
    int64_t grown = atomic_load(&memory_bytes) - before;
    most_grown = grown > most_grown ? grown : most_grown;
    if (grown > MOST_BYTES)
        violated("memory grows with what is written");
    sem_post(&go_on);
    return done;
}

static void check_at_rest(void)
{
    struct ordo_error error;
    struct ordo_worker *workers[OTHERS + 1];
    if (ordo_db_audit(db, &error))
        violated(error.text);
    /* A worker that joins reclaims the items that the last worker left behind. */
    for (int i = 0; i <= OTHERS; i++)
        if (ordo_worker_join(db, &workers[i]))
            exit(70);
    for (int times = 0; times < 4000; times++)
        for (int i = 0; i <= OTHERS; i++)
            if (ordo_txn_begin(workers[i], ORDO_TXN_SERIALIZABLE) || ordo_txn_commit(workers[i]))
                exit(70);
    for (int i = 0; i <= OTHERS; i++)
        ordo_worker_leave(workers[i]);
    enum { POOLS = 512 * ITEM_BYTES, RING = 4096 * 40, LISTS = 32768, LEFT = 65536 };
    if (atomic_load(&memory_bytes) > (int64_t)((OTHERS + 1) * (POOLS + RING + LISTS) + LEFT + records * 2 * ITEM_BYTES))
        violated("what was retired does not come back");
}

static void run(unsigned times, unsigned seconds)
{
    records = seconds ? SOAK_RECORDS : RECORDS; /* so large that the other threads rarely conflict */
    struct ordo_db_options options = {.memory = {allocate, release, NULL},
                                      .boundary_ticks = seconds && !watch_of(engine) ? SLACK : BOUNDARY,
                                      .watch = watch_of(engine),
                                      .workers = OTHERS + 1};
    struct ordo_table_spec spec = {.record_bytes = RECORD_BYTES, .rows = records};
    pthread_t others[OTHERS];
    uint64_t free_done = 0, stopped_done = 0;
    most_grown = 0;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &table))
        exit(70);
    fill();
    atomic_store(&over, false);
    pthread_create(&victim, NULL, be_stopped, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], NULL, go_about, (void *)(uintptr_t)i);
    for (unsigned i = 0; i < times && !atomic_load(&violations); i++) {
        atomic_store(&rests, seconds != 0);
        free_done += let_them_work(seconds ? 0 : COMMITS / 4, seconds);
        atomic_store(&rests, false);
        for (uint64_t before = atomic_load(&begun); seconds && atomic_load(&begun) < before + 100;)
            (void)usleep(200);
        stopped_done += stop_it(seconds);
    }
    atomic_store(&over, true);
    pthread_join(victim, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], NULL);
    check_at_rest();
    ordo_db_close(db);
    if (atomic_load(&memory_blocks) || atomic_load(&memory_bytes))
        violated("memory was not given back, or not with its size");
    if (seconds) {
        printf("%s/%s: the others do %.2f of what they do beside one at rest, %llu commits, and take %lld more bytes "
               "at most\n",
               engine->name, engine->stamp ? engine->stamp : "-", (double)stopped_done / (double)free_done,
               (unsigned long long)stopped_done, (long long)most_grown);
        (void)fflush(stdout);
        if ((double)stopped_done < 0.5 * (double)free_done)
            violated("the others wait for the one that is stopped");
    }
}

static bool is_wanted(int argc, char **argv)
{
    const char *stamp = engine->stamp ? engine->stamp : "-";
    if (strcmp(stamp, "tsc") == 0) /* "tsc" promises nothing */
        return false;
    return argc < 6 || (strcmp(argv[4], engine->name) == 0 && strcmp(argv[5], stamp) == 0);
}

int main(int argc, char **argv)
{
    bool soak = argc > 1 && strcmp(argv[1], "--soak") == 0, brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    unsigned times = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : brief ? 10 : 100;
    unsigned seconds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : soak ? 5 : 0;
    struct sigaction action = {.sa_handler = stand_still, .sa_flags = SA_RESTART};
    sem_init(&stopped, 0, 0);
    sem_init(&go_on, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
        engine = *each;
        if (is_wanted(argc, argv))
            run(times, seconds);
    }
    printf("stopped %llu times, %llu of them in a transaction\n", (unsigned long long)atomic_load(&stops),
           (unsigned long long)atomic_load(&in_transaction));
    if (atomic_load(&violations))
        return 1;
    return atomic_load(&in_transaction) ? 0 : 77;
}
