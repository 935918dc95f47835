/* deletions [PREEMPTIONS]: deletes a record and inserts it again, in an unmodified transaction engine (engines.h) on a
 * simulated machine (machine.h), at every schedule of two threads with at most PREEMPTIONS preemptions (default 2).
 * Exit 0: the promises held; 1: one was violated.
 *
 * There are two records, and every writer writes both: it deletes or inserts the first, and writes its identity into
 * the second. So a transaction that has read both must have found the first as the writer named in the second left it.
 * The first thread makes one transaction, while the other makes up to four and reclaims in each; the deleted record may
 * leave the index before it is inserted again. Some transactions insert a third record in the same bucket as the first:
 * it takes the home that the first had, or occupies the home before. Some transactions read only the third record,
 * which is missing; an insert of the third record at the same time must succeed. All clocks are right or, with SKEWED,
 * each may be ahead by exactly the boundary. Hekaton runs with and without range scans (without scans, the anchors
 * contain the records and not only their times), and with and without external consistency. The other engines run with
 * records that are in buckets, and with some that are not. Each engine runs with a dense table too, in which the third
 * record has a place of its own. A transaction that conflicts is not tried again.
 *
 * This must hold for transactions that do not commit too, except in silo and tictoc. Also checked: the committed
 * writers form a chain; no transaction sees a state older than its own thread's last one or, if the engine promises
 * this, older than the last one that had returned when the transaction began; and the audit finds no fault. */
#include "machine.h"

#include "engines.h"

enum { TRANSACTIONS = 5, NODES = 1 + TRANSACTIONS + 1, SMALL_BYTES = 8, LARGE_BYTES = 40 };
enum { UNKNOWN = 99, GONE = 98, THERE = 97, THIRD = 96 }; /* values that name no writer */
/* The kinds of transactions. A reader reads the first record and then the second, or the reverse, or both in one scan.
 * IDLES, LATER and REFILLS begin after a while, so that the deleted record may have left the index and its home may be
 * vacant; LATER then reads, and REFILLS inserts. TAKES inserts the third record. ABORTS inserts the first record, and
 * aborts. REWRITES inserts the first record, OWNS the third; both read their own writes. MISSES reads only the third
 * record. */
enum kind {
    NONE,
    IDLES,
    LATER,
    DELETES,
    INSERTS,
    REFILLS,
    TAKES,
    ABORTS,
    LOOKS,
    LOOKS_BACK,
    SCANS,
    READS_ONLY,
    REWRITES,
    OWNS,
    MISSES
};

/* A transaction; node 0 has written the initial records. */
static struct node {
    uint64_t first, second; /* the writers of the two records that it found; or UNKNOWN; GONE; or THERE (any writer) */
    int deletes, writes, committed, ended;
    unsigned before; /* set of the transactions that had committed and returned when this one began */
} nodes[NODES];

static const enum kind scripts[][THREADS][TRANSACTIONS] = {
    {{LOOKS}, {DELETES, IDLES, INSERTS, LATER}},
    {{LOOKS_BACK}, {DELETES, IDLES, INSERTS, LATER}},
    {{SCANS}, {DELETES, IDLES, INSERTS, LATER}},
    {{READS_ONLY}, {DELETES, IDLES, INSERTS, LATER}},
    {{INSERTS}, {DELETES, IDLES, INSERTS, LATER}},
    {{DELETES}, {DELETES, IDLES, INSERTS, LATER}},
    {{LOOKS}, {DELETES, INSERTS, DELETES}},
    {{INSERTS}, {DELETES, INSERTS, DELETES}},
    {{LOOKS}, {DELETES, IDLES, IDLES, TAKES}},
    {{READS_ONLY}, {DELETES, IDLES, IDLES, TAKES}},
    {{LOOKS}, {DELETES, IDLES, IDLES, INSERTS}},
    {{TAKES}, {DELETES, IDLES, IDLES, INSERTS}},
    {{REFILLS}, {DELETES, IDLES, INSERTS, IDLES}},
    {{REFILLS}, {DELETES, IDLES, IDLES, INSERTS}},
    {{INSERTS}, {DELETES, IDLES, IDLES, ABORTS, TAKES}},
    {{LOOKS}, {DELETES, IDLES, IDLES, ABORTS, TAKES}},
    {{REFILLS}, {DELETES, IDLES, IDLES, ABORTS, TAKES}},
    {{REWRITES}, {DELETES, IDLES, INSERTS, LATER}},
    {{OWNS}, {MISSES, MISSES, MISSES}},
    {{MISSES}, {MISSES, MISSES, OWNS}},
};

