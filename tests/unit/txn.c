/* The promises of every engine to one or two transactions. */
#include <criterion/criterion.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ordo/any.h>
#include <ordo/cc/txn.h>

enum { BYTES = 43, BOUNDARY = 1000 };

static struct ordo_db *db;
static struct ordo_table *table;
static struct ordo_worker *one, *two;
enum { LARGE_BYTES = 200000 };

static int64_t outstanding_bytes;
static int large_blocks;    /* number of blocks that are as large as only a long queue of retired items is */
static int64_t nap_ns;      /* the longest requested nap */
static int64_t most_bytes;  /* the largest sum of all blocks so far */
static int fail_after = -1; /* number of successful allocations before the first failure; -1: none fails */
static bool fence_fails;    /* membarrier() fails */
static int fences;          /* number of calls of membarrier() */
static uint64_t rows = 100; /* the expected size of the table */

static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    if (fail_after >= 0 && fail_after-- == 0) {
        fail_after = 0;
        return NULL;
    }
    outstanding_bytes += (int64_t)bytes;
    most_bytes = outstanding_bytes > most_bytes ? outstanding_bytes : most_bytes;
    large_blocks += bytes > LARGE_BYTES;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context;
    outstanding_bytes -= (int64_t)bytes;
    large_blocks -= bytes > LARGE_BYTES;
    free(memory);
}

/* Replaces the library's naps (CMakeLists.txt): returns at once. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    int64_t ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
    (void)left;
    nap_ns = ns > nap_ns ? ns : nap_ns;
    return 0;
}

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Replaces the library's system calls: membarrier() fails if the test says so. */
long __wrap_syscall(long number, ...)
{
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    fences += number == SYS_membarrier && (int)arguments[0] == MEMBARRIER_CMD_PRIVATE_EXPEDITED;
    if (number == SYS_membarrier && fence_fails)
        return -1;
    return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
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
static const struct ordo *watch_of(const struct ordo_db_engine *engine)
{
    static const int64_t nothing[ORDO_CORRECTED_CPUS];
    static const struct ordo_corrected clocks = ORDO_CORRECTED_INIT(BOUNDARY, 1000000000, nothing);
    if (engine->stamp && strcmp(engine->stamp, "any") == 0)
        return any_clock();
    return engine->stamp && strcmp(engine->stamp, "corrected") == 0 ? &clocks.handle : NULL;
}

static bool is_bounded(const struct ordo_db_engine *engine)
{
    return engine->stamp && (strcmp(engine->stamp, "ordo") == 0 || strcmp(engine->stamp, "corrected") == 0 ||
                             strcmp(engine->stamp, "any") == 0);
}

/* True if the tables are dense (TABLE=dense in the environment). */
static bool is_dense(void)
{
    const char *kind = getenv("TABLE");
    return kind && strcmp(kind, "dense") == 0;
}

/* Returns the description of a table with an expected number of rows; if it is dense, all keys of the tests are below
 * the number. */
static struct ordo_table_spec spec_of(size_t bytes, uint64_t expected, bool ordered)
{
    enum { DENSE_ROWS = 3000 };
    return (struct ordo_table_spec){.record_bytes = bytes,
                                    .rows = is_dense() && expected < DENSE_ROWS ? DENSE_ROWS : expected,
                                    .ordered = ordered,
                                    .dense = is_dense()};
}

static void open_engine(const struct ordo_db_engine *engine)
{
    struct ordo_db_options options = {
        .memory = {allocate, release, NULL}, .boundary_ticks = BOUNDARY, .watch = watch_of(engine)};
    struct ordo_table_spec spec = spec_of(BYTES, rows, engine->scans);
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &two), ORDO_OK);
}

static void close_engine(const struct ordo_db_engine *engine)
{
    struct ordo_error error;
    ordo_worker_leave(one);
    ordo_worker_leave(two);
    int code = ordo_db_audit(db, &error);
    cr_expect_eq(code, ORDO_OK, "%s/%s: %s", engine->name, engine->stamp ? engine->stamp : "-", error.text);
    ordo_db_close(db);
    cr_expect_eq(outstanding_bytes, 0, "%s: %lld bytes", engine->name, (long long)outstanding_bytes);
}

static void begin(struct ordo_worker *worker)
{
    cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
}

static int put(struct ordo_worker *worker, uint64_t key, char letter)
{
    void *record;
    int code = ordo_txn_insert(worker, table, key, &record);
    if (code == ORDO_TXN_EXISTS)
        code = ordo_txn_update(worker, table, key, &record);
    if (code == ORDO_OK)
        memset(record, letter, BYTES);
    return code;
}

/* Returns the record's letter; '-': there is no record; '!': any other code. */
static char get(struct ordo_worker *worker, uint64_t key)
{
    char record[BYTES + 1] = {[BYTES] = '?'};
    int code = ordo_txn_read(worker, table, key, record);
    cr_expect_eq(record[BYTES], '?');
    return code == ORDO_OK && record[0] == record[BYTES - 1] ? record[0] : code == ORDO_TXN_ABSENT ? '-' : '!';
}

static void run(struct ordo_worker *worker, uint64_t key, char letter)
{
    begin(worker);
    cr_assert_eq(letter == '-' ? ordo_txn_remove(worker, table, key) : put(worker, key, letter), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
}

static char look(struct ordo_worker *worker, uint64_t key)
{
    begin(worker);
    char letter = get(worker, key);
    cr_expect_eq(ordo_txn_commit(worker), ORDO_OK);
    return letter;
}

static void each(void (*test)(void))
{
    int engines = 0;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++, engines++) {
        open_engine(*engine);
        test();
        close_engine(*engine);
        cr_expect_eq(ordo_db_engine_find((*engine)->name, (*engine)->stamp), *engine);
    }
    cr_expect_geq(engines, 14, "%d engines: some are missing", engines);
}

static void lives(void)
{
    cr_expect_eq(look(one, 7), '-');
    run(one, 7, 'a');
    cr_expect_eq(look(two, 7), 'a');
    run(two, 7, 'b');
    cr_expect_eq(look(one, 7), 'b');
    run(one, 7, '-');
    cr_expect_eq(look(two, 7), '-');
    run(two, 7, 'c');
    cr_expect_eq(look(one, 7), 'c');
}

Test(txn, a_record_is_inserted_changed_and_removed)
{
    each(lives);
}

