/* Interruptions in the middle of a call, without races: transactions of the second worker run inside a call of the
 * first worker, when that call allocates memory or touches a protected page. The interruption always comes at a moment
 * that a test with several threads would meet once in a million runs. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ordo/any.h>
#include <ordo/cc/txn.h>

enum { BOUNDARY = 1000, BYTES = 40, PAGES = 3 };

static const struct ordo_db_engine *engine;
static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *one, *two;
static size_t record_bytes;

static void (*meanwhile)(void); /* the interruption by worker two; runs once */
static int countdown = -1;      /* number of allocations before it runs */
static unsigned char *first_large;

static void interrupt(void)
{
    void (*now)(void) = meanwhile;
    meanwhile = NULL;
    if (now)
        now();
}

static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    if (countdown >= 0 && countdown-- == 0)
        interrupt();
    unsigned char *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (!first_large && record_bytes > BYTES && bytes >= record_bytes)
        first_large = memory;
    return memory;
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context, (void)bytes;
    free(memory);
}

/* Returns the clock of the stamp "any": the counter, or the kernel's clock if the environment says ANY_KIND=kernel. */
static const struct ordo *any_clock(void)
{
    static const struct ordo_any counter = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_COUNTER),
                                 kernel = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_KERNEL);
    const char *kind = getenv("ANY_KIND");
    return kind && strcmp(kind, "kernel") == 0 ? &kernel.handle : &counter.handle;
}

/* Returns the handle for the stamp "corrected", a clock without corrections, or for "any", either clock; otherwise
 * NULL. */
static const struct ordo *watch_of(void)
{
    static const int64_t nothing[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(BOUNDARY, 1000000000, nothing);
    if (engine->stamp && strcmp(engine->stamp, "any") == 0)
        return any_clock();
    return engine->stamp && strcmp(engine->stamp, "corrected") == 0 ? &clocks.handle : NULL;
}

static void open_engine(size_t bytes)
{
    struct ordo_db_options options = {
        .memory = {allocate, release, NULL}, .boundary_ticks = BOUNDARY, .watch = watch_of()};
    struct ordo_table_spec spec = {.record_bytes = bytes, .rows = 100};
    record_bytes = bytes;
    first_large = NULL;
    meanwhile = NULL;
    countdown = -1;
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &two), ORDO_OK);
}

static void close_engine(void)
{
    struct ordo_error error;
    ordo_worker_leave(one);
    ordo_worker_leave(two);
    int code = ordo_db_audit(db, &error);
    cr_expect_eq(code, ORDO_OK, "%s/%s: %s", engine->name, engine->stamp ? engine->stamp : "-", error.text);
    ordo_db_close(db);
}

static bool is_single(void)
{
    return !(engine->levels & ORDO_TXN_SNAPSHOT);
}

static void begin(struct ordo_worker *worker)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
}

static int put(struct ordo_worker *worker, uint64_t key, char letter)
{
    void *record;
    int code = ordo_txn_update(worker, table, key, &record);
    if (code == ORDO_TXN_ABSENT)
        code = ordo_txn_insert(worker, table, key, &record);
    if (code == ORDO_OK)
        memset(record, letter, record_bytes);
    return code;
}

/* Returns the letter with which the record is filled; '-': there is no record; '/': the record has different bytes;
 * '!': the transaction is over. */
static char get(struct ordo_worker *worker, uint64_t key)
{
    static char record[1 << 16];
    int code = ordo_txn_read(worker, table, key, record);
    if (code != ORDO_OK)
        return code == ORDO_TXN_ABSENT ? '-' : '!';
    for (size_t i = 1; i < record_bytes; i++)
        if (record[i] != record[0])
            return '/';
    return record[0];
}

static void run(struct ordo_worker *worker, uint64_t key, char letter)
{
    begin(worker);
    cr_assert_eq(letter == '-' ? ordo_txn_remove(worker, table, key) : put(worker, key, letter), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
}

/* ---- at an allocation: between finding a record and reading it ---- */

/* Worker two has found record 1 missing, so the index contains an absent record for it. Now this transaction ends, and
 * another transaction of worker two inserts record 1. */
static void replace_the_absent(void)
{
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
    begin(two);
    cr_expect(put(two, 1, 'n') == ORDO_OK && put(two, 2, 'n') == ORDO_OK);
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
}

Test(interrupted, a_search_ignores_a_record_that_is_replaced_meanwhile)
{
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++)
        for (int after = 0; after < 12; after++) {
            void *record;
            engine = *at;
            open_engine(BYTES);
            run(two, 2, 'o');
            begin(two);
            cr_assert_eq(get(two, 1), '-');
            begin(one);
            meanwhile = replace_the_absent;
            countdown = after;
            int code = ordo_txn_update(one, table, 1, &record);
            countdown = -1;
            char other = code == ORDO_TXN_ABSENT ? get(one, 2) : '!';
            int end = ordo_txn_commit(one);
            cr_expect(other != 'n' || end != ORDO_OK,
                      "%s/%s: record 1 is absent, but record 2 of the same transaction is seen; allocation %d",
                      engine->name, engine->stamp ? engine->stamp : "-", after);
            ordo_txn_abort(two); /* if the interruption did not run */
            close_engine();
        }
}

/* ---- at an access to a page: between the two reads of a record's word, and while the record is locked ---- */

