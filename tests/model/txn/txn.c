/* txn [RUNS [SEED]]: runs hekaton on a simulated machine, one random schedule after another. Exit 0: the promises held;
 * 1: one was violated.
 *
 * The engine is compiled with a step before each of its atomic accesses and clock reads. At a step true time passes,
 * and other threads may make any number of steps. Threads are coroutines. The clock of a CPU is ahead of true time by 0
 * to the boundary, both included, and a thread may move to another CPU at any step. Memory is sequentially consistent,
 * so the model finds wrong orders of steps, but no missing orders of accesses.
 *
 * Transactions read and update a few records. In every second schedule the anchors contain copies of the records; in
 * the others, only their times. In two of four schedules the table is dense. Transactions that see by times (READ_ONLY and SNAPSHOT) come and go, so that writers
 * wait in some parts of a schedule and not in others. Each record contains the number of its version and the
 * transaction that wrote it. Checked in the end: the graph of conflicts of the committed transactions has no cycle, so
 * there is an order in which each transaction sees the last write before it. A transaction of level SNAPSHOT has two
 * places in this order: one for its reads, and a later one for its writes. A record that a transaction sees by time
 * does not change while the transaction may read it. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/coroutine.h"

static void model_step(void);

#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
/* The value is computed before the step, because the step may come between the access and a load on which the value
 * depends. */
#define MODEL_VALUE(access, p, v, o)                                                                                   \
    __extension__({                                                                                                    \
        __typeof__(v) model_value = (v);                                                                               \
        model_step();                                                                                                  \
        access(p, model_value, o);                                                                                     \
    })
#define __atomic_store_n(p, v, o) MODEL_VALUE(__atomic_store_n, p, v, o)
#define __atomic_exchange_n(p, v, o) MODEL_VALUE(__atomic_exchange_n, p, v, o)
#define __atomic_fetch_add(p, v, o) MODEL_VALUE(__atomic_fetch_add, p, v, o)
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define sched_yield() (model_step(), 0)
#define syscall(...) (model_step(), 0) /* membarrier */
#define HK_ERA 2
#define HK_UNNAMED_FROM 0
#define HK_DEAR 4
#define HK_LASTS 8
#define HK_PRUNE_FROM 0
#define HK_PRUNE_EVERY 1
/* Number of bytes that are not overwritten in released memory: those after the header of an item, or the `head` of an
 * anchor in its bucket. A thread that reads them does not crash. */
#define CC_KEPT(bytes) ((bytes) < 64 ? 8 : 32)
#define CC_POISON(memory, bytes) memset((char *)(memory) + CC_KEPT(bytes), 0x11, (bytes)-CC_KEPT(bytes))
#define CC_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))
#define CC_COPY_BY_WORDS
#include "cc/txn/hekaton/engine.h"

enum {
    THREADS = 4,
    TRANSACTIONS = 12, /* transactions of a thread */
    ALL = THREADS * TRANSACTIONS + 1,
    RECORDS = 3,
    VERSIONS = ALL + 1,
    BOUNDARY = 250,
    STACK_BYTES = 131072,
    RECORD_BYTES = 64,
    SMALL_BYTES = 16,
    PATIENCE = 4000000 /* steps after which a schedule counts as stuck */
};

static const struct ordo_db_engine engine = HK_ENGINE;
const struct ordo_db_engine *const ordo_db_engines[] = {&engine, NULL};

static struct {
    uint64_t random, true_time, patience;
    uint64_t skew[THREADS];
    uint64_t asleep[THREADS]; /* the thread is preempted until this true time */
    int running;              /* -1: no thread */
    bool done[THREADS];
    struct ordo_coroutine scheduler, threads[THREADS];
} machine;

static char stacks[THREADS][STACK_BYTES];
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *workers[THREADS];
static const char *violated;
static size_t record_bytes; /* size of a record in this schedule */
static int alone;           /* the only thread that sees by times in this schedule; negative: any thread may */

struct record {
    uint64_t version, writer;
};

/* The reads and writes of a transaction, by record: the version that it read, or VERSIONS if none; and 1 if it wrote
 * the next version. */
static struct {
    enum ordo_txn_level level;
    bool committed, wrote[RECORDS];
    uint64_t read[RECORDS];
} deeds[ALL];
static int writer_of[RECORDS][VERSIONS]; /* writers of committed versions */
enum { PLACES = 2 * ALL }; /* n: the writes of transaction n; ALL + n: its reads, if these have another place */
static bool edge[PLACES][PLACES];
static unsigned long long committed_by_level[ORDO_TXN_READ_ONLY + 1], extended, waited, unwaited;

static uint64_t model_random(uint64_t limit)
{
    uint64_t x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    machine.random = x;
    return (x >> 16) % limit;
}