static void own_writes(void)
{
    void *record;
    begin(one);
    cr_expect_eq(put(one, 1, 'a'), ORDO_OK);
    cr_expect_eq(get(one, 1), 'a');
    cr_expect_eq(ordo_txn_insert(one, table, 1, &record), ORDO_TXN_EXISTS);
    cr_expect_eq(put(one, 1, 'b'), ORDO_OK);
    cr_expect_eq(get(one, 1), 'b');
    cr_expect_eq(ordo_txn_remove(one, table, 1), ORDO_OK);
    cr_expect_eq(get(one, 1), '-');
    cr_expect_eq(ordo_txn_remove(one, table, 1), ORDO_TXN_ABSENT);
    cr_expect_eq(ordo_txn_update(one, table, 1, &record), ORDO_TXN_ABSENT);
    cr_expect_eq(put(one, 1, 'c'), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(look(two, 1), 'c');
}

Test(txn, a_transaction_sees_its_own_writes)
{
    each(own_writes);
}

/* A transaction writes while another one commits. One key is missing. The other transaction deletes a key that the
 * first has updated, so the first cannot commit. */
static void own_writes_beside_others(void)
{
    void *record;
    begin(one);
    cr_expect_eq(put(one, 7, 'a'), ORDO_OK);
    for (int times = 0; times < 3; times++) {
        cr_expect_eq(look(two, 7), '-');
        cr_expect_eq(get(one, 7), 'a');
        cr_expect_eq(ordo_txn_insert(one, table, 7, &record), ORDO_TXN_EXISTS);
        cr_expect_eq(ordo_txn_update(one, table, 7, &record), ORDO_OK);
    }
    begin(two);
    (void)put(two, 7, 'b');
    ordo_txn_abort(two);
    cr_expect_eq(get(one, 7), 'a');
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(look(two, 7), 'a');
    begin(one), begin(two);
    cr_expect_eq(put(one, 7, 'c'), ORDO_OK);
    if (ordo_txn_remove(two, table, 7) == ORDO_OK) {
        cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
        cr_expect_eq(get(one, 7), 'c');
        cr_expect_eq(ordo_txn_remove(one, table, 7), ORDO_OK);
        cr_expect_eq(get(one, 7), '-');
        cr_expect_eq(ordo_txn_commit(one), ORDO_TXN_CONFLICT);
    } else { /* hekaton claims a record at the first write, so the other transaction fails */
        ordo_txn_abort(two);
        cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    }
}

Test(txn, a_transaction_sees_its_own_writes_during_other_commits)
{
    each(own_writes_beside_others);
}

/* Two transactions read a missing key. When one of them ends, the read of the other stays valid. */
static void readers_of_nothing(void)
{
    begin(one);
    cr_expect_eq(get(one, 7), '-');
    cr_expect_eq(look(two, 7), '-');
    cr_expect_eq(get(one, 7), '-');
    begin(two);
    cr_expect_eq(get(two, 7), '-');
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(put(two, 7, 'a'), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
    cr_expect_eq(look(one, 7), 'a');
}

Test(txn, readers_of_a_missing_key_do_not_disturb_each_other)
{
    each(readers_of_nothing);
}

static void aborts(void)
{
    run(one, 1, 'a');
    begin(one);
    cr_expect_eq(put(one, 1, 'b'), ORDO_OK);
    cr_expect_eq(put(one, 2, 'b'), ORDO_OK);
    cr_expect_eq(get(one, 3), '-');
    ordo_txn_abort(one);
    cr_expect_eq(look(one, 1), 'a');
    cr_expect_eq(look(two, 2), '-');
    begin(one);
    cr_expect_eq(ordo_txn_remove(one, table, 1), ORDO_OK);
    ordo_txn_abort(one);
    cr_expect_eq(look(two, 1), 'a');
    ordo_txn_abort(two); /* no transaction is open */
    cr_expect_eq(one->counts.aborts_user, 2);
}

Test(txn, an_aborted_transaction_leaves_no_effect)
{
    each(aborts);
}

/* Each transaction reads the record that the other writes: one of them must not commit. */
static void write_skew(void)
{
    run(one, 1, 'a'), run(one, 2, 'a');
    begin(one), begin(two);
    cr_expect_eq(get(one, 1), 'a');
    cr_expect_eq(get(two, 2), 'a');
    bool first = put(one, 2, 'b') == ORDO_OK, second = put(two, 1, 'b') == ORDO_OK;
    first = ordo_txn_commit(one) == ORDO_OK && first;
    second = ordo_txn_commit(two) == ORDO_OK && second;
    cr_expect(first != second);
}

Test(txn, a_write_skew_aborts_one_transaction)
{
    each(write_skew);
}

/* Each transaction reads the absent record that the other one inserts: one of them must not commit. */
static void missing_skew(void)
{
    begin(one), begin(two);
    cr_expect_eq(get(one, 1), '-');
    cr_expect_eq(get(two, 2), '-');
    bool first = put(one, 2, 'b') == ORDO_OK, second = put(two, 1, 'b') == ORDO_OK;
    first = ordo_txn_commit(one) == ORDO_OK && first;
    second = ordo_txn_commit(two) == ORDO_OK && second;
    cr_expect(first != second);
}

Test(txn, a_missing_key_is_part_of_the_read_set)
{
    each(missing_skew);
}

/* A transaction has found a key missing. Another reader buries the absent record; then a third transaction inserts the
 * key as a new record and changes another key. */
static void missing_comes_back(void)
{
    for (int i = 0; i < 50; i++)
        run(two, 2, 'a');
    begin(one);
    cr_expect_eq(get(one, 1), '-');
    cr_expect_eq(look(two, 1), '-');
    begin(two);
    cr_expect_eq(put(two, 1, 'b'), ORDO_OK);
    cr_expect_eq(put(two, 2, 'b'), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
    char seen = get(one, 2);
    cr_expect(ordo_txn_commit(one) != ORDO_OK || seen == 'a', "%s/%s saw %c", one->engine->name,
              one->engine->stamp ? one->engine->stamp : "-", seen);
}

Test(txn, a_missing_key_that_appears_is_noticed)
{
    each(missing_comes_back);
}

static void lost_update(void)
{
    void *record;
    run(one, 1, 'a');
    begin(one), begin(two);
    bool first = ordo_txn_update(one, table, 1, &record) == ORDO_OK;
    bool second = ordo_txn_update(two, table, 1, &record) == ORDO_OK;
    first = ordo_txn_commit(one) == ORDO_OK && first;
    second = ordo_txn_commit(two) == ORDO_OK && second;
    cr_expect(first != second);
}

Test(txn, updates_are_not_lost)
{
    each(lost_update);
}

/* Gives wrong hints for many keys: most keys are absent, another transaction has written one of them, and there are
 * more keys than the table has. */
static void hints(void)
{
    enum { LOOKED_AT = 64 };
    uint64_t *keys = malloc(LOOKED_AT * sizeof *keys);
    cr_assert(keys);
    for (uint64_t i = 0; i < LOOKED_AT; i++)
        keys[i] = i;
    for (int i = 0; i < 300; i++) /* fills the pool, so that there is memory for new versions to prefetch */
        run(one, 1, 'a');
    cr_expect_gt(one->counts.versions_reclaimed, 2);
    run(one, 2, 'b');
    begin(two);
    cr_expect_eq(put(two, 1, 'c'), ORDO_OK);
    begin(one);
    ordo_txn_prefetch(one, table, keys, UINT_MAX, UINT64_MAX);
    ordo_txn_prefetch(one, table, keys, LOOKED_AT, 0);
    ordo_txn_prefetch(one, table, NULL, 0, UINT64_MAX);
    cr_expect_eq(get(one, 2), 'b');
    cr_expect_eq(get(one, 3), '-');
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    begin(one);
    cr_expect_eq(get(one, 1), 'c');
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    free(keys);
}

Test(txn, prefetch_hints_do_not_change_results)
{
    each(hints);
}

static void expect_closed(struct ordo_worker *worker)
{
    char record[64];
    void *to;
    cr_expect_eq(ordo_txn_commit(worker), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_read(worker, table, 1, record), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_update(worker, table, 1, &to), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_insert(worker, table, 1, &to), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_remove(worker, table, 1), ORDO_E_INVALID);
    ordo_txn_prefetch(worker, table, &(uint64_t){1}, 1, 1);
}

static void misuse(void)
{
    void *record;
    expect_closed(one);
    run(one, 1, 'a');
    expect_closed(one);
    run(two, 1, '-');
    begin(one);
    ordo_txn_abort(one);
    expect_closed(one);
    cr_expect_eq(ordo_txn_begin(one, (enum ordo_txn_level)8), ORDO_E_INVALID);
    cr_assert_eq(ordo_txn_begin(one, ORDO_TXN_READ_ONLY), ORDO_OK);
    cr_expect_eq(ordo_txn_begin(one, ORDO_TXN_READ_ONLY), ORDO_E_INVALID);
    cr_expect_eq(get(one, 1), '-');
    cr_expect_eq(ordo_txn_insert(one, table, 1, &record), ORDO_E_INVALID);
    cr_expect_eq(ordo_txn_read(one, table, 1, one), ORDO_TXN_CONFLICT, "doomed");
    cr_expect_eq(ordo_txn_commit(one), ORDO_TXN_CONFLICT);
    begin(one);
    cr_expect_eq(ordo_txn_insert(one, table, UINT64_MAX, &record), ORDO_E_INVALID);
    ordo_txn_abort(one);
}

Test(txn, calls_that_are_not_allowed_are_refused)
{
    each(misuse);
}

/* A program may assign a record as an object of any type; the compiler then uses instructions that require the
 * alignment of the type. */
typedef long long aligned_16 __attribute__((vector_size(16)));
struct aligned_64 {
    _Alignas(64) unsigned char bytes[192];
};

static size_t record_bytes;

/* Writes bytes that differ from each other, and from the bytes of the previous round. */
static void write_bytes(unsigned char *record, int round)
{
    for (size_t i = 0; i < record_bytes; i++)
        record[i] = (unsigned char)(7 * (size_t)round + i + i / 256);
}

/* Expects that a read returns the bytes written in this round, and writes no byte behind them. */
static void expect_bytes(uint64_t key, int round)
{
    unsigned char expected[4096 + 1], record[4096 + 1];
    write_bytes(expected, round);
    expected[record_bytes] = record[record_bytes] = 0x5a;
    begin(one);
    cr_expect_eq(ordo_txn_read(one, table, key, record), ORDO_OK);
    cr_expect_eq(memcmp(record, expected, record_bytes + 1), 0, "%s, %zu bytes", ordo_db_engine_of(db)->name,
                 record_bytes);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
}

/* Writes a record by assigning the most aligned type that fits into it. */
static void write_aligned(void *record, unsigned char letter)
{
    cr_expect_eq((uintptr_t)record % (record_bytes <= 32 ? 32 : ORDO_TXN_RECORD_ALIGN), 0, "%zu bytes at %p",
                 record_bytes, record);
    memset(record, letter, record_bytes);
    if (record_bytes >= sizeof(aligned_16) && (uintptr_t)record % 16 == 0)
        *(volatile aligned_16 *)record += 1;
    if (record_bytes >= sizeof(long double) && (uintptr_t)record % 16 == 0)
        *(volatile long double *)record = letter;
    if (record_bytes >= sizeof(struct aligned_64) && (uintptr_t)record % 64 == 0)
        *(struct aligned_64 *)record = (struct aligned_64){.bytes = {letter}};
}

static int visit_aligned(void *context, uint64_t key, const void *record)
{
    (void)context, (void)key;
    cr_expect_eq((uintptr_t)record % (record_bytes <= 32 ? 32 : ORDO_TXN_RECORD_ALIGN), 0, "%zu bytes at %p",
                 record_bytes, record);
    return 0;
}

static void aligned_records(bool ordered)
{
    void *record;
    for (int round = 0; round < 200; round++) { /* so often that memory is reused */
        begin(one);
        for (uint64_t key = 0; key < 3; key++) {
            int code = round ? ordo_txn_update(one, table, key, &record) : ordo_txn_insert(one, table, key, &record);
            cr_assert_eq(code, ORDO_OK);
            write_aligned(record, (unsigned char)round);
            write_bytes(record, round);
        }
        if (ordered)
            cr_expect_eq(ordo_txn_scan(one, table, 0, 9, visit_aligned, NULL), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
        if (round % 20 == 0)
            expect_bytes(2, round);
    }
}

static void aligned_table(const struct ordo_db_engine *engine, bool ordered)
{
    struct ordo_db_options options = {
        .memory = {allocate, release, NULL}, .boundary_ticks = BOUNDARY, .watch = watch_of(engine)};
    struct ordo_table_spec spec = spec_of(record_bytes, 8, ordered);
    cr_assert_eq(ordo_db_open(&db, engine, &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &two), ORDO_OK);
    aligned_records(ordered);
    close_engine(engine);
}

Test(txn, records_of_every_size_are_aligned_and_whole)
{
    static const size_t sizes[] = {1, 7, 8, 12, 16, 24, 31, 32, 33, 40, 64, 100, 192, 1000, 1024, 4096};
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            record_bytes = sizes[i];
            aligned_table(*engine, false);
            if ((*engine)->scans)
                aligned_table(*engine, true);
        }
}

/* ---- views ---- */

static char seen(const void *view)
{
    const char *record = view;
    return record[0] == record[BYTES - 1] ? record[0] : '!';
}

/* A viewed record does not change until the transaction ends, for any number of writes by other transactions. */
static void views_last(void)
{
    const void *first, *second, *again;
    run(two, 1, 'a');
    run(two, 2, 'b');
    begin(one);
    cr_expect_eq(ordo_txn_view(one, table, 1, &first), ORDO_OK);
    cr_expect_eq(ordo_txn_view(one, table, 2, &second), ORDO_OK);
    cr_expect_eq(ordo_txn_view(one, table, 3, &again), ORDO_TXN_ABSENT);
    for (int i = 0; i < 300; i++)
        run(two, 1 + (uint64_t)i % 2, i % 3 == 0 ? 'x' : 'y');
    cr_expect_eq(seen(first), 'a');
    cr_expect_eq(seen(second), 'b');
    (void)ordo_txn_commit(one);
    begin(one);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(look(one, 1), look(two, 1));
}

/* Pruning neither moves nor changes a record that a snapshot views. */
static void view_of_a_snapshot(void)
{
    const void *first;
    char record[BYTES];
    run(two, 1, 'a');
    cr_assert_eq(ordo_txn_begin(one, ORDO_TXN_READ_ONLY), ORDO_OK);
    int code = ordo_txn_view(one, table, 1, &first);
    cr_expect_eq(code, ORDO_OK);
    for (int i = 0; i < 600; i++)
        run(two, 1, 'x');
    cr_expect_eq(seen(first), 'a');
    cr_expect(one->engine->levels & ORDO_TXN_SNAPSHOT
                  ? ordo_txn_read(one, table, 1, record) == ORDO_OK && record[0] == 'a'
                  : true);
    (void)ordo_txn_commit(one);
}

/* A view shows the transaction's own writes, and is validated like a read. */
static void views_are_reads(void)
{
    const void *view, *before;
    run(one, 1, 'a');
    run(one, 2, 'b');
    for (char letter = 'p'; letter < 'u'; letter++) /* tictoc commits the last transaction after these writes */
        run(one, 4, letter);
    begin(one);
    cr_expect_eq(ordo_txn_view(one, table, 1, &before), ORDO_OK);
    cr_expect_eq(put(one, 1, 'c'), ORDO_OK);
    cr_expect_eq(put(one, 3, 'd'), ORDO_OK);
    cr_expect_eq(ordo_txn_view(one, table, 1, &view), ORDO_OK);
    cr_expect_eq(seen(view), 'c');
    cr_expect_eq(seen(before), 'a', "the earlier view is unchanged");
    cr_expect_eq(ordo_txn_view(one, table, 3, &view), ORDO_OK);
    cr_expect_eq(seen(view), 'd');
    cr_expect_eq(ordo_txn_remove(one, table, 1), ORDO_OK);
    cr_expect_eq(ordo_txn_view(one, table, 1, &view), ORDO_TXN_ABSENT);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    begin(one);
    cr_expect_eq(ordo_txn_view(one, table, 2, &view), ORDO_OK);
    cr_expect_eq(put(one, 4, 'e'), ORDO_OK);
    run(two, 2, 'x');
    cr_expect_eq(ordo_txn_commit(one), ORDO_TXN_CONFLICT, "a view is validated like a read");
    cr_expect_eq(ordo_txn_view(one, table, 2, &view), ORDO_E_INVALID, "no transaction is open");
}

Test(txn, a_viewed_record_is_stable_until_the_transaction_ends)
{
    each(views_last);
    each(view_of_a_snapshot);
    each(views_are_reads);
}

/* A larger boundary is accepted at rest. It is refused while a transaction is open, and a boundary that is not larger,
 * or is infinite, is always refused. */
Test(txn, the_boundary_can_be_raised_only_at_rest)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        bool bounded = is_bounded(*engine);
        int refused = bounded ? ORDO_E_INVALID : ORDO_OK;
        open_engine(*engine);
        run(one, 1, 'a');
        cr_expect_eq(ordo_db_raise(db, BOUNDARY - 1), refused);
        cr_expect_eq(ordo_db_raise(db, BOUNDARY), refused);
        cr_expect_eq(ordo_db_raise(db, UINT64_MAX), refused);
        begin(two);
        cr_expect_eq(ordo_db_raise(db, 2 * BOUNDARY), ORDO_E_INVALID);
        cr_expect_eq(get(two, 1), 'a', "and the transaction goes on");
        cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
        cr_expect_eq(ordo_db_raise(db, 2 * BOUNDARY), ORDO_OK);
        cr_expect_eq(ordo_db_raise(db, 2 * BOUNDARY), refused);
        run(one, 1, 'b');
        cr_expect_eq(look(two, 1), 'b');
        close_engine(*engine);
    }
}

Test(txn, exceeded_limits_are_refused_with_an_error_code)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        struct ordo_db_options options = {
            .workers = UINT16_MAX, .boundary_ticks = BOUNDARY, .watch = watch_of(*engine)};
        struct ordo_table_spec spec = {.record_bytes = 8, .rows = 1};
        struct ordo_worker *third = NULL;
        cr_expect_eq(ordo_db_open(&db, *engine, &options), ORDO_E_INVALID);
        options.workers = 2;
        cr_assert_eq(ordo_db_open(&db, *engine, &options), ORDO_OK);
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
            cr_assert_eq(ordo_worker_join(db, &two), ORDO_OK);
            cr_expect(one->index < 2 && two->index < 2 && one->index != two->index);
            cr_expect_eq(ordo_worker_join(db, &third), ORDO_E_INVALID);
            ordo_worker_leave(one);
            ordo_worker_leave(two);
        }
        spec.record_bytes = 0;
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID);
        spec.record_bytes = (1u << 20) + 1;
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID);
        spec = (struct ordo_table_spec){.record_bytes = 8, .rows = (UINT64_C(1) << 36) + 1};
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID);
        spec = (struct ordo_table_spec){.record_bytes = 1u << 20, .rows = 1, .ordered = true};
        cr_expect_eq(ordo_table_add(db, &spec, &table), (*engine)->scans ? ORDO_OK : ORDO_E_INVALID);
        spec.ordered = false;
        for (int tables = (*engine)->scans; tables < 64; tables++)
            cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_OK, "%d", tables);
        cr_expect_eq(ordo_table_add(db, &spec, &table), ORDO_E_INVALID, "the 65th");
        ordo_db_close(db);
    }
}