static unsigned script;
static int external;
static int ordered;
static int dense;
static size_t record_bytes;
static uint64_t third;
static int third_is_there;

/* Writes the writer's identity into all words of a record. */
static void write_record(void *record, uint64_t who)
{
    for (size_t i = 0; i < record_bytes / sizeof who; i++)
        ((uint64_t *)record)[i] = who;
}

/* Returns the writer of the first record that a call found, or GONE or UNKNOWN. */
static uint64_t found(int code, const void *record)
{
    const uint64_t *words = record;
    if (code != ORDO_OK)
        return GONE;
    expect(words[0] < NODES, "a record holds a value that was never written");
    for (size_t i = 1; i < record_bytes / sizeof *words; i++)
        expect(words[i] == words[0], "a record is torn");
    return words[0];
}

static int look(struct ordo_worker *worker, uint64_t key, uint64_t *who)
{
    uint64_t bytes[LARGE_BYTES / sizeof *who];
    int code = ordo_txn_read(worker, table, key, bytes);
    if (code == ORDO_OK || code == ORDO_TXN_ABSENT)
        *who = found(code, bytes);
    return code == ORDO_TXN_ABSENT ? ORDO_OK : code;
}

static int visit(void *node, uint64_t key, const void *record)
{
    struct node *me = node;
    *(key ? &me->second : &me->first) = found(ORDO_OK, record);
    return 0;
}

static int scan(struct ordo_worker *worker, struct node *me)
{
    struct node seen = {.first = GONE, .second = GONE};
    int code = ordo_txn_scan(worker, table, 0, 1, visit, &seen);
    if (code == ORDO_OK) {
        me->first = seen.first;
        me->second = seen.second;
    }
    return code;
}

/* Reads the transaction's own write, which it must see unless it will abort. */
static int look_at_own(struct ordo_worker *worker, uint64_t key, uint64_t who)
{
    uint64_t record[LARGE_BYTES / sizeof who];
    int code = ordo_txn_read(worker, table, key, record);
    expect(code == ORDO_TXN_CONFLICT || (code == ORDO_OK && record[0] == who),
           "a transaction does not see its own write");
    return code;
}

/* Reads the third record, which must be missing or unchanged. */
static int miss(struct ordo_worker *worker)
{
    uint64_t record[LARGE_BYTES / sizeof(uint64_t)];
    int code = ordo_txn_read(worker, table, third, record);
    expect(code != ORDO_OK || record[0] == THIRD, "the third record holds a value that was never written");
    return code == ORDO_TXN_ABSENT ? ORDO_OK : code;
}

/* Deletes the first record or inserts it. */
static int change(struct ordo_worker *worker, int me, int deletes)
{
    void *record;
    if (deletes) {
        int code = ordo_txn_remove(worker, table, 0);
        if (code == ORDO_OK || code == ORDO_TXN_ABSENT)
            nodes[me].first = code ? GONE : THERE;
        return code == ORDO_TXN_ABSENT ? ORDO_OK : code;
    }
    int code = ordo_txn_insert(worker, table, 0, &record);
    if (code == ORDO_TXN_EXISTS) {
        code = ordo_txn_update(worker, table, 0, &record);
        expect(code != ORDO_TXN_ABSENT || !is_opaque, "what exists is absent");
        if (code == ORDO_TXN_ABSENT)
            return ORDO_TXN_CONFLICT;
        if (code == ORDO_OK)
            nodes[me].first = found(code, record);
    } else if (code == ORDO_OK) {
        nodes[me].first = GONE;
    }
    if (code == ORDO_OK)
        write_record(record, (uint64_t)me);
    return code;
}

static int sign(struct ordo_worker *worker, int me)
{
    void *record;
    int code = ordo_txn_update(worker, table, 1, &record);
    expect(code != ORDO_TXN_ABSENT, "the second record is absent");
    if (code)
        return code;
    nodes[me].second = found(code, record);
    write_record(record, (uint64_t)me);
    return ORDO_OK;
}