static void expect(bool holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

/* Lets the other threads go on. Does nothing before the threads run, and after they have ended. */
static void model_step(void)
{
    int me = machine.running;
    machine.true_time++;
    if (me < 0)
        return;
    if (model_random(16) == 0) {
        uint64_t kind = model_random(4);
        machine.skew[me] = kind == 0 ? 0 : kind < 3 ? BOUNDARY : model_random(BOUNDARY + 1);
    }
    if (model_random(64) == 0)
        machine.asleep[me] = machine.true_time + model_random(BOUNDARY);
    if (machine.asleep[me] > machine.true_time || model_random(3) == 0)
        ordo_coroutine_switch(&machine.threads[me], &machine.scheduler);
}

uint64_t model_time(void)
{
    return machine.true_time + (machine.running < 0 ? 0 : machine.skew[machine.running]);
}

uint64_t model_clock(void)
{
    model_step();
    return model_time();
}

/* Reads a record, or updates it. */
static int touch(int t, int n, uint64_t key, bool writes)
{
    struct record small;
    const void *seen = &small;
    void *fresh;
    int code = writes                        ? ordo_txn_update(workers[t], table, key, &fresh)
               : record_bytes == SMALL_BYTES ? ordo_txn_read(workers[t], table, key, &small)
                                             : ordo_txn_view(workers[t], table, key, &seen);
    if (code)
        return code;
    struct record *record = fresh = writes ? fresh : (void *)(uintptr_t)seen;
    if (record->version >= VERSIONS) {
        expect(false, "a record holds a value that was never written");
        return ORDO_TXN_CONFLICT;
    }
    expect(deeds[n].read[key] == VERSIONS || deeds[n].wrote[key] || deeds[n].read[key] == record->version || writes ||
               deeds[n].level == ORDO_TXN_SERIALIZABLE,
           "a snapshot changed");
    if (deeds[n].read[key] == VERSIONS)
        deeds[n].read[key] = record->version;
    if (writes && !deeds[n].wrote[key]) {
        record->version++;
        record->writer = (uint64_t)n;
        deeds[n].wrote[key] = true;
    }
    return ORDO_OK;
}

static void transact(int t, int n, enum ordo_txn_level level)
{
    deeds[n].level = level;
    for (int r = 0; r < RECORDS; r++)
        deeds[n].read[r] = VERSIONS;
    if (ordo_txn_begin(workers[t], level)) {
        expect(false, "a transaction could not begin");
        return;
    }
    int code = ORDO_OK;
    bool reads = level == ORDO_TXN_READ_ONLY || model_random(4) == 0;
    bool lasts = model_random(2);
    uint64_t extensions = workers[t]->counts.extensions;
    for (int steps = 0; steps < 3 && !code; steps++) {
        if (level == ORDO_TXN_SNAPSHOT && lasts)
            machine.asleep[t] = machine.true_time + model_random(4 * BOUNDARY);
        code = touch(t, n, model_random(RECORDS), !reads && model_random(2));
    }
    expect(level != ORDO_TXN_READ_ONLY || !code, "a snapshot met a conflict");
    uint64_t wait_ticks = workers[t]->counts.commit_wait_ticks;
    if (code)
        ordo_txn_abort(workers[t]);
    else
        deeds[n].committed = ordo_txn_commit(workers[t]) == ORDO_OK;
    committed_by_level[level] += deeds[n].committed;
    extended += level == ORDO_TXN_SNAPSHOT && deeds[n].committed && workers[t]->counts.extensions > extensions;
    if (deeds[n].wrote[0] || deeds[n].wrote[1] || deeds[n].wrote[2])
        *(workers[t]->counts.commit_wait_ticks == wait_ticks ? &unwaited : &waited) += 1;
}

/* Draws a random level. Draws levels that see by times only if `come`. */
static enum ordo_txn_level draw_level(bool come)
{
    static const enum ordo_txn_level levels[] = {ORDO_TXN_SERIALIZABLE, ORDO_TXN_SERIALIZABLE, ORDO_TXN_READ_ONLY,
                                                 ORDO_TXN_SNAPSHOT};
    return come ? levels[model_random(sizeof levels / sizeof *levels)] : ORDO_TXN_SERIALIZABLE;
}

static void run_thread(void *thread)
{
    int t = machine.running;
    bool comes = alone >= 0 ? t == alone : model_random(3) == 0; /* some parts have no snapshots */
    for (int i = 0; i < TRANSACTIONS && !violated; i++)
        transact(t, 1 + t * TRANSACTIONS + i, draw_level(comes && (alone >= 0 || i >= TRANSACTIONS / 3)));
    machine.done[t] = true;
    ordo_coroutine_switch(thread, &machine.scheduler);
}

static void schedule(void)
{
    for (int t = 0; t < THREADS; t++) {
        machine.done[t] = false;
        ordo_coroutine_make(&machine.threads[t], stacks[t], STACK_BYTES, run_thread, &machine.threads[t]);
    }
    for (int left = THREADS; left > 0 && !violated;) {
        int t = (int)model_random(THREADS);
        if (machine.done[t])
            continue;
        expect(machine.patience-- > 0, "a transaction waits for ever");
        if (machine.asleep[t] > machine.true_time) {
            machine.true_time++;
            continue;
        }
        machine.running = t;
        ordo_coroutine_switch(&machine.scheduler, &machine.threads[t]);
        machine.running = -1;
        left -= machine.done[t];
    }
}

/* ---- the order of the committed transactions ---- */

static void add_edge(int from, int to)
{
    if (from != to)
        edge[from][to] = true;
}

/* Returns the place in the order for the reads of a transaction. */
static int reader(int n)
{
    return deeds[n].level == ORDO_TXN_SNAPSHOT ? ALL + n : n;
}

static void draw_writers(void)
{
    memset(writer_of, 0xff, sizeof writer_of);
    for (int r = 0; r < RECORDS; r++)
        writer_of[r][0] = 0;
    for (int n = 1; n < ALL; n++)
        for (int r = 0; r < RECORDS && deeds[n].committed; r++)
            if (deeds[n].wrote[r]) {
                expect(writer_of[r][deeds[n].read[r] + 1] < 0, "two wrote the same version");
                writer_of[r][deeds[n].read[r] + 1] = n;
            }
}

/* Adds the edges to and from a committed transaction that has seen `version` of a record. */
static void draw_edges(int n, int r, uint64_t version)
{
    int before = writer_of[r][version], after = writer_of[r][version + 1];
    expect(before >= 0, "a version that was read was not committed");
    if (before >= 0)
        add_edge(before, reader(n));
    if (after >= 0 && after != n)
        add_edge(reader(n), after);
    add_edge(reader(n), n);
}

static void draw_graph(void)
{
    memset(edge, 0, sizeof edge);
    draw_writers();
    for (int n = 1; n < ALL; n++)
        for (int r = 0; r < RECORDS && deeds[n].committed; r++)
            if (deeds[n].read[r] != VERSIONS)
                draw_edges(n, r, deeds[n].read[r]);
}

/* True if the graph has a cycle: repeatedly removes all nodes without a predecessor, and checks if any nodes are
 * left. */
static bool has_cycle(void)
{
    bool gone[PLACES] = {false};
    for (bool more = true; more;) {
        more = false;
        for (int n = 0; n < PLACES; n++) {
            bool first = !gone[n];
            for (int m = 0; m < PLACES && first; m++)
                first = gone[m] || !edge[m][n];
            gone[n] |= first;
            more |= first;
        }
    }
    for (int n = 0; n < PLACES; n++)
        if (!gone[n])
            return true;
    return false;
}

/* ---- a schedule ---- */

static void fill(void)
{
    void *record;
    if (ordo_txn_begin(workers[0], ORDO_TXN_SERIALIZABLE))
        exit(70);
    for (uint64_t key = 0; key < RECORDS; key++) {
        if (ordo_txn_insert(workers[0], table, key, &record))
            exit(70);
        memset(record, 0, record_bytes);
    }
    if (ordo_txn_commit(workers[0]))
        exit(70);
    machine.true_time += 4 * BOUNDARY;
}

static void run(uint64_t seed)
{
    struct ordo_db_options options = {.boundary_ticks = BOUNDARY, .workers = THREADS};
    record_bytes = seed % 2 ? SMALL_BYTES : RECORD_BYTES;
    struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = RECORDS, .dense = seed / 2 % 2};
    struct ordo_error error;
    memset(&machine, 0, sizeof machine);
    memset(deeds, 0, sizeof deeds);
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    machine.true_time = 1000;
    machine.patience = PATIENCE;
    machine.running = -1;
    if (ordo_db_open(&db, &engine, &options) || ordo_table_add(db, &spec, &table))
        exit(70);
    for (int t = 0; t < THREADS; t++)
        if (ordo_worker_join(db, &workers[t]))
            exit(70);
    fill();
    alone = (int)model_random(2 * THREADS) - THREADS;
    schedule();
    if (violated)
        return; /* the schedule has not ended, so its memory is not freed */
    draw_graph();
    expect(!has_cycle(), "the order has a cycle");
    for (int t = 0; t < THREADS; t++)
        ordo_worker_leave(workers[t]);
    expect(ordo_db_audit(db, &error) == ORDO_OK, "the audit finds something");
    ordo_db_close(db);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + runs && !violated; seed++) {
        run(seed);
        if (violated)
            printf("seed %llu: %s\n", (unsigned long long)seed, violated);
    }
    unsigned long long read_only = committed_by_level[ORDO_TXN_READ_ONLY],
                       snapshots = committed_by_level[ORDO_TXN_SNAPSHOT];
    printf(
        "committed: %llu SERIALIZABLE, %llu READ_ONLY, %llu SNAPSHOT, of which %llu moved their begin; of those that "
        "wrote %llu waited, %llu did not\n",
        committed_by_level[ORDO_TXN_SERIALIZABLE], read_only, snapshots, extended, waited, unwaited);
    if (!violated && (!waited || !unwaited || !read_only || !extended)) {
        printf("nothing of that kind happened: is anything tested?\n");
        return 1;
    }
    return violated ? 1 : 0;
}