/* A boundary of 0, which means that the caller forgot it, is refused by stamps that read clocks. The other stamps need
 * no boundary. */
Test(txn, hardware_time_requires_a_boundary)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        struct ordo_db_options options = {.boundary_ticks = 0, .watch = watch_of(*engine)};
        bool bounded = is_bounded(*engine);
        int code = ordo_db_open(&db, *engine, &options);
        cr_expect_eq(code, bounded ? ORDO_E_INVALID : ORDO_OK, "%s", (*engine)->name);
        if (code == ORDO_OK)
            ordo_db_close(db);
        options.unsafe_boundary = true;
        cr_assert_eq(ordo_db_open(&db, *engine, &options), ORDO_OK);
        ordo_db_close(db);
    }
}

/* Corrected times, times of the kernel's clock and plain times must not be compared with each other, so an engine
 * accepts only handles whose kind fits its stamp. */
Test(txn, a_handle_of_another_kind_is_refused)
{
    enum { NONE, PLAIN, CORRECTED, KERNEL, KINDS };
    static const struct ordo plain = ORDO_INIT(BOUNDARY, 1000000000);
    static const struct ordo_any kernel = ORDO_ANY_INIT(BOUNDARY, 1000000000, ORDO_ANY_KERNEL);
    const struct ordo *corrected = watch_of(ordo_db_engine_find("hekaton", "corrected"));
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        struct ordo_db_options options = {.boundary_ticks = BOUNDARY};
        const struct ordo *const watches[KINDS] = {NULL, &plain, corrected, &kernel.handle};
        const char *stamp = (*engine)->stamp ? (*engine)->stamp : "batch";
        for (int kind = 0; kind < KINDS; kind++) {
            options.watch = watches[kind];
            bool taken = strcmp(stamp, "logical") == 0 || strcmp(stamp, "batch") == 0 ||
                         (strcmp(stamp, "corrected") == 0 ? kind == CORRECTED
                          : strcmp(stamp, "any") == 0     ? kind == PLAIN || kind == KERNEL
                                                          : kind == NONE || kind == PLAIN);
            int code = ordo_db_open(&db, *engine, &options);
            cr_expect_eq(code, taken ? ORDO_OK : ORDO_E_INVALID, "%s/%s, %d", (*engine)->name, (*engine)->stamp, kind);
            if (code == ORDO_OK)
                ordo_db_close(db);
        }
    }
}