static int take(struct ordo_worker *worker)
{
    void *record;
    int code = ordo_txn_insert(worker, table, third, &record);
    if (code == ORDO_OK)
        write_record(record, THIRD);
    return code;
}

/* Aborts the transaction. */
static int give_up(struct ordo_worker *worker)
{
    void *record;
    int code = ordo_txn_insert(worker, table, 0, &record);
    return code < 0 ? code : ORDO_TXN_CONFLICT;
}

static int do_it(struct ordo_worker *worker, int me, enum kind kind)
{
    int code = ORDO_OK;
    if (kind == LOOKS_BACK)
        code = look(worker, 1, &nodes[me].second);
    if (!code && (kind == LOOKS || kind == LATER || kind == LOOKS_BACK || kind == READS_ONLY))
        code = look(worker, 0, &nodes[me].first);
    if (!code && (kind == LOOKS || kind == LATER || kind == READS_ONLY))
        code = look(worker, 1, &nodes[me].second);
    if (kind == SCANS)
        code = scan(worker, &nodes[me]);
    if (kind == INSERTS || kind == REFILLS || kind == DELETES || kind == REWRITES)
        code = change(worker, me, kind == DELETES);
    if (!code && kind == REWRITES)
        code = look_at_own(worker, 0, (uint64_t)me);
    if (kind == MISSES)
        code = miss(worker);
    if (kind == TAKES || kind == OWNS)
        code = take(worker);
    if (!code && kind == OWNS)
        code = look_at_own(worker, third, THIRD);
    if (kind == ABORTS)
        code = give_up(worker);
    return !code && nodes[me].writes ? sign(worker, me) : code;
}

static void transaction(struct ordo_worker *worker, int me, enum kind kind)
{
    int code;
    nodes[me].deletes = kind == DELETES;
    nodes[me].writes = kind == DELETES || kind == INSERTS || kind == REFILLS || kind == REWRITES;
    for (int i = 0; i < NODES; i++)
        nodes[me].before |= (unsigned)(nodes[i].committed && nodes[i].ended) << i;
    if (kind == IDLES || kind == LATER || kind == REFILLS)
        machine.true_time += 4 * machine.boundary;
    code = ordo_txn_begin(worker, kind == READS_ONLY ? ORDO_TXN_READ_ONLY : ORDO_TXN_SERIALIZABLE);
    expect(code == ORDO_OK, "a transaction does not begin");
    if (code)
        return;
    code = do_it(worker, me, kind);
    ((struct cc_worker *)worker)->since = CC_HORIZON_MOST; /* so that the worker reclaims after each transaction */
    if (code == ORDO_OK)
        code = ordo_txn_commit(worker);
    else
        ordo_txn_abort(worker);
    expect(code == ORDO_OK || code == ORDO_TXN_CONFLICT, "a transaction ends otherwise than by a conflict");
    expect(code == ORDO_OK || kind != OWNS, "an insert fails beside readers of its key");
    nodes[me].committed = code == ORDO_OK;
    third_is_there |= (kind == TAKES || kind == OWNS) && code == ORDO_OK;
    nodes[me].ended = 1;
}

static void run_thread(void)
{
    int thread = machine.running;
    for (int i = 0; i < TRANSACTIONS && !violated && scripts[script][thread][i] != NONE; i++) {
#ifdef SKEWED
        machine.skew[thread] = choose() ? machine.boundary : 0;
#endif
        transaction(workers[thread], thread ? 1 + i : NODES - 1, scripts[script][thread][i]);
    }
}

/* Checks that the first record is in the state in which the writer named in the second record left it. */
static void check_pair(const struct node *node)
{
    if (node->second == UNKNOWN || node->first == UNKNOWN)
        return;
    expect(node->second != GONE, "the second record is gone");
    if (violated)
        return;
    uint64_t left = nodes[node->second].deletes ? GONE : node->first == THERE ? THERE : node->second;
    expect(node->first == left, "half of a transaction is seen");
}

/* True if the chain of writers leads from `to` back to `from`. */
static int follows(uint64_t to, uint64_t from)
{
    for (int length = 0; length < NODES && to != from && to != 0; length++)
        to = nodes[to].second;
    return to == from;
}

