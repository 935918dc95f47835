/* txn [PREEMPTIONS]: runs an unmodified transaction engine (engines.h) on a simulated machine (machine.h), at every
 * schedule of two threads with at most PREEMPTIONS preemptions (default 1). Exit 0: the promises held; 1: one was
 * violated.
 *
 * Each thread makes two transactions over two records. A transaction reads both, or updates both, or reads one and
 * updates the other. Five scripts of such transactions are run, or with ALL every script. For each transaction the
 * CPU's clock is right, or ahead by exactly the boundary. Hekaton runs with and without external consistency. A
 * transaction that conflicts is not tried again.
 *
 * With HAZARDS, the first thread makes one transaction, while the other makes up to four and after each reclaims the
 * versions that are not named (hekaton/hazards.h). The anchors contain the records, or their times, or neither. The
 * cases without records also run with an older snapshot, during which versions are cut out of their chains. In one case
 * the transactions fence their names. With HAZARDS=RIGHT all clocks are right, for searches with three preemptions.
 *
 * Checked: the graph of the committed transactions, with the order of each thread, has no cycle; if the engine promises
 * it, the order of real time is in the graph too. Except in silo and tictoc, aborted transactions are in the graph too,
 * because they have read. A version that is read was committed, no update is lost, and the audit finds no fault. */
#define SKEWED 1
#define RIGHT 2
#ifdef HAZARDS
#define HK_UNNAMED_FROM 0
#define HK_ERA 1 /* ends the era after each transaction, so that none waits for the snapshot, which would yield */
#define HK_PRUNE_FROM 0
#define HK_PRUNE_EVERY 1
#define TRANSACTIONS 4
#else
#define TRANSACTIONS 2
#endif
#include "machine.h"

#include "engines.h"

enum { RECORDS = 2, RECORD_BYTES = 40, NODES = 1 + THREADS * TRANSACTIONS, NOTHING = 99 };
/* READS_n: reads record n, and updates the other. READS_BOTH: also updates record 1. GIVES_UP: updates record 0, and
 * aborts. */
enum kind { READS = 0, UPDATES = 1, READS_0 = 2, READS_1 = 3, READS_BOTH, GIVES_UP, NONE };

/* A transaction; node 0 has written the initial records. */
static struct node {
    uint64_t seen[RECORDS]; /* the writer of each record that it read, or NOTHING */
    int wrote[RECORDS], committed, ended;
    unsigned before; /* set of the transactions that had returned when this one began */
} nodes[NODES];

static struct ordo_worker *holder; /* the worker of a snapshot that is older than all records, or NULL */
static unsigned script;            /* two bits for each transaction: enum kind */
static int external;
static size_t record_bytes = 8;
static int holds, waits, fences;

/* Reads a record, or updates it. */
static int touch(struct ordo_worker *worker, int me, uint64_t key, int updates)
{
    uint64_t value, bytes[RECORD_BYTES / sizeof value];
    void *record = NULL;
    int code = updates ? ordo_txn_update(worker, table, key, &record) : ordo_txn_read(worker, table, key, bytes);
    if (code)
        return code;
    memcpy(&value, updates ? record : bytes, sizeof value);
    if (updates)
        memcpy(record, &(uint64_t){(uint64_t)me}, sizeof value);
    expect(value < NODES, "a record holds a value that was never written");
    nodes[me].seen[key] = value;
    nodes[me].wrote[key] = updates;
    return ORDO_OK;
}

static void transaction(struct ordo_worker *worker, int me, enum kind kind)
{
    int code;
    for (int i = 0; i < NODES; i++)
        nodes[me].before |= (unsigned)nodes[i].ended << i;
    code = ordo_txn_begin(worker, kind == READS ? ORDO_TXN_READ_ONLY : ORDO_TXN_SERIALIZABLE);
    expect(code == ORDO_OK, "a transaction does not begin");
    if (code)
        return;
    for (uint64_t i = 0; i < RECORDS && code == ORDO_OK; i++) {
        uint64_t key = kind == READS_1 ? 1 - i : i;
        if (kind == GIVES_UP && i == 1)
            code = ORDO_TXN_CONFLICT;
        else
            code = touch(worker, me, key,
                         kind == UPDATES || kind == GIVES_UP || (kind != READS && kind != READS_BOTH && i));
    }
    if (kind == READS_BOTH && code == ORDO_OK)
        code = touch(worker, me, 1, 1);
    if (code == ORDO_OK)
        code = ordo_txn_commit(worker);
    else
        ordo_txn_abort(worker);
    expect(code == ORDO_OK || code == ORDO_TXN_CONFLICT, "a transaction ends otherwise than by a conflict");
    nodes[me].committed = code == ORDO_OK;
    nodes[me].ended = 1;
}

