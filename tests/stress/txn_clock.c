/* A database whose clocks violate its boundary; every engine on hardware time.
 *
 *  - A clock steps back in the middle of a transaction. The commit then waits for the clock and keeps its claims, and
 *    every transaction that meets a claim waits too. If the watched record is marked as disrupted, or if the clock has
 *    stepped further than any clock can be behind, the commit ends with ORDO_E_DISRUPTED. The waiting transactions then
 *    continue with the old values, no claim remains, no transaction begins any more, and all memory is released in the
 *    end. The same holds if a read or a begin has to wait.
 *  - A worker's clock is behind the clock of its last begin: the worker's start does not move back.
 *  - Clocks disagree by more than the boundary: a reader sees half of a transaction. After the boundary has been raised
 *    to the size of the disagreement, no reader does. */
#include <unistd.h>

#include <ordo/ordo.h>

#include "txn.h"

enum { SMALL = 100000, LARGE = 1000000, TRIES = 20, TRIES_MOST = 1000, WAITED_US = 50000 };
#define A_SECOND_OR_TWO ((UINT64_C(1) << 32) - (UINT64_C(1) << 28)) /* ticks: a clock can be behind by more */
#define HOURS (UINT64_C(1) << 44)

struct pair {
    uint64_t value;
};

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *writer, *reader;
static struct ordo_record record;
static struct ordo handle;
static int failed;

static void violated(const char *what)
{
    fprintf(stderr, "violated: %s/%s: %s\n", engine->name, engine->stamp, what);
    failed = 1;
}

static void expect(bool holds, const char *what)
{
    if (!holds)
        violated(what);
}

static void mark(uint64_t status)
{
    __atomic_store_n(&record.status, status, __ATOMIC_RELAXED); /* relaxed, like the read in ordo_status */
}

static int put(struct ordo_worker *worker, uint64_t key, uint64_t value)
{
    void *room;
    int code = ordo_txn_update(worker, table, key, &room);
    if (code == ORDO_TXN_ABSENT)
        code = ordo_txn_insert(worker, table, key, &room);
    if (code == ORDO_OK)
        memcpy(room, &value, sizeof value);
    return code;
}

static void write_both(uint64_t value)
{
    if (ordo_txn_begin(writer, ORDO_TXN_SERIALIZABLE) || put(writer, 1, value) || put(writer, 2, value) ||
        ordo_txn_commit(writer))
        exit(70);
}

/* Begins a snapshot, because writers of engines with snapshots wait for clocks only if a snapshot is read. */
static void show_snapshot(void)
{
    if (engine->levels & ORDO_TXN_SNAPSHOT && (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY) || ordo_txn_commit(reader)))
        exit(70);
}

static void open_db(uint64_t boundary, bool watched)
{
    struct ordo_db_options options = {.memory = counted_memory, .boundary_ticks = boundary};
    struct ordo_table_spec spec = {.record_bytes = sizeof(struct pair), .rows = 8};
    skewed_clock_ticks = 0;
    mark(ORDO_RECORD_VALID);
    handle = (struct ordo){.not_boundary = ~boundary, .record = &record};
    options.watch = watched ? &handle : NULL;
    if (ordo_db_open(&db, engine, &options) || ordo_table_add(db, &spec, &table) || ordo_worker_join(db, &writer) ||
        ordo_worker_join(db, &reader))
        exit(70);
    write_both(1);
    show_snapshot();
}

static void close_db(void)
{
    struct ordo_error error;
    uint64_t reclaimed = writer->counts.versions_reclaimed;
    ordo_worker_leave(writer);
    if (record.status == ORDO_RECORD_DISRUPTED) /* the leaving worker must not reclaim memory by clocks that disagree */
        expect(writer->counts.versions_reclaimed == reclaimed, "memory is used again by clocks that are not believed");
    ordo_worker_leave(reader);
    if (ordo_db_audit(db, &error))
        violated(error.text);
    ordo_db_close(db);
    expect(!atomic_load(&memory_blocks) && !atomic_load(&memory_bytes), "memory was not given back");
}

static void expect_over(void)
{
    skewed_clock_ticks = 0;
    expect(ordo_txn_begin(writer, ORDO_TXN_SERIALIZABLE) == ORDO_E_DISRUPTED, "a transaction begins afterwards");
    expect(ordo_db_raise(db, 2 * (uint64_t)LARGE) == ORDO_E_DISRUPTED, "the boundary is raised afterwards");
}

/* ---- a commit that waits ---- */