static void check_graph(void)
{
    for (int i = 1; i < NODES && !violated; i++) {
        const struct node *node = &nodes[i];
        if (!node->committed && !is_opaque)
            continue;
        check_pair(node);
        if (violated || node->second == UNKNOWN)
            continue;
        expect(nodes[node->second].committed, "a version that was read was not committed");
        for (int j = 1; j < NODES && node->committed; j++) {
            int own = i < NODES - 1 && j < i; /* true if both are transactions of one thread */
            if ((node->before >> j & 1) && nodes[j].writes && (own || external || engine.strict))
                expect(follows(node->second, (uint64_t)j), "a commit that had returned is not seen");
            if (j != i && node->writes && nodes[j].writes && nodes[j].committed)
                expect(node->second != nodes[j].second, "an update is lost");
        }
    }
}

static void set_up(void)
{
    struct ordo_table_spec spec = {.record_bytes = record_bytes, .rows = 3, .ordered = ordered, .dense = dense};
    database_open(&spec, external);
    spec.rows = 2; /* all but the third record */
    database_fill(&spec);
    third_is_there = 0;
    for (third = 2; !dense && cc_hash_bucket(&table->hash, third) != cc_hash_bucket(&table->hash, 0);)
        third++;
    for (int i = 0; i < NODES; i++)
        nodes[i] =
            (struct node){.first = UNKNOWN, .second = UNKNOWN, .committed = i == 0, .ended = i == 0, .writes = i == 0};
}

static void tear_down(void)
{
    struct node end = {.first = UNKNOWN, .second = UNKNOWN};
    uint64_t record[LARGE_BYTES / sizeof(uint64_t)];
    machine.true_time += 8 * machine.boundary;
    expect(ordo_txn_begin(workers[0], ORDO_TXN_SERIALIZABLE) == ORDO_OK, "no transaction at the end");
    expect(look(workers[0], 0, &end.first) == ORDO_OK && look(workers[0], 1, &end.second) == ORDO_OK, "no last look");
    expect(ordo_txn_read(workers[0], table, third, record) == (third_is_there ? ORDO_OK : ORDO_TXN_ABSENT) &&
               (!third_is_there || record[0] == THIRD),
           "the third record is not as it was left");
    expect(ordo_txn_commit(workers[0]) == ORDO_OK, "no last commit");
    check_pair(&end);
    for (int i = 1; i < NODES && !violated; i++)
        if (nodes[i].committed && nodes[i].writes)
            expect(follows(end.second, (uint64_t)i), "an update is lost at the end");
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

static const struct machine_kind {
    int external, ordered, dense;
    size_t record_bytes;
} machines[] = {
#if ENGINE == HEKATON
    {0, 0, 0, SMALL_BYTES}, {0, 1, 0, SMALL_BYTES}, {1, 1, 0, SMALL_BYTES}, {0, 1, 1, SMALL_BYTES}
#else
    {0, 0, 0, SMALL_BYTES}, {0, 0, 0, LARGE_BYTES}, {0, 0, 1, SMALL_BYTES}
#endif
};

/* True if the engine and the table support this kind of transaction. */
static int is_possible(enum kind kind)
{
    return (kind != SCANS || ordered) && (kind != READS_ONLY || (engine.levels & ORDO_TXN_READ_ONLY));
}

int main(int argc, char **argv)
{
    int preemptions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2;
    unsigned long runs = 0;
    machine.boundary = 8;
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
        for (script = 0; script < sizeof scripts / sizeof *scripts; script++) {
            external = machines[m].external;
            ordered = machines[m].ordered;
            dense = machines[m].dense;
            record_bytes = machines[m].record_bytes;
            if (!is_possible(scripts[script][0][0]))
                continue;
            choices.known = 0;
            do {
                run(preemptions);
                runs++;
                if (violated) {
                    printf("schedule %lu: %s (script %u, external %d, ordered %d, dense %d, %zu bytes)\n", runs,
                           violated, script, external, ordered, dense, record_bytes);
                    return 1;
                }
            } while (advance());
        }
    printf("%lu schedules, all with at most %d preemptions\n", runs, preemptions);
    return 0;
}