#ifdef HAZARDS
/* For each script, the kinds of the first thread and of the other. */
static const enum kind kinds[][THREADS][TRANSACTIONS] = {
    {{READS_BOTH, NONE}, {READS_1, READS_1, READS_1, READS_1}},
    {{READS, NONE}, {READS_1, READS_1, READS_1, NONE}},
    {{READS_BOTH, NONE}, {GIVES_UP, READS_1, READS_1, NONE}},
    {{READS_BOTH, NONE}, {UPDATES, UPDATES, UPDATES, NONE}},
};
#endif

static enum kind kind_of(int thread, int i)
{
#ifdef HAZARDS
    return kinds[script][thread][i];
#else
    return (enum kind)(script >> (2 * (thread * TRANSACTIONS + i)) & 3);
#endif
}

static int is_skewed(void)
{
#if defined HAZARDS && HAZARDS == RIGHT
    return 0;
#else
    return choose();
#endif
}

static void run_thread(void)
{
    int thread = machine.running;
    for (int i = 0; i < TRANSACTIONS && !violated && kind_of(thread, i) != NONE; i++) {
        machine.skew[thread] = is_skewed() ? machine.boundary : 0;
        transaction(workers[thread], 1 + thread * TRANSACTIONS + i, kind_of(thread, i));
    }
}

/* Returns the edges into node `to`, as bits. */
static unsigned edges(int to)
{
    const struct node *b = &nodes[to];
    unsigned from = to > 0 && (to - 1) % TRANSACTIONS > 0 ? 1u << (to - 1) : 0;
    if (external || engine.strict)
        from |= b->before;
    for (int i = 0; i < NODES; i++)
        for (int r = 0; r < RECORDS; r++) {
            if (i == to || !(nodes[i].committed || is_opaque) || nodes[i].seen[r] == NOTHING)
                continue;
            if (b->committed && b->wrote[r] && b->seen[r] == nodes[i].seen[r])
                from |= 1u << i; /* `to` overwrote a record that the other transaction had read */
        }
    for (int r = 0; r < RECORDS; r++)
        if (b->seen[r] != NOTHING)
            from |= 1u << b->seen[r];
    return from & ~(1u << to);
}

static void check_graph(void)
{
    unsigned left = 0, before = NODES, from[NODES];
    for (int i = 0; i < NODES; i++) {
        if (nodes[i].committed || is_opaque)
            left |= 1u << i;
        from[i] = edges(i);
        for (int r = 0; r < RECORDS && (left >> i & 1); r++)
            expect(nodes[i].seen[r] == NOTHING || nodes[nodes[i].seen[r]].committed,
                   "a version that was read was not committed");
    }
    for (; before != left;) { /* removes a node without a predecessor */
        before = left;
        for (int i = 0; i < NODES; i++)
            if ((left >> i & 1) && !(from[i] & left))
                left &= ~(1u << i);
    }
    expect(left == 0, "the graph has a cycle");
}

/* Checks that the writers of each record form a chain, and that the record contains the last of them. */
static void check_end(void)
{
    uint64_t value;
    for (uint64_t r = 0; r < RECORDS; r++) {
        int length = 0, writers = 0;
        for (int i = 0; i < NODES; i++)
            writers += nodes[i].committed && nodes[i].wrote[r];
        uint64_t bytes[RECORD_BYTES / sizeof value];
        expect(ordo_txn_read(workers[0], table, r, bytes) == ORDO_OK && bytes[0] < NODES, "a record is gone");
        value = bytes[0];
        while (!violated && value && length++ < NODES)
            value = nodes[value].seen[r];
        expect(length == writers, "an update is lost");
    }
}

