/* Histories of every engine on every stamp at every level, with preempted threads and skewed clocks.
 *
 * If the skew is at most the boundary, the checker finds no anomaly, the sum of the accounts is constant, every reader
 * saw that sum, and the audit finds no lock. In one setting the skew is exactly the boundary, and all threads read one
 * clock; in the other settings the skew is smaller by SLACK, because the machine's own clocks may disagree too. With a
 * skew of a hundred boundaries, and with times taken as if all clocks agreed, the checker must find anomalies, which
 * shows that it can.
 *
 * --brief: fewer transactions, for builds that run slowly. --soak: until ten million transactions are checked. Followed
 * by the name of an engine: only this engine. */
#include <sched.h>

#include "txn.h"

enum { SMALL_BYTES = 24, ACCOUNTS = 24, SLOTS = 32, INITIAL = 1000, THREADS_MAX = 8 };
enum {
    TOO_SMALL = SKEW / 100,
    ROUNDS_MAX = 4000
}; /* the boundary, and the number of rounds, if anomalies are expected */

#if defined __SANITIZE_THREAD__
enum { LOOKS_FOR_RACES = 1 };
#else
enum { LOOKS_FOR_RACES = 0 };
#endif

struct account {
    int64_t balance;
    char rest[56];
};

struct plan {
    const struct ordo_db_engine *engine;
    enum ordo_txn_level level;
    enum ordo_txn_uncertain uncertain;
    int external;
    unsigned threads;
    size_t account_bytes; /* bytes of struct account in a record; hekaton keeps SMALL_BYTES in the anchor too */
    bool dense;           /* both tables are dense */
    bool ordered;         /* the order of the table with insertions and removals */
    uint64_t skew, boundary;
    bool agree;                    /* all threads read one clock, plus their skew */
    unsigned rounds, transactions; /* per thread and round */
    bool expect_anomaly;           /* an anomaly is expected; the first one ends the run */
};

struct run {
    const struct plan *plan;
    struct ordo_db *db;
    struct ordo_table *accounts, *slots;
    struct ordo_history *histories[THREADS_MAX];
    struct rounds rounds;
    _Atomic unsigned next;
    _Atomic uint64_t violations;
};

struct thread {
    struct run *run;
    struct ordo_worker *worker;
    uint64_t random;
};

/* Released memory, kept until all threads have ended, because with a too small boundary it may still be in use. */
struct kept {
    struct kept *next;
    void *memory;
};

static struct kept *_Atomic kept;

static void keep(void *context, void *memory, size_t bytes)
{
    struct kept *more = malloc(sizeof *more);
    (void)context;
    if (!more)
        exit(70);
    atomic_fetch_sub(&memory_bytes, (int64_t)bytes);
    atomic_fetch_sub(&memory_blocks, 1);
    more->memory = memory;
    more->next = atomic_load(&kept);
    while (!atomic_compare_exchange_weak(&kept, &more->next, more))
        ;
}

static void release_kept(void)
{
    for (struct kept *next, *more = atomic_exchange(&kept, NULL); more; more = next) {
        next = more->next;
        free(more->memory);
        free(more);
    }
}

static int fail(const struct plan *plan, const char *what)
{
    fprintf(stderr, "violated: %s/%s level %d %s, %u threads, skew %llu, boundary %llu: %s\n", plan->engine->name,
            plan->engine->stamp ? plan->engine->stamp : "-", plan->level,
            plan->uncertain == ORDO_UNCERTAIN_WAIT ? "wait" : "abort", plan->threads, (unsigned long long)plan->skew,
            (unsigned long long)plan->boundary, what);
    return 1;
}

/* Redraws the skew in the middle of a transaction, and lets other threads run in between: once in 8 calls, or once
 * in 2 calls if an anomaly is expected. */
static void be_interrupted(struct thread *thread)
{
    const struct plan *plan = thread->run->plan;
    redraw_skew(&thread->random, plan->skew);
    if (draw(&thread->random) % (plan->expect_anomaly ? 2 : 8) == 0)
        (void)sched_yield();
}

/* Reads an account, and then moves an amount between two accounts. */
static int transfer(struct thread *thread)
{
    struct run *run = thread->run;
    struct account seen, *from, *to;
    uint64_t a = draw(&thread->random) % ACCOUNTS, b = (a + 1 + draw(&thread->random) % (ACCOUNTS - 1)) % ACCOUNTS;
    void *record;
    int64_t amount = (int64_t)(draw(&thread->random) % 50);
    int code = ordo_txn_read(thread->worker, run->accounts, draw(&thread->random) % ACCOUNTS, &seen);
    if (code || (code = ordo_txn_update(thread->worker, run->accounts, a, &record)))
        return code;
    from = record;
    be_interrupted(thread);
    if ((code = ordo_txn_update(thread->worker, run->accounts, b, &record)))
        return code;
    to = record;
    from->balance -= amount;
    to->balance += amount;
    return ORDO_OK;
}