/* Items that large transactions retire are reclaimed as fast as they are retired. */
static void large_transactions(void)
{
    enum { KEYS = 200, ROUNDS = 300 };
    int64_t at_first = 0;
    for (int round = 0; round < ROUNDS; round++) {
        begin(one);
        for (uint64_t key = 0; key < KEYS; key++)
            cr_assert_eq(round % 2 ? ordo_txn_remove(one, table, key) : put(one, key, 'a'), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
        if (round == ROUNDS / 3)
            at_first = outstanding_bytes;
    }
    cr_expect_lt(outstanding_bytes, at_first + (1 << 20));
}

Test(txn, retired_items_of_large_transactions_are_reclaimed_in_time)
{
    each(large_transactions);
}

/* If any allocation fails, no record is lost, and no memory leaks. */
static void no_memory(void)
{
    for (int after = 0; after < 40; after++) {
        int code = ORDO_OK;
        begin(one);
        fail_after = after;
        for (uint64_t key = 0; key < 300 && code == ORDO_OK; key++)
            code = put(one, 1000 + key, 'x');
        cr_expect(code == ORDO_OK || code == ORDO_E_SYSTEM);
        fail_after = -1;
        ordo_txn_abort(one);
    }
    cr_expect_eq(look(one, 1000), '-');
}

Test(txn, a_failed_allocation_loses_nothing)
{
    each(no_memory);
}

/* Runs one transaction with every kind of call. Returns true if it committed. */
static bool try_everything(void)
{
    void *record;
    char copy[BYTES];
    if (ordo_txn_begin(one, ORDO_TXN_SERIALIZABLE))
        return false;
    for (uint64_t key = 0; key < 40; key++) {
        int code = key % 4 == 0   ? ordo_txn_read(one, table, 100 + key, copy)
                   : key % 4 == 1 ? ordo_txn_update(one, table, 100 + key, &record)
                   : key % 4 == 2 ? ordo_txn_remove(one, table, 100 + key)
                                  : put(one, 100 + key, 'y');
        if (code == ORDO_TXN_ABSENT)
            code = put(one, 200 + key, 'z');
        if (code) {
            ordo_txn_abort(one);
            return false;
        }
    }
    return ordo_txn_commit(one) == ORDO_OK;
}

/* Each try uses a new database, so that each allocation of the transaction fails in one of the tries. */
Test(txn, the_audit_passes_after_each_failed_allocation)
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++) {
        bool done = false;
        for (int after = 0; after < 400 && !done; after++) {
            open_engine(*engine);
            fail_after = after;
            done = try_everything();
            fail_after = -1;
            close_engine(*engine);
        }
        cr_expect(done, "%s", (*engine)->name);
    }
}