static void let_deletions_wait(void)
{
#if ENGINE == HEKATON
    for (uint64_t key = 0; key < RECORDS; key++)
        hk_set_inlined(hk_find(table, key), HK_TAG | 1);
#endif
}

static void set_up(void)
{
    struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = RECORDS};
    database_open(&spec, external);
    db->fences |= fences != 0; /* makes the period symmetric */
    if (holds) {
        expect(engine.join(db, &holder) == ORDO_OK, "no worker");
        expect(ordo_txn_begin(holder, ORDO_TXN_READ_ONLY) == ORDO_OK, "no snapshot");
        machine.true_time += 8 * machine.boundary;
    }
    database_fill(&spec);
    if (waits)
        let_deletions_wait();
    for (int i = 0; i < NODES; i++)
        nodes[i] = (struct node){.seen = {NOTHING, NOTHING}, .committed = i == 0, .ended = i == 0};
}

static void tear_down(void)
{
    machine.true_time += 8 * machine.boundary;
    expect(ordo_txn_begin(workers[0], ORDO_TXN_READ_ONLY) == ORDO_OK, "no transaction at the end");
    if (!violated)
        check_end();
    expect(ordo_txn_commit(workers[0]) == ORDO_OK, "no last commit");
    if (holds) {
        expect(ordo_txn_commit(holder) == ORDO_OK, "a snapshot does not end");
        engine.leave(holder);
    }
    database_close();
}

static void run(int preemptions)
{
    machine_start(preemptions);
    set_up();
    if (!violated)
        schedule(choose());
    if (!violated)
        check_graph();
    if (!violated)
        tear_down();
}

#define SCRIPT(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)

/* True if a script is to be run. Without ALL, these are the scripts in which most can go wrong. With ALL, these are all
 * scripts except those that differ from another one only in the names of the threads. */
static int is_wanted(unsigned what)
{
#if defined HAZARDS
    return what < sizeof kinds / sizeof *kinds;
#elif defined ALL
    unsigned mine = what & 15, other = what >> 4;
    return mine <= other && mine + other > 0;
#else
    return what == SCRIPT(UPDATES, UPDATES, READS, READS) || what == SCRIPT(UPDATES, READS, UPDATES, READS) ||
           what == SCRIPT(READS_0, READS_0, READS_1, READS_1) || what == SCRIPT(READS_0, UPDATES, READS_1, READS) ||
           what == SCRIPT(READS_0, READS, READS_1, READS);
#endif
}

static const struct machine_kind {
    uint64_t boundary;
    int external;
    size_t record_bytes;
    int holds;  /* 1: a worker holds a snapshot that is older than all records */
    int waits;  /* 1: in another worker, a deletion of each record waits, so the anchors do not have the times */
    int fences; /* 1: transactions fence their names */
} machines[] = {
#ifdef HAZARDS
    {8, 0, 8, 0, 0, 0},
    {8, 0, RECORD_BYTES, 0, 0, 0},
    {8, 0, RECORD_BYTES, 0, 1, 0},
    {8, 0, RECORD_BYTES, 1, 0, 0},
    {8, 0, RECORD_BYTES, 1, 1, 0},
    {8, 0, RECORD_BYTES, 1, 1, 1},
#elif ENGINE == HEKATON
    {8, 0, 8, 0, 0, 0},
    {8, 1, 8, 0, 0, 0},
    {40, 0, 8, 0, 0, 0},
    {8, 0, RECORD_BYTES, 0, 0, 0},
    {8, 0, RECORD_BYTES, 0, 1, 0},
#else
    {8, 0, 8, 0, 0, 0},
#endif
};

int main(int argc, char **argv)
{
    int preemptions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    unsigned long runs = 0;
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
        for (script = 0; script < 256; script++) {
            if (!is_wanted(script))
                continue;
            machine.boundary = machines[m].boundary;
            external = machines[m].external;
            record_bytes = machines[m].record_bytes;
            holds = machines[m].holds;
            waits = machines[m].waits;
            fences = machines[m].fences;
            choices.known = 0;
            do {
                run(preemptions);
                runs++;
                if (violated) {
                    printf("schedule %lu: %s (machine %u, script %x)\n", runs, violated, m, script);
                    return 1;
                }
            } while (advance());
        }
    printf("%lu schedules, all with at most %d preemptions\n", runs, preemptions);
    return 0;
}