/* Reads some accounts, and rewrites an account unchanged: this provokes write skew. */
static int look_and_touch(struct thread *thread)
{
    struct run *run = thread->run;
    struct account seen;
    void *record;
    for (int i = 0; i < 3; i++) {
        int code = ordo_txn_read(thread->worker, run->accounts, draw(&thread->random) % ACCOUNTS, &seen);
        if (code)
            return code;
        be_interrupted(thread);
    }
    return ordo_txn_update(thread->worker, run->accounts, draw(&thread->random) % ACCOUNTS, &record);
}

/* Adds up all accounts. In engines with snapshots the reads are consistent while the transaction runs. */
static int sum_up(struct thread *thread, int64_t *sum)
{
    struct run *run = thread->run;
    struct account seen;
    *sum = 0;
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        int code = ordo_txn_read(thread->worker, run->accounts, key, &seen);
        if (code)
            return code;
        *sum += seen.balance;
        if (key == ACCOUNTS / 2)
            be_interrupted(thread);
    }
    return ORDO_OK;
}

static int count_slot(void *context, uint64_t key, const void *record)
{
    (void)key;
    (void)record;
    ++*(int *)context;
    return 0;
}

static int look_at_slots(struct thread *thread)
{
    struct run *run = thread->run;
    uint64_t first = draw(&thread->random) % SLOTS;
    struct account slot;
    int count = 0, code;
    if (run->plan->ordered && draw(&thread->random) % 2)
        code = ordo_txn_scan(thread->worker, run->slots, first, first + SLOTS / 4, count_slot, &count);
    else
        code = ordo_txn_read(thread->worker, run->slots, first, &slot);
    return code == ORDO_TXN_ABSENT ? ORDO_OK : code;
}

static int change_slot(struct thread *thread)
{
    uint64_t key = draw(&thread->random) % SLOTS;
    void *record;
    int code = ordo_txn_insert(thread->worker, thread->run->slots, key, &record);
    if (code == ORDO_OK)
        memset(record, 0, sizeof(struct account));
    if (code == ORDO_TXN_EXISTS)
        code = ordo_txn_remove(thread->worker, thread->run->slots, key);
    return code;
}

/* Changes a slot, and reads slots before or after it. */
static int use_slots(struct thread *thread)
{
    bool late = draw(&thread->random) % 2;
    int code = late ? change_slot(thread) : look_at_slots(thread);
    if (code)
        return code;
    be_interrupted(thread);
    return late ? look_at_slots(thread) : change_slot(thread);
}

static void one_transaction(struct thread *thread)
{
    const struct plan *plan = thread->run->plan;
    uint64_t kind = draw(&thread->random) % 8;
    int64_t sum = 0;
    int reads = kind == 0, code, quits = draw(&thread->random) % 10 == 0;
    redraw_skew(&thread->random, plan->skew);
    code = ordo_txn_begin(thread->worker, reads && draw(&thread->random) % 2 && plan->level == ORDO_TXN_SERIALIZABLE
                                              ? ORDO_TXN_READ_ONLY
                                              : plan->level);
    if (code) {
        atomic_fetch_add(&thread->run->violations, 1);
        return;
    }
    code = reads      ? sum_up(thread, &sum)
           : kind < 4 ? transfer(thread)
           : kind < 6 ? look_and_touch(thread)
                      : use_slots(thread);
    redraw_skew(&thread->random, plan->skew);
    if (code || quits)
        ordo_txn_abort(thread->worker);
    else if (ordo_txn_commit(thread->worker) == ORDO_OK && reads && sum != (int64_t)ACCOUNTS * INITIAL)
        atomic_fetch_add(&thread->run->violations, 1);
    if (code < 0)
        atomic_fetch_add(&thread->run->violations, 1);
}

static void *work(void *argument)
{
    struct run *run = argument;
    struct thread thread = {.run = run};
    unsigned index = atomic_fetch_add(&run->next, 1);
    thread.random = 0x9e3779b97f4a7c15u * (index + 1) + run->plan->skew + (uint64_t)run->plan->level;
    if (ordo_worker_join(run->db, &thread.worker) ||
        ordo_history_create(&run->histories[index], thread.worker, &counted_memory))
        exit(70);
    for (;;) {
        pthread_barrier_wait(&run->rounds.gate);
        if (atomic_load(&run->rounds.over))
            break;
        for (unsigned i = 0; i < run->plan->transactions; i++)
            one_transaction(&thread);
        pthread_barrier_wait(&run->rounds.gate);
    }
    skewed_clock_range = skewed_clock_ticks = 0;
    ordo_worker_leave(thread.worker);
    return NULL;
}