static struct {
    uint64_t ahead; /* ticks by which the clock is ahead before it steps back */
    pthread_barrier_t gate;
    int commit_code, read_code;
    uint64_t seen;
} scene;

static void clock_steps_back(void)
{
    skewed_clock_ticks = 0;
}

static void clock_steps_back_next(void)
{
    skewed_clock_meanwhile = clock_steps_back;
}

/* Commits on a clock that steps back when the engine waits for it. For hekaton, which takes its end timestamp without
 * waiting, the clock steps back after that. */
static void *commit_late(void *unused)
{
    skewed_clock_ticks = scene.ahead;
    if (ordo_txn_begin(writer, ORDO_TXN_SERIALIZABLE) || put(writer, 1, 2) || put(writer, 3, 2))
        exit(70);
    if (engine->levels & ORDO_TXN_SNAPSHOT)
        skewed_clock_meanwhile = clock_steps_back_next;
    else
        clock_steps_back();
    pthread_barrier_wait(&scene.gate);
    scene.commit_code = ordo_txn_commit(writer);
    return unused;
}

static void *read_meanwhile(void *unused)
{
    struct pair found = {0};
    if (ordo_txn_begin(reader, ORDO_TXN_SERIALIZABLE))
        exit(70);
    pthread_barrier_wait(&scene.gate);
    (void)usleep(WAITED_US);
    scene.read_code = ordo_txn_read(reader, table, 1, &found);
    scene.seen = found.value;
    if (scene.read_code)
        ordo_txn_abort(reader);
    else
        scene.read_code = ordo_txn_commit(reader);
    return unused;
}

/* True if the reader met the commit. If the reader lost its CPU, it may have read before the commit, and the run shows
 * nothing. */
static bool step_back(uint64_t ahead, bool watched)
{
    pthread_t threads[2];
    scene.ahead = ahead;
    open_db(SMALL, watched);
    for (int i = 0; i < 100; i++) /* so that some retired versions wait to be reclaimed */
        write_both(1);
    writer->counts.commits = 0;
    pthread_barrier_init(&scene.gate, NULL, 2);
    pthread_create(&threads[0], NULL, commit_late, NULL);
    pthread_create(&threads[1], NULL, read_meanwhile, NULL);
    (void)usleep(2 * WAITED_US);
    if (watched)
        mark(ORDO_RECORD_DISRUPTED);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_barrier_destroy(&scene.gate);
    bool met = reader->counts.waits > 0;
    expect(scene.commit_code == ORDO_E_DISRUPTED, "a commit waits for a clock that has stepped back");
    expect(writer->counts.aborts_disrupted == 1 && writer->counts.commits == 0, "it is not counted as such");
    expect(scene.read_code == ORDO_OK && scene.seen == 1, "a reader does not go on with what was there before");
    expect_over();
    close_db();
    return met;
}

static void commits(void)
{
    bool met = false;
    for (int tries = 0; tries < TRIES_MOST / 10 && !met && !failed; tries++)
        met = step_back(A_SECOND_OR_TWO, true);
    expect(met, "nobody met the commit: is anything tested?");
    (void)step_back(HOURS, false);
}

/* ---- a read and a begin that wait ---- */

static void *mark_soon(void *unused)
{
    (void)usleep(WAITED_US);
    mark(ORDO_RECORD_DISRUPTED);
    return unused;
}

static void read_of_the_future(uint64_t ahead, bool watched)
{
    struct pair found;
    pthread_t thread;
    open_db(SMALL, watched);
    skewed_clock_ticks = ahead;
    write_both(2);
    skewed_clock_ticks = 0;
    if (ordo_txn_begin(reader, ORDO_TXN_SERIALIZABLE) || pthread_create(&thread, NULL, mark_soon, NULL))
        exit(70);
    expect(ordo_txn_read(reader, table, 1, &found) == ORDO_E_DISRUPTED, "a read waits for a clock that is behind");
    expect(ordo_txn_read(reader, table, 2, &found) == ORDO_E_DISRUPTED, "its transaction goes on");
    expect(ordo_txn_commit(reader) == ORDO_E_DISRUPTED, "its transaction commits");
    pthread_join(thread, NULL);
    expect_over();
    close_db();
}