/* ---- several versions ---- */

static void each_with_versions(void (*test)(void))
{
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        if ((*engine)->levels & ORDO_TXN_SNAPSHOT) {
            open_engine(*engine);
            test();
            close_engine(*engine);
        }
}

static bool is_full_of(const void *record, char letter)
{
    char all[BYTES];
    memset(all, letter, BYTES);
    return memcmp(record, all, BYTES) == 0;
}

/* Writes to ten records, many times. Returns by how many bytes the memory has grown. */
static int64_t write_on(void)
{
    int64_t before = outstanding_bytes;
    for (int round = 0; round < 20000; round++) {
        begin(two);
        cr_assert_eq(put(two, (uint64_t)round % 10, (char)('b' + round % 24)), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
    }
    return outstanding_bytes - before;
}

static void fill_ten(void)
{
    begin(two);
    for (uint64_t key = 0; key < 10; key++)
        cr_assert_eq(put(two, key, 'a'), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
}

enum { POOL = 512, POOL_AND_RING = 1 << 18 };

/* Uses all memory in worker two's pool, and overwrites it. */
static void empty_the_pool(void)
{
    begin(two);
    for (uint64_t key = 100; key < 100 + POOL; key++)
        cr_assert_eq(put(two, key, 'p'), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
}

/* A stopped transaction retains the versions that it has read, and no others. */
static void stands_still(void)
{
    const void *seen;
    fill_ten();
    begin(one);
    cr_assert_eq(ordo_txn_view(one, table, 5, &seen), ORDO_OK);
    fences = 0;
    cr_expect_lt(write_on(), POOL_AND_RING);
    cr_expect_eq(fences > 0, !fence_fails, "%d fences", fences);
    empty_the_pool();
    cr_expect(is_full_of(seen, 'a'));
    cr_expect_eq(put(one, 77, 'z'), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(one), ORDO_TXN_CONFLICT);
    cr_expect_eq(nap_ns, 0);
}

/* A transaction has read a version and is stopped. A snapshot is older than this version, so pruning cuts the version
 * out of its chain. The stopped transaction retains only this version. If membarrier() begins to fail (`fences_end`),
 * memory grows, because without a fence the announced names do not prove that a cut version is unused. */
static void beside_a_snapshot(bool fences_end)
{
    struct ordo_worker *reader;
    const void *seen, *seen_before;
    fill_ten();
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
    cr_assert_eq(ordo_txn_begin(reader, ORDO_TXN_READ_ONLY), ORDO_OK);
    cr_assert_eq(ordo_txn_view(reader, table, 5, &seen_before), ORDO_OK);
    run(two, 5, 'v');
    begin(one);
    cr_assert_eq(ordo_txn_view(one, table, 5, &seen), ORDO_OK);
    fence_fails |= fences_end;
    cr_expect_eq(write_on() < 2 * POOL_AND_RING, !fences_end);
    empty_the_pool();
    cr_expect(is_full_of(seen, 'v'));
    cr_expect(is_full_of(seen_before, 'a'));
    cr_expect_eq(ordo_txn_commit(reader), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    ordo_worker_leave(reader);
}

static void stands_still_beside_a_snapshot(void)
{
    beside_a_snapshot(false);
    cr_expect_eq(nap_ns, 0);
}

enum { BACKLOG = 1 << 16, RECORDS = BACKLOG + BACKLOG / 4 };

static void write_to_many(struct ordo_worker *worker, uint64_t first, uint64_t count)
{
    for (uint64_t key = first; key < first + count;) {
        begin(worker);
        for (int i = 0; i < 64 && key < first + count; i++, key++)
            cr_assert_eq(put(worker, key, 'm'), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
    }
}

/* Versions that wait for the snapshot and for the next pruning do not also wait for a stopped transaction that
 * announces its reads by name. */
static void stands_still_beside_a_snapshot_that_needs_much(void)
{
    struct ordo_worker *reader;
    const void *seen;
    cr_assert_eq(ordo_worker_join(db, &reader), ORDO_OK);
    write_to_many(two, 0, RECORDS);
    cr_assert_eq(ordo_txn_begin(reader, ORDO_TXN_READ_ONLY), ORDO_OK);
    write_to_many(two, 0, RECORDS);
    begin(one);
    cr_assert_eq(ordo_txn_view(one, table, RECORDS - 1, &seen), ORDO_OK);
    nap_ns = 0;
    for (int times = 0; times < 2 * BACKLOG / 20000; times++)
        (void)write_on();
    cr_expect_eq(nap_ns, 0);
    cr_expect(is_full_of(seen, 'm'));
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(reader), ORDO_OK);
    ordo_worker_leave(reader);
}

/* Deleted records, unlike versions, must wait for the stopped transaction. */
static void stands_still_beside_deletions(void)
{
    fill_ten();
    begin(one);
    cr_assert_eq(get(one, 5), 'a');
    nap_ns = 0;
    for (int times = 0; times < BACKLOG / 3; times++)
        run(two, 77, 'd'), run(two, 77, '-');
    cr_expect_eq(nap_ns, 0);
    for (int times = 0; times < BACKLOG; times++)
        run(two, 77, 'd'), run(two, 77, '-');
    cr_expect_gt(nap_ns, 0);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
}

/* A stopped transaction that has read many records retains little memory of the other workers, and none after its
 * end. */
static void stands_still_and_has_read_much(void)
{
    write_to_many(two, 0, RECORDS);
    begin(one);
    for (uint64_t key = 10; key < RECORDS; key++)
        cr_assert_eq(get(one, key), 'm');
    int64_t before = outstanding_bytes;
    most_bytes = 0;
    (void)write_on();
    (void)write_on();
    cr_expect_lt(most_bytes - before, 3 * POOL_AND_RING, "%lld bytes", (long long)(most_bytes - before));
    cr_expect_eq(nap_ns, 0);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
}

enum { LARGE_RECORD = 16384, LARGE_AND_SMALL = 256 * LARGE_RECORD };

/* Waiting versions are reclaimed when their bytes exceed a limit, so large versions do not wait for many small ones. */
static void stands_still_beside_large_records(void)
{
    struct ordo_table *large;
    struct ordo_table_spec spec = spec_of(LARGE_RECORD, 1, false);
    void *record;
    fill_ten();
    cr_assert_eq(ordo_table_add(db, &spec, &large), ORDO_OK);
    begin(two);
    cr_assert_eq(ordo_txn_insert(two, large, 0, &record), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
    begin(one);
    cr_assert_eq(get(one, 5), 'a');
    int64_t before = outstanding_bytes;
    most_bytes = 0;
    for (int round = 0; round < 5000; round++) {
        begin(two);
        cr_assert_eq(put(two, 1, 's'), ORDO_OK);
        cr_assert_eq(ordo_txn_update(two, large, 0, &record), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(two), ORDO_OK);
    }
    cr_expect_lt(most_bytes - before, LARGE_AND_SMALL, "%lld bytes", (long long)(most_bytes - before));
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
}

static void need_a_fence(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0, 0, 0, 0))
        cr_skip("the kernel has no fence for all threads");
    nap_ns = 0;
}

Test(txn, a_stalled_transaction_retains_only_its_read_set)
{
    need_a_fence();
    each_with_versions(stands_still);
    each_with_versions(stands_still_beside_a_snapshot);
    each_with_versions(stands_still_beside_large_records);
}

Test(txn, a_stalled_large_transaction_retains_only_its_read_set)
{
    need_a_fence();
    rows = RECORDS;
    each_with_versions(stands_still_and_has_read_much);
    each_with_versions(stands_still_beside_a_snapshot_that_needs_much);
}

Test(txn, a_stalled_transaction_retains_deleted_records)
{
    each_with_versions(stands_still_beside_deletions);
}

/* True if worker one's transaction fences its names. Worker two can then reclaim without calling membarrier(). */
static bool fences_its_names(void)
{
    int64_t before = outstanding_bytes;
    fences = 0;
    (void)write_on();
    cr_expect_lt(outstanding_bytes - before, POOL_AND_RING);
    return fences == 0;
}

static bool one_fences_its_names(void)
{
    const void *seen;
    begin(one);
    cr_assert_eq(ordo_txn_view(one, table, 5, &seen), ORDO_OK);
    char letter = *(const char *)seen;
    bool answer = fences_its_names();
    empty_the_pool();
    cr_expect(is_full_of(seen, letter));
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    return answer;
}

/* Runs transactions of worker two without scans of names. The numbers of transactions in these tests follow from
 * HK_DEAR, 4096, and HK_LASTS, 65536. */
static void write_alone(int transactions)
{
    for (int i = 0; i < transactions; i++)
        run(two, 2, 'n');
}

/* If scans of names are frequent, transactions fence their names for a period. After the period they fence again only
 * if scans are still frequent. */
static void fences_while_it_pays(void)
{
    fill_ten();
    for (int times = 0; times < 2; times++) {
        write_alone(30000);
        cr_expect_not(one_fences_its_names(), "no other scan of names was near");
        cr_expect_not(one_fences_its_names(), "the transaction began before the second of two near scans");
        cr_expect(one_fences_its_names());
        cr_expect(one_fences_its_names());
    }
}

/* True if a transaction of worker one fences its names that lasts as long as 3,000 transactions of worker two. */
static bool a_short_one_fences(void)
{
    begin(one);
    cr_assert_neq(get(one, 5), '!');
    fences = 0;
    write_alone(3000);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    return fences == 0;
}

/* Scans are still frequent after the period. Transactions fence again after scans have had to wait for two transactions
 * that did not fence. */
static void fences_anew(void)
{
    int rounds = 0;
    fill_ten();
    cr_expect_not(one_fences_its_names());
    cr_expect_not(one_fences_its_names());
    while (a_short_one_fences() && rounds < 40)
        rounds++;
    cr_expect_gt(rounds, 10);
    cr_expect_lt(rounds, 40);
    cr_expect_not(a_short_one_fences(), "only one transaction has been waited for when this one begins");
    cr_expect(a_short_one_fences());
}

/* A worker counts only scans of the current period. */
static void fences_for_a_whole_period(void)
{
    struct ordo_worker *three;
    fill_ten();
    cr_assert_eq(ordo_worker_join(db, &three), ORDO_OK);
    for (int times = 0; times < 2; times++) {
        cr_expect_not(one_fences_its_names());
        cr_expect_not(one_fences_its_names());
        for (int i = 0; i < 40000; i++)
            cr_assert_neq(look(three, 2), '!');
        cr_expect(one_fences_its_names());
        write_alone(70000);
    }
    ordo_worker_leave(three);
}

/* One scan in 5,000 transactions does not count as frequent. */
static void fences_not_for_a_few(void)
{
    fill_ten();
    for (int times = 0; times < 4; times++) {
        write_alone(5000);
        begin(one);
        cr_assert_neq(get(one, 5), '!');
        fences = 0;
        for (int i = 0; i < 4000 && fences == 0; i++)
            run(two, 2, 'f');
        cr_expect_eq(fences, 1, "%d fences", fences);
        cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    }
    write_alone(5000);
    cr_expect_not(one_fences_its_names());
}

static void begin_and_look(struct ordo_worker *worker)
{
    begin(worker);
    cr_assert_neq(get(worker, 5), '!');
}

/* If an older running transaction does not fence its names, a new transaction does not either, because scans need
 * membarrier() anyway. */
static void fences_not_in_vain(void)
{
    struct ordo_worker *three;
    fill_ten();
    cr_assert_eq(ordo_worker_join(db, &three), ORDO_OK);
    begin_and_look(one);
    cr_expect_not(fences_its_names());
    begin_and_look(three);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    cr_expect_not(fences_its_names());
    cr_expect_eq(ordo_txn_commit(three), ORDO_OK);
    ordo_worker_leave(three);
}

/* Two transactions are stopped, and one of them, the older or the younger, does not fence its names. Scans then need
 * membarrier(). */
static void fences_unless_one_does_not(void)
{
    struct ordo_worker *three, *four;
    fill_ten();
    cr_assert_eq(ordo_worker_join(db, &three), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &four), ORDO_OK);
    for (int times = 0; times < 2; times++) {
        struct ordo_worker *early = times ? three : one, *late = times ? one : three;
        write_alone(70000);
        begin_and_look(four);
        write_alone(1);
        begin_and_look(early);
        cr_expect_not(fences_its_names());
        cr_expect_eq(ordo_txn_commit(four), ORDO_OK);
        cr_expect_not(fences_its_names(), "fencing pays from here on");
        begin_and_look(late);
        cr_expect_not(fences_its_names());
        cr_expect_eq(ordo_txn_commit(early), ORDO_OK);
        cr_expect(fences_its_names(), "the other transaction fences");
        cr_expect_eq(ordo_txn_commit(late), ORDO_OK);
    }
    ordo_worker_leave(three);
    ordo_worker_leave(four);
}

Test(txn, transactions_fence_their_hazard_pointers_if_scans_are_frequent)
{
    need_a_fence();
    each_with_versions(fences_while_it_pays);
    each_with_versions(fences_anew);
    each_with_versions(fences_for_a_whole_period);
    each_with_versions(fences_not_for_a_few);
    each_with_versions(fences_not_in_vain);
    each_with_versions(fences_unless_one_does_not);
}

/* The kernel begins to refuse membarrier(). A transaction that began earlier retains all versions since its time, so
 * writers slow down. A later transaction fences its names. */
static void stands_still_when_fences_end(void)
{
    const void *seen;
    fill_ten();
    begin(one);
    cr_assert_eq(ordo_txn_view(one, table, 5, &seen), ORDO_OK);
    fence_fails = true;
    fences = 0;
    uint64_t reclaimed = 0;
    for (int i = 0; i < 4000 && fences == 0; i++) {
        reclaimed = two->counts.versions_reclaimed;
        run(two, 2, 'f');
    }
    cr_expect_lt(two->counts.versions_reclaimed - reclaimed, 100, "retired versions stay");
    nap_ns = 0;
    for (int times = 0; times < 2 * BACKLOG / 20000; times++)
        (void)write_on();
    cr_expect_gt(nap_ns, 0);
    cr_expect_eq(fences, 1, "the refused fence was requested again %d times", fences);
    cr_expect(is_full_of(seen, 'a'));
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    write_alone(5000);
    nap_ns = 0;
    stands_still();
    write_alone(5000);
    cr_expect(one_fences_its_names());
    fence_fails = false;
}

Test(txn, transactions_fence_their_hazard_pointers_after_membarrier_fails)
{
    need_a_fence();
    each_with_versions(stands_still_when_fences_end);
}

Test(txn, transactions_fence_their_hazard_pointers_if_membarrier_is_missing)
{
    nap_ns = 0;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine; engine++)
        if ((*engine)->levels & ORDO_TXN_SNAPSHOT) {
            fence_fails = true;
            open_engine(*engine);
            stands_still();
            stands_still_beside_a_snapshot();
            close_engine(*engine);
            fence_fails = false;
        }
}

static void stays_beside_a_snapshot_when_fences_end(void)
{
    beside_a_snapshot(true);
    fence_fails = false;
}

Test(txn, a_pruned_version_stays_if_membarrier_fails)
{
    need_a_fence();
    each_with_versions(stays_beside_a_snapshot_when_fences_end);
}

static void snapshot(void)
{
    run(one, 1, 'a'), run(one, 2, 'a');
    cr_assert_eq(ordo_txn_begin(one, ORDO_TXN_READ_ONLY), ORDO_OK);
    cr_expect_eq(get(one, 1), 'a');
    for (int i = 0; i < 200; i++)
        run(two, 2, (char)('b' + i % 20));
    run(two, 1, '-');
    run(two, 3, 'n');
    cr_expect_eq(get(one, 2), 'a', "the reader's versions are retained");
    cr_expect_eq(get(one, 1), 'a');
    cr_expect_eq(get(one, 3), '-');
    uint64_t reclaimed = two->counts.versions_reclaimed;
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    for (int i = 0; i < 200; i++)
        run(two, 2, 'z');
    cr_expect_gt(two->counts.versions_reclaimed, reclaimed + 200, "the versions are freed when the reader has ended");
}

Test(txn, a_reader_keeps_its_snapshot)
{
    each_with_versions(snapshot);
}

/* A transaction that reads as of its begin, may write, and does not end retains the old versions of all workers. The
 * writers slow down, but do not stop. */
static void backlog(void)
{
    run(one, 1, 'a');
    cr_assert_eq(ordo_txn_begin(one, ORDO_TXN_SNAPSHOT), ORDO_OK);
    cr_expect_eq(get(one, 1), 'a');
    for (int i = 0; i < 65000; i++)
        run(two, 2, 'b');
    cr_expect_eq(two->counts.naps, 0);
    nap_ns = 0;
    for (int i = 0; i < 1000; i++)
        run(two, 2, 'c');
    cr_expect(two->counts.naps > 0 && nap_ns == 100000, "%lld ns", (long long)nap_ns);
    for (int i = 0; i < 66000; i++)
        run(two, 2, 'c');
    cr_expect_eq(nap_ns, 200000, "a longer queue makes the nap longer: %lld ns", (long long)nap_ns);
    uint64_t naps = two->counts.naps;
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    for (int i = 0; i < 3000; i++)
        run(two, 2, 'd');
    cr_expect_eq(two->counts.naps, naps);
    cr_expect_gt(two->counts.versions_reclaimed, 66000);
}

Test(txn, an_endless_transaction_slows_writers_down)
{
    each_with_versions(backlog);
}

/* A leaving worker frees the versions that had waited for a transaction, except for a small stock, and the memory of
 * the queue. */
static void leaves_little(void)
{
    enum { MANY = 10000 };
    run(one, 1, 'a');
    cr_assert_eq(ordo_txn_begin(two, ORDO_TXN_SNAPSHOT), ORDO_OK);
    cr_expect_eq(get(two, 1), 'a');
    for (int i = 0; i < MANY; i++)
        run(one, 2, 'b');
    cr_expect_eq(large_blocks, 1);
    cr_expect_eq(ordo_txn_commit(two), ORDO_OK);
    for (int i = 0; i < 4; i++) /* advances a logical clock */
        run(two, 3, 'c');
    int64_t before = outstanding_bytes;
    ordo_worker_leave(one);
    cr_expect_gt(before - outstanding_bytes, MANY / 2 * BYTES);
    cr_expect_eq(large_blocks, 0);
    cr_assert_eq(ordo_worker_join(db, &one), ORDO_OK);
    cr_expect(one->counts.commits == 0 && one->counts.versions_created == 0, "a joining worker counts from 0");
    cr_expect_neq(one->index, two->index);
}

Test(txn, a_leaving_worker_frees_its_retired_items)
{
    each_with_versions(leaves_little);
}

struct seen {
    char letters[64];
    unsigned count, limit;
};

static int note(void *context, uint64_t key, const void *record)
{
    struct seen *seen = context;
    cr_expect_eq(key, (uint64_t)(*(const char *)record - 'a'));
    seen->letters[seen->count++] = *(const char *)record;
    return seen->count == seen->limit;
}

/* A committed version soon becomes visible, even if no other transaction runs. */
static void fresh_snapshot(void)
{
    run(one, 1, 'a'), run(one, 1, 'b');
    for (char seen = '-'; seen != 'b'; ordo_txn_commit(two)) {
        cr_assert_eq(ordo_txn_begin(two, ORDO_TXN_READ_ONLY), ORDO_OK);
        seen = get(two, 1);
    }
}

Test(txn, a_snapshot_sees_the_last_commit)
{
    each_with_versions(fresh_snapshot);
}

/* A commit keeps all versions that it retires in its queue, although it also reclaims older ones. */
enum { MANY = 6000 };

static void many_writes(void)
{
    begin(one);
    for (uint64_t key = 0; key < MANY; key++)
        cr_assert_eq(put(one, key, 'a'), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
    run(one, 1, 'b');
    begin(one);
    for (uint64_t key = 0; key < MANY; key++)
        cr_assert_eq(put(one, key, 'c'), ORDO_OK);
    cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
    run(one, 1, 'd');
}

Test(txn, a_commit_of_many_writes_loses_nothing)
{
    rows = is_dense() ? MANY : rows;
    each_with_versions(many_writes);
}

static int pass_by(void *context, uint64_t key, const void *record)
{
    (void)context, (void)key, (void)record;
    return 0;
}

/* No other transaction runs, so a scan must not conflict, although the transaction itself reclaims deleted records. */
static void scans_over_deleted(void)
{
    for (int i = 0; i < 500; i++) {
        run(one, 5, 'a'), run(one, 5, '-');
        begin(one);
        cr_assert_eq(ordo_txn_scan(one, table, 0, 9, pass_by, NULL), ORDO_OK);
        cr_assert_eq(put(one, 1, 'b'), ORDO_OK);
        cr_assert_eq(ordo_txn_commit(one), ORDO_OK);
    }
}

Test(txn, a_scan_over_deleted_keys_commits)
{
    each_with_versions(scans_over_deleted);
}

/* Worker one scans a range while worker two buries an earlier deletion. The content of the range does not change. */
static void scan_beside_a_burial(void)
{
    unsigned conflicts = 0;
    for (int i = 0; i < 100; i++) {
        run(two, 5, 'a'), run(two, 5, '-');
        for (int j = 0; j < 4; j++) /* a recent deletion may stay in the index */
            run(one, 20, 'c');
        begin(one);
        cr_assert_eq(ordo_txn_scan(one, table, 0, 9, pass_by, NULL), ORDO_OK);
        for (int j = 0; j < 40; j++)
            run(two, 30, 'd');
        cr_assert_eq(put(one, 1, 'b'), ORDO_OK);
        conflicts += ordo_txn_commit(one) != ORDO_OK;
    }
    cr_expect_eq(conflicts, 0, "hekaton/%s: %u of 100 scans over a deletion abort without a conflict",
                 one->engine->stamp, conflicts);
}

Test(txn, unlinking_a_deleted_key_does_not_abort_a_scan)
{
    each_with_versions(scan_beside_a_burial);
}

/* Worker one scans a range in which key 5 was deleted, or never existed; worker two then writes `letters` to key 5,
 * with the deletion buried or still in place. */
static int scan_while(bool deleted, int commits_between, const char *letters)
{
    if (deleted)
        run(two, 5, 'a'), run(two, 5, '-');
    for (int j = 0; j < 4; j++)
        run(one, 20, 'c');
    begin(one);
    cr_assert_eq(ordo_txn_scan(one, table, 0, 9, pass_by, NULL), ORDO_OK);
    for (int j = 0; j < commits_between; j++)
        run(two, 30, 'd');
    for (; *letters; letters++)
        run(two, 5, *letters);
    cr_assert_eq(put(one, 1, 'b'), ORDO_OK);
    int code = ordo_txn_commit(one);
    if (look(two, 5) != '-')
        run(two, 5, '-');
    return code;
}

static void phantoms_over_deletions(void)
{
    for (int deleted = 0; deleted < 2; deleted++)
        for (int commits = 0; commits <= 40; commits += 40) {
            cr_expect_eq(scan_while(deleted, commits, "p"), ORDO_TXN_CONFLICT,
                         "hekaton/%s: a phantom, deleted %d, commits %d", one->engine->stamp, deleted, commits);
            /* Key 5 existed for some time: a transaction that saw it is ordered between two reads that did not. */
            cr_expect_eq(scan_while(deleted, commits, "p-"), ORDO_TXN_CONFLICT,
                         "hekaton/%s: the key came and went, deleted %d, commits %d", one->engine->stamp, deleted,
                         commits);
        }
}

Test(txn, a_scan_notices_the_reinsertion_of_a_deleted_key)
{
    each_with_versions(phantoms_over_deletions);
}

static void deleted_under_a_scan(void)
{
    run(two, 5, 'a');
    cr_expect_eq(scan_while(false, 0, "-"), ORDO_TXN_CONFLICT, "hekaton/%s", one->engine->stamp);
}

Test(txn, a_scan_notices_the_deletion_of_a_scanned_key)
{
    each_with_versions(deleted_under_a_scan);
}

static int write_meanwhile(void *context, uint64_t key, const void *record)
{
    (void)context, (void)key, (void)record;
    for (int i = 0; i < 66000; i++)
        run(two, 2, 'b');
    return 1;
}

/* In the middle of a read, a snapshot retains all versions; at other times only the versions that it needs. */
static void slow_read(void)
{
    run(one, 1, 'a');
    cr_assert_eq(ordo_txn_begin(one, ORDO_TXN_READ_ONLY), ORDO_OK);
    (void)write_meanwhile(NULL, 0, NULL);
    cr_expect_eq(two->counts.naps, 0);
    cr_expect_eq(ordo_txn_scan(one, table, 0, 9, write_meanwhile, NULL), ORDO_OK);
    cr_expect_gt(two->counts.naps, 0);
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
}

Test(txn, a_long_scan_slows_writers_down)
{
    each_with_versions(slow_read);
}

static void scans(void)
{
    struct seen seen = {.count = 0};
    for (char letter = 'y'; letter >= 'a'; letter -= 2)
        run(one, (uint64_t)(letter - 'a'), letter);
    run(one, 'e' - 'a', '-');
    begin(one);
    cr_expect_eq(put(one, 'd' - 'a', 'd'), ORDO_OK);
    cr_expect_eq(ordo_txn_remove(one, table, 'g' - 'a'), ORDO_OK);
    cr_expect_eq(ordo_txn_scan(one, table, 2, 10, note, &seen), ORDO_OK);
    cr_expect_str_eq(seen.letters, "cdik");
    seen = (struct seen){.limit = 2};
    cr_expect_eq(ordo_txn_scan(one, table, 0, UINT64_MAX, note, &seen), ORDO_OK);
    cr_expect_str_eq(seen.letters, "ac");
    run(two, 'z' - 'a', 'z'); /* writes behind the key at which the scan has stopped */
    cr_expect_eq(ordo_txn_commit(one), ORDO_OK);
    begin(one);
    seen = (struct seen){.count = 0};
    cr_expect_eq(ordo_txn_scan(one, table, 0, 3, note, &seen), ORDO_OK);
    run(two, 1, 'b');
    cr_expect_eq(put(one, 30, 'q'), ORDO_OK);
    cr_expect_eq(ordo_txn_commit(one), ORDO_TXN_CONFLICT, "a phantom");
}

Test(txn, scans_are_ordered_and_see_no_phantoms)
{
    each_with_versions(scans);
}

Test(txn, every_return_code_has_a_distinct_name)
{
    static const int answers[] = {ORDO_OK, ORDO_TXN_ABSENT, ORDO_TXN_EXISTS, ORDO_TXN_CONFLICT};
    const char *names[32];
    size_t count = 0;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        names[count++] = ordo_txn_outcome_name(answers[i]);
    for (int code = -1; strcmp(ordo_strerror(code), ordo_strerror(INT_MIN)) != 0; code--)
        names[count++] = ordo_txn_outcome_name(code);
    cr_expect_gt(count, sizeof answers / sizeof *answers);
    for (size_t i = 0; i < count; i++) {
        cr_expect_str_neq(names[i], "unknown", "of answer %zu", i);
        for (size_t j = 0; j < i; j++)
            cr_expect_str_neq(names[i], names[j]);
    }
    cr_expect_str_eq(ordo_txn_outcome_name(ORDO_TXN_CONFLICT), "conflict");
    cr_expect_str_eq(ordo_txn_outcome_name(ORDO_E_DISRUPTED), "disrupted");
}

Test(txn, an_invalid_return_code_is_named_unknown)
{
    static const int others[] = {1, ORDO_TXN_CONFLICT + 1, INT_MAX, INT_MIN, -1000};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_str_eq(ordo_txn_outcome_name(others[i]), "unknown", "%d", others[i]);
}