static int fill(struct run *run)
{
    struct ordo_worker *worker;
    void *record;
    if (ordo_worker_join(run->db, &worker) || ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE))
        return -1;
    for (uint64_t key = 0; key < ACCOUNTS; key++) {
        if (ordo_txn_insert(worker, run->accounts, key, &record))
            return -1;
        memset(record, 0, run->plan->account_bytes);
        ((struct account *)record)->balance = INITIAL;
    }
    int code = ordo_txn_commit(worker);
    ordo_worker_leave(worker);
    return code;
}

static int open_run(struct run *run)
{
    const struct plan *plan = run->plan;
    struct ordo_db_options options = {.memory = counted_memory,
                                      .boundary_ticks = plan->boundary,
                                      .watch = watch_of(plan->engine),
                                      .uncertain = plan->uncertain,
                                      .external_consistency = plan->external,
                                      .history = true};
    if (plan->expect_anomaly)
        options.memory.release = keep;
    struct ordo_table_spec spec = {.record_bytes = plan->account_bytes, .rows = ACCOUNTS, .dense = plan->dense};
    if (ordo_db_open(&run->db, plan->engine, &options) || ordo_table_add(run->db, &spec, &run->accounts))
        return -1;
    spec.record_bytes = sizeof(struct account);
    spec.ordered = plan->ordered;
    spec.rows = plan->dense ? SLOTS : ACCOUNTS;
    return ordo_table_add(run->db, &spec, &run->slots) || fill(run);
}

/* Ends and checks a window of the history while the threads rest. Before that, it pauses until the clocks of all cores
 * have passed the times of all commits. */
static int end_round(struct run *run, struct ordo_history_checker *checker)
{
    const struct plan *plan = run->plan;
    struct timespec pause = {0, 200000};
    struct ordo_error error;
    (void)nanosleep(&pause, NULL);
    if (ordo_db_audit(run->db, &error))
        return fail(plan, error.text);
    if (ordo_history_cut(run->histories, plan->threads, ordo_history_check, checker))
        return fail(plan, "the history is not well-formed");
    return 0;
}

static bool is(const char *name, const char *other)
{
    return name && strcmp(name, other) == 0;
}

static int judge(struct run *run, struct ordo_history_checker *checker, uint64_t *checked)
{
    const struct plan *plan = run->plan;
    struct ordo_history_report report;
    if (ordo_history_finish(checker, &report))
        return fail(plan, "the history does not end");
    *checked += report.committed;
    if (plan->expect_anomaly) {
        printf("%s/%s, %u threads, skew %llu, boundary %llu: %s after %llu transactions\n", plan->engine->name,
               plan->engine->stamp, plan->threads, (unsigned long long)plan->skew, (unsigned long long)plan->boundary,
               ordo_history_anomaly_name(report.first_anomaly), (unsigned long long)report.committed);
        return report.anomalies ? 0 : fail(plan, "clocks were out of bounds and the checker saw nothing");
    }
    if (report.anomalies) {
        fprintf(stderr, "%s\n", report.first_text);
        return fail(plan, ordo_history_anomaly_name(report.first_anomaly));
    }
    if (atomic_load(&run->violations))
        return fail(plan, "a reader saw another sum, or a call failed");
    return report.committed > 0 ? 0 : fail(plan, "nothing was committed");
}

static int run_plan(const struct plan *plan, uint64_t *checked)
{
    struct run run = {.plan = plan};
    struct ordo_history_checker *checker = ordo_history_checker_create();
    struct ordo_history_report report;
    pthread_t threads[THREADS_MAX];
    bool strict = plan->engine->strict || plan->external;
    int failed = 0;
    skewed_clock_agree = plan->agree;
    if (!checker || open_run(&run) || ordo_history_head(plan->level, strict, ordo_history_check, checker))
        exit(70);
    pthread_barrier_init(&run.rounds.gate, NULL, plan->threads + 1);
    for (unsigned i = 0; i < plan->threads; i++)
        pthread_create(&threads[i], NULL, work, &run);
    for (unsigned round = 0; round < plan->rounds && !failed; round++) {
        pthread_barrier_wait(&run.rounds.gate);
        pthread_barrier_wait(&run.rounds.gate);
        failed = end_round(&run, checker);
        (void)ordo_history_finish(checker, &report);
        if (report.anomalies)
            break;
    }
    atomic_store(&run.rounds.over, true);
    pthread_barrier_wait(&run.rounds.gate);
    for (unsigned i = 0; i < plan->threads; i++)
        pthread_join(threads[i], NULL);
    failed |= judge(&run, checker, checked);
    for (unsigned i = 0; i < plan->threads; i++)
        ordo_history_destroy(run.histories[i]);
    ordo_history_checker_destroy(checker);
    ordo_db_close(run.db);
    release_kept();
    pthread_barrier_destroy(&run.rounds.gate);
    if (atomic_load(&memory_blocks) || atomic_load(&memory_bytes))
        failed |= fail(plan, "memory was not given back, or not with its size");
    return failed;
}