static unsigned char *wall;
static size_t wall_bytes;

static void climb(int signal_number, siginfo_t *info, void *context)
{
    const unsigned char *at = info->si_addr;
    (void)context;
    if (!wall || at < wall || at >= wall + wall_bytes) {
        (void)signal(signal_number, SIG_DFL); /* any other fault happens again, without this handler */
        return;
    }
    (void)mprotect(wall, wall_bytes, PROT_READ | PROT_WRITE);
    wall = NULL;
    interrupt();
}

/* Protects a page in the middle of the memory. `meanwhile` runs at the first access to the page or, with `readable`, at
 * the first write. */
static void build_wall(unsigned char *memory, bool readable)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = climb, .sa_flags = SA_SIGINFO | SA_NODEFER};
    cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
    wall = memory + (2 * page - (uintptr_t)memory % page);
    wall_bytes = page;
    cr_assert_eq(mprotect(wall, page, readable ? PROT_READ : PROT_NONE), 0);
}

static void tear_down(void)
{
    if (wall)
        (void)mprotect(wall, wall_bytes, PROT_READ | PROT_WRITE);
    wall = NULL;
}

static void overwrite(void)
{
    run(two, 1, 'n');
}

/* The record changes while it is copied. The copy must not mix two versions. */
Test(interrupted, a_copy_never_mixes_two_versions)
{
    size_t bytes = (PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++) {
        unsigned char *copy = aligned_alloc(64, bytes);
        engine = *at;
        open_engine(bytes);
        cr_assert_not_null(copy);
        run(two, 1, 'o');
        begin(one);
        meanwhile = overwrite;
        build_wall(copy, false);
        int code = ordo_txn_read(one, table, 1, copy);
        cr_expect_null(meanwhile, "%s: the other transaction did not run in between: the test tested nothing",
                       engine->name);
        tear_down();
        for (size_t i = 1; code == ORDO_OK && i < bytes; i++)
            cr_assert_eq(copy[i], copy[0], "%s/%s: byte %zu is %c, the first %c", engine->name,
                         engine->stamp ? engine->stamp : "-", i, copy[i], copy[0]);
        ordo_txn_abort(one);
        close_engine();
        free(copy);
    }
}

static int two_ended;

static void commit_two(void)
{
    two_ended = ordo_txn_commit(two);
}

/* Worker one has read record 2 and writes record 1; worker two has read record 1 and writes record 2. Worker two
 * commits while worker one, which has been validated, installs its write: worker two must find record 1 locked, and
 * fail. */
Test(interrupted, validation_fails_if_another_transaction_locks_a_read_record)
{
    size_t bytes = (PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++) {
        engine = *at;
        if (!is_single())
            continue;
        open_engine(bytes);
        run(two, 1, 'o');
        unsigned char *record_1 = first_large;
        run(two, 2, 'o');
        for (int i = 0; i < 5;
             i++) /* in engines that extend the validity of a read, worker two must extend that of record 1 */
            run(two, 2, 'p');
        begin(one), begin(two);
        cr_assert(get(one, 2) == 'p' && get(two, 1) == 'o');
        cr_assert(put(one, 1, 'n') == ORDO_OK && put(two, 2, 'n') == ORDO_OK);
        meanwhile = commit_two;
        build_wall(record_1, true);
        int ended = ordo_txn_commit(one);
        cr_expect_null(meanwhile, "%s: the other transaction did not run in between: the test tested nothing",
                       engine->name);
        tear_down();
        if (meanwhile)
            commit_two();
        cr_expect_eq(ended, ORDO_OK);
        cr_expect_eq(two_ended, ORDO_TXN_CONFLICT, "%s/%s: both transactions of a write skew committed", engine->name,
                     engine->stamp ? engine->stamp : "-");
        begin(two);
        cr_expect(get(two, 1) == 'n' && get(two, 2) == 'p');
        cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
        close_engine();
    }
}

/* ---- between two calls ---- */

/* Record 2 is old and known to be valid for a long time. Another transaction removes record 1 and changes record 2;
 * then record 1 may be inserted again. A transaction that has read the old record 2 must not see record 1 as it is
 * after the removal. */
static void removed_between(bool comes_back)
{
    open_engine(BYTES);
    run(two, 2, 'o');
    for (int i = 0; i < 50; i++)
        run(two, 1, 'o');
    begin(two);
    cr_assert(get(two, 1) == 'o' && get(two, 2) == 'o');
    cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
    begin(one);
    cr_assert_eq(get(one, 2), 'o');
    begin(two);
    cr_assert(ordo_txn_remove(two, table, 1) == ORDO_OK && put(two, 2, 'n') == ORDO_OK);
    cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
    if (comes_back)
        run(two, 1, 'n');
    char seen = get(one, 1);
    int end = ordo_txn_commit(one);
    cr_expect(end != ORDO_OK || seen == 'o',
              "%s/%s: record 2 is from before the removal, and record 1 from after it: %c", engine->name,
              engine->stamp ? engine->stamp : "-", seen);
    close_engine();
}

Test(interrupted, a_reinserted_record_is_newer_than_the_removal)
{
    for (const struct ordo_db_engine *const *at = ordo_db_engines; *at; at++) {
        engine = *at;
        removed_between(false);
        removed_between(true);
    }
}