static void begin_after_own_end(void)
{
    pthread_t thread;
    if (!(engine->levels & ORDO_TXN_SNAPSHOT))
        return;
    open_db(SMALL, true);
    skewed_clock_ticks = A_SECOND_OR_TWO;
    write_both(2);
    skewed_clock_ticks = 0;
    if (pthread_create(&thread, NULL, mark_soon, NULL))
        exit(70);
    /* The writer's last begin is in the future as well. A serialisable transaction would use that begin instead of
     * waiting. */
    expect(ordo_txn_begin(writer, ORDO_TXN_SNAPSHOT) == ORDO_E_DISRUPTED, "a begin waits for its own last commit");
    expect(ordo_txn_commit(writer) == ORDO_E_INVALID, "and a transaction is open");
    pthread_join(thread, NULL);
    expect_over();
    close_db();
}

/* ---- a start on a clock that is behind the last ---- */

/* C8: a transaction begins no earlier than the worker's last transaction, so it needs no new start to read the same
 * versions again. Some of the tries must take less time than the boundary. */
static void begin_no_earlier(void)
{
    struct pair found;
    if (engine->levels & ORDO_TXN_SNAPSHOT)
        return; /* engines with snapshots wait at a begin, as tested above */
    open_db(LARGE, true);
    for (int i = 0; i < TRIES; i++) {
        write_both((uint64_t)i);
        for (int behind = 0; behind < 2; behind++) {
            skewed_clock_ticks = behind ? 0 : 2 * (uint64_t)LARGE;
            if (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY) || ordo_txn_read(reader, table, 1, &found) ||
                ordo_txn_commit(reader))
                exit(70);
        }
        skewed_clock_ticks = 0;
    }
    expect(reader->counts.extensions == 0, "a worker's start moves back with its clock");
    close_db();
}

/* ---- a change before a new start ---- */

static void write_and_pause(void)
{
    write_both(3);
    for (uint64_t begin = skewed_clock_native_read(); skewed_clock_native_read() - begin < 2 * (uint64_t)LARGE;)
        ;
}

/* Changes the record between the copy of the record and the new start that the read then needs: the read must not
 * return this copy, because it is older than the new start. */
static void change_before_the_start(void)
{
    struct pair first, second;
    open_db(LARGE, true);
    if (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY))
        exit(70);
    write_both(2);
    skewed_clock_meanwhile = write_and_pause;
    int code = ordo_txn_read(reader, table, 1, &first);
    expect(!skewed_clock_meanwhile || engine->levels & ORDO_TXN_SNAPSHOT, "no new start: is anything tested?");
    skewed_clock_meanwhile = NULL;
    if (code == ORDO_OK)
        code = ordo_txn_read(reader, table, 2, &second);
    int end = ordo_txn_commit(reader);
    expect(code != ORDO_OK || end != ORDO_OK || first.value == second.value, "the half of a transaction was read");
    close_db();
}

/* ---- a larger boundary ---- */

/* True if a reader on a clock that is ahead has seen half of a transaction that committed between its two reads. */
static bool is_torn(uint64_t value)
{
    struct pair first, second;
    skewed_clock_ticks = LARGE;
    if (ordo_txn_begin(reader, ORDO_TXN_READ_ONLY) || ordo_txn_read(reader, table, 1, &first))
        exit(70);
    skewed_clock_ticks = 0;
    write_both(value);
    skewed_clock_ticks = LARGE;
    int code = ordo_txn_read(reader, table, 2, &second);
    if (code == ORDO_OK)
        code = ordo_txn_commit(reader);
    else
        ordo_txn_abort(reader);
    skewed_clock_ticks = 0;
    return code == ORDO_OK && first.value != second.value;
}

static void raise_boundary(void)
{
    bool torn = false;
    open_db(SMALL, true);
    for (uint64_t value = 2; value < 2 + TRIES_MOST && !torn;
         value++) /* many tries, because a thread may lose its CPU for longer than the skew */
        torn = is_torn(value);
    expect(torn, "a boundary that is too small tears nothing: is anything tested?");
    expect(ordo_db_raise(db, LARGE) == ORDO_OK, "the boundary cannot be raised");
    for (uint64_t value = 10000; value < 10000 + TRIES; value++)
        expect(!is_torn(value), "with the boundary raised, a reader saw the half of a transaction");
    close_db();
}

int main(void)
{
    for (const struct ordo_db_engine *const *each = ordo_db_engines; *each; each++) {
        engine = *each;
        if (!engine->stamp || strcmp(engine->stamp, "ordo") != 0)
            continue;
        commits();
        read_of_the_future(A_SECOND_OR_TWO, true);
        read_of_the_future(HOURS, false);
        begin_after_own_end();
        begin_no_earlier();
        change_before_the_start();
        skewed_clock_agree = 1;
        raise_boundary();
        skewed_clock_agree = 0;
    }
    return failed;
}