/* Runs an engine at every level and skew, with every way to resolve uncertainty. */
static int run_good(const struct ordo_db_engine *engine, unsigned rounds, unsigned transactions, uint64_t *checked)
{
    static const struct {
        uint64_t skew, boundary;
        bool agree;
    } clocks[] = {{SKEW, SKEW, true}, {SKEW, BOUNDARY, false}, {SKEW * 9 / 10, BOUNDARY, false}, {0, BOUNDARY, false}};
    struct plan plan = {.engine = engine, .rounds = rounds, .transactions = transactions};
    bool bounded = is_bounded(engine) && !getenv("ANY_KIND"); /* the kernel's clock is not skewed */
    int failed = 0;
    for (plan.level = ORDO_TXN_SERIALIZABLE; plan.level <= ORDO_TXN_SNAPSHOT; plan.level++)
        for (unsigned clock = bounded ? 0 : 3; clock < 4; clock++)
            for (int way = 0; way < (engine->stamp ? 4 : 1); way++)
                for (plan.threads = 2; plan.threads <= 8 && (engine->levels & plan.level); plan.threads += 6) {
                    plan.account_bytes = (plan.threads == 2) == (clock % 2) ? SMALL_BYTES : sizeof(struct account);
                    plan.ordered = engine->scans && plan.account_bytes == SMALL_BYTES;
                    plan.dense = (way + (int)clock + (plan.threads == 2)) % 2; /* each way and each clock, with both */
                    plan.skew = clocks[clock].skew;
                    plan.boundary = clocks[clock].boundary;
                    plan.agree = clocks[clock].agree;
                    plan.uncertain = (enum ordo_txn_uncertain)(way & 1);
                    plan.external = way >> 1;
                    failed |= run_plan(&plan, checked);
                }
    return failed;
}

/* Runs an engine whose boundary is too small or absent, and expects anomalies: a reader whose clock is ahead takes a
 * commit after its begin for an earlier one, in OCC as well. Not under ThreadSanitizer, because an engine then
 * overwrites versions that another thread reads, which is a data race. */
static int run_bad(const struct ordo_db_engine *engine, uint64_t *checked)
{
    struct plan plan = {.engine = engine,
                        .level = ORDO_TXN_SERIALIZABLE,
                        .threads = 8,
                        .account_bytes = sizeof(struct account),
                        .skew = SKEW,
                        .boundary = is_bounded(engine) ? TOO_SMALL : 0,
                        .agree = true,
                        .rounds = ROUNDS_MAX,
                        .transactions = 50,
                        .expect_anomaly = true};
    return run_plan(&plan, checked);
}

static int run_engine(const struct ordo_db_engine *engine, unsigned rounds, unsigned transactions, uint64_t *checked)
{
    bool right = !is(engine->stamp, "tsc");
    uint64_t before = *checked;
    int failed = right ? run_good(engine, rounds, transactions, checked) : 0;
    if (right)
        printf("%s/%s: %llu transactions\n", engine->name, engine->stamp ? engine->stamp : "-",
               (unsigned long long)(*checked - before));
    if (!LOOKS_FOR_RACES && !getenv("ANY_KIND") && (!right || is_bounded(engine)))
        failed |= run_bad(engine, &before);
    (void)fflush(stdout);
    return failed;
}

int main(int argc, char **argv)
{
    bool soak = argc > 1 && strcmp(argv[1], "--soak") == 0, brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    const char *only = argc > 2 ? argv[2] : NULL;
    unsigned rounds = soak ? 22 : 2, transactions = soak ? 1000 : brief ? 30 : 150;
    uint64_t checked = 0;
    int failed = 0;
    preempt_often();
    do
        for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
            if (!is_left_out(*engine) && (!only || is((*engine)->name, only)))
                failed |= run_engine(*engine, rounds, transactions, &checked);
    while (soak && !failed && checked < 10000000);
    printf("%llu committed transactions checked\n", (unsigned long long)checked);
    return preempt_result(failed);
}
