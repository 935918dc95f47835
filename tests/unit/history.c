/* The checker finds and names every anomaly in histories that contain one, and no anomaly in good histories. */
#include <criterion/criterion.h>
#include <string.h>

#include <ordo/cc/history.h>

#include "cc/history/checker.h"

enum { WORDS = 1024 };

/* A window that is being written. */
struct script {
    uint64_t words[WORDS];
    size_t count, open; /* index of the first word of the current transaction */
};

/* Returns the id of a transaction of worker 0; ids ascend. */
static uint64_t id(uint64_t number)
{
    return number << 16 | 1;
}

static void txn_at(struct script *script, uint64_t number, uint64_t begin, uint64_t end)
{
    script->open = script->count;
    uint64_t head[] = {(uint64_t)HISTORY_COMMITTED << 32, id(number), begin, end};
    memcpy(script->words + script->count, head, sizeof head);
    script->count += HISTORY_HEAD_WORDS;
}

/* Adds a transaction that overlaps all others. */
static void txn(struct script *script, uint64_t number)
{
    txn_at(script, number, 1, 1000);
}

static void did(struct script *script, enum history_kind kind, uint64_t key, uint64_t version)
{
    uint64_t access[] = {(uint64_t)kind << 32, key, version};
    memcpy(script->words + script->count, access, sizeof access);
    script->count += HISTORY_ACCESS_WORDS;
    script->words[script->open]++;
}

static void reads(struct script *script, uint64_t key, uint64_t version)
{
    did(script, HISTORY_READ, key, version ? id(version) : 0);
}

static void writes(struct script *script, uint64_t key, uint64_t version)
{
    did(script, HISTORY_WRITE, key, version ? id(version) : 0);
}

static void aborted(struct script *script)
{
    script->words[script->open] += (uint64_t)(HISTORY_ABORTED - HISTORY_COMMITTED) << 32;
}

static struct ordo_history_checker *checker;
static struct ordo_history_report report;

static void start(enum ordo_txn_level level, bool strict)
{
    ordo_history_checker_destroy(checker);
    checker = ordo_history_checker_create();
    cr_assert_eq(ordo_history_head(level, strict, ordo_history_check, checker), ORDO_OK);
}

/* Passes a window to the checker, byte by byte, which must make no difference. */
static void window(const struct script *script)
{
    uint64_t head[] = {(uint64_t)HISTORY_WINDOW << 32, script->count};
    cr_assert_eq(ordo_history_check(checker, head, sizeof head), ORDO_OK);
    for (size_t i = 0; i < script->count * sizeof(uint64_t); i++)
        cr_assert_eq(ordo_history_check(checker, (const char *)script->words + i, 1), ORDO_OK);
    cr_assert_eq(ordo_history_finish(checker, &report), ORDO_OK);
}

static void expect(const struct script *script, enum ordo_txn_level level, bool strict,
                   enum ordo_history_anomaly anomaly)
{
    start(level, strict);
    window(script);
    cr_expect_eq(report.first_anomaly, anomaly, "%s instead of %s: %s", ordo_history_anomaly_name(report.first_anomaly),
                 ordo_history_anomaly_name(anomaly), report.first_text);
    cr_expect_eq(report.anomalies > 0, anomaly != ORDO_ANOMALY_NONE);
    ordo_history_checker_destroy(checker);
    checker = NULL;
}

Test(history, a_good_history_has_no_anomaly)
{
    struct script s = {.count = 0};
    txn_at(&s, 1, 1, 2), writes(&s, 5, 0), writes(&s, 6, 0);
    txn_at(&s, 2, 3, 4), reads(&s, 5, 1), writes(&s, 5, 1);
    txn_at(&s, 3, 5, 9), reads(&s, 5, 2), reads(&s, 6, 1), did(&s, HISTORY_SCAN, 0, 10);
    txn_at(&s, 4, 6, 7), reads(&s, 6, 1), writes(&s, 6, 1), writes(&s, 7, 0), aborted(&s);
    txn_at(&s, 5, 8, 9), reads(&s, 6, 1), did(&s, HISTORY_REMOVE, 6, id(1));
    expect(&s, ORDO_TXN_SERIALIZABLE, true, ORDO_ANOMALY_NONE);
    cr_expect_eq(report.committed, 4);
    cr_expect_eq(report.aborted, 1);
}

Test(history, a_dirty_read_of_an_aborted_version_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0), aborted(&s);
    txn(&s, 2), reads(&s, 5, 1);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_DIRTY_READ);
}

Test(history, reading_a_version_without_a_writer_is_dirty)
{
    struct script s = {.count = 0};
    txn(&s, 1), reads(&s, 5, 77);
    txn(&s, 2), reads(&s, 5, 78);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_DIRTY_READ);
}

Test(history, a_dirty_write_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0), writes(&s, 6, 2);
    txn(&s, 2), writes(&s, 6, 0), writes(&s, 5, 1);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_DIRTY_WRITE);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_DIRTY_WRITE);
}

Test(history, a_lost_update_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), reads(&s, 5, 0), writes(&s, 5, 0);
    txn(&s, 2), reads(&s, 5, 0), writes(&s, 5, 0);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_LOST_UPDATE);
}

/* The second writer overwrites the version of the first, but it has read the version that the first replaced. */
Test(history, a_lost_update_after_a_read_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), reads(&s, 5, 0), writes(&s, 5, 0);
    txn(&s, 2), reads(&s, 5, 0), writes(&s, 5, 1);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_LOST_UPDATE);
}

Test(history, a_circular_flow_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0), reads(&s, 6, 2);
    txn(&s, 2), writes(&s, 6, 0), reads(&s, 5, 1);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_CIRCULAR_FLOW);
}

Test(history, a_non_repeatable_read_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0);
    txn(&s, 2), reads(&s, 5, 0), reads(&s, 5, 1);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_NON_REPEATABLE_READ);
    struct script gone = {.count = 0};
    txn(&gone, 1), writes(&gone, 5, 0);
    txn(&gone, 2), reads(&gone, 5, 1), reads(&gone, 5, 0);
    expect(&gone, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_NON_REPEATABLE_READ);
    cr_expect_str_eq(report.first_text, "T0.2 at table 0, key 5: another version than before, of nobody");
}

Test(history, read_skew_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0), writes(&s, 6, 0);
    txn(&s, 2), reads(&s, 5, 1), reads(&s, 6, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_READ_SKEW);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_READ_SKEW);
    cr_expect_str_eq(report.first_text, "T0.2 -rw(table 0, key 6)->\nT0.1 -wr(table 0, key 5)->\nT0.2");
}

Test(history, only_snapshot_isolation_allows_write_skew)
{
    struct script s = {.count = 0};
    txn(&s, 1), reads(&s, 5, 0), reads(&s, 6, 0), writes(&s, 5, 0);
    txn(&s, 2), reads(&s, 5, 0), reads(&s, 6, 0), writes(&s, 6, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_WRITE_SKEW);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_NONE);
}

/* Two observers see two independent writes in opposite orders. */
Test(history, a_long_fork_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0);
    txn(&s, 2), writes(&s, 6, 0);
    txn(&s, 3), reads(&s, 5, 1), reads(&s, 6, 0);
    txn(&s, 4), reads(&s, 5, 0), reads(&s, 6, 2);
    expect(&s, ORDO_TXN_SNAPSHOT, false, ORDO_ANOMALY_WRITE_SKEW);
}

Test(history, a_phantom_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 1), did(&s, HISTORY_SCAN, 0, 10), reads(&s, 20, 2);
    txn(&s, 2), writes(&s, 7, 0), writes(&s, 20, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_PHANTOM);
}

/* Expects the anomaly in the second of two windows: the checker remembers the writes of the first. */
static void expect_second(const struct script *first, const struct script *second, enum ordo_history_anomaly anomaly)
{
    start(ORDO_TXN_SERIALIZABLE, false);
    window(first);
    cr_expect_eq(report.anomalies, 0);
    window(second);
    cr_expect_eq(report.first_anomaly, anomaly, "%s instead of %s: %s", ordo_history_anomaly_name(report.first_anomaly),
                 ordo_history_anomaly_name(anomaly), report.first_text);
}

Test(history, a_phantom_of_an_earlier_window_is_found)
{
    struct script first = {.count = 0}, s = {.count = 0}, met = {.count = 0}, beside = {.count = 0}, own = {.count = 0};
    txn(&first, 1), writes(&first, 5, 0), writes(&first, 7, 0);
    txn(&s, 2), reads(&s, 5, 1), did(&s, HISTORY_SCAN, 0, 10);
    expect_second(&first, &s, ORDO_ANOMALY_PHANTOM);
    txn(&met, 2), reads(&met, 5, 1), reads(&met, 7, 1), did(&met, HISTORY_SCAN, 0, 10);
    expect_second(&first, &met, ORDO_ANOMALY_NONE);
    txn(&beside, 2), reads(&beside, 5, 1), did(&beside, HISTORY_SCAN, 0, 6);
    expect_second(&first, &beside, ORDO_ANOMALY_NONE);
    txn(&own, 2), writes(&own, 7, 1), writes(&own, 8, 0), reads(&own, 5, 1), did(&own, HISTORY_SCAN, 0, 10);
    expect_second(&first, &own, ORDO_ANOMALY_NONE);
}

/* A key was deleted in an earlier window. A scan that does not meet the key comes before the transaction that inserts
 * the key again. */
Test(history, a_phantom_insert_of_a_deleted_key_is_found)
{
    struct script first = {.count = 0}, s = {.count = 0}, good = {.count = 0};
    txn(&first, 1), writes(&first, 7, 0);
    txn(&first, 2), did(&first, HISTORY_REMOVE, 7, id(1));
    txn(&s, 3), did(&s, HISTORY_SCAN, 0, 10), reads(&s, 20, 4);
    txn(&s, 4), writes(&s, 7, 2), writes(&s, 20, 0);
    expect_second(&first, &s, ORDO_ANOMALY_PHANTOM);
    txn(&good, 3), did(&good, HISTORY_SCAN, 0, 10), reads(&good, 20, 0);
    txn(&good, 4), writes(&good, 7, 2), writes(&good, 20, 0);
    expect_second(&first, &good, ORDO_ANOMALY_NONE);
}

Test(history, a_record_that_a_scan_skipped_is_found)
{
    struct script first = {.count = 0}, s = {.count = 0};
    txn(&first, 1), writes(&first, 6, 0), writes(&first, 7, 0), writes(&first, 8, 0);
    txn(&s, 2), writes(&s, 7, 1); /* the scan meets neither version of the record */
    txn(&s, 3), reads(&s, 6, 1), reads(&s, 8, 1), did(&s, HISTORY_SCAN, 0, 10);
    expect_second(&first, &s, ORDO_ANOMALY_PHANTOM);
}

/* A version that has only been read may be a deletion, which a scan does not meet. The checker knows nothing of the
 * record until a transaction writes it. */
Test(history, a_scan_may_skip_a_record_that_was_only_read)
{
    struct script first = {.count = 0}, s = {.count = 0}, last = {.count = 0};
    txn(&first, 10), writes(&first, 6, 0), reads(&first, 7, 9);
    txn(&s, 11), reads(&s, 6, 10), did(&s, HISTORY_SCAN, 0, 10);
    expect_second(&first, &s, ORDO_ANOMALY_NONE);
    txn(&s, 12), writes(&s, 7, 9);
    expect_second(&first, &s, ORDO_ANOMALY_NONE);
    txn(&last, 13), reads(&last, 6, 10), did(&last, HISTORY_SCAN, 0, 10);
    window(&last);
    cr_expect_eq(report.first_anomaly, ORDO_ANOMALY_PHANTOM, "%s", report.first_text);
}

Test(history, a_write_beyond_the_scanned_range_is_no_phantom)
{
    struct script s = {.count = 0};
    txn(&s, 1), did(&s, HISTORY_SCAN, 0, 6), reads(&s, 20, 2);
    txn(&s, 2), writes(&s, 7, 0), writes(&s, 20, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_NONE);
}

Test(history, a_stale_read_is_found)
{
    struct script s = {.count = 0};
    txn_at(&s, 1, 1, 2), writes(&s, 5, 0);
    txn_at(&s, 2, 3, 4), reads(&s, 5, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, true, ORDO_ANOMALY_STALE_READ);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_NONE);
    s.words[2 * HISTORY_HEAD_WORDS + HISTORY_ACCESS_WORDS - 2] =
        2; /* the second transaction begins when the first one ends */
    expect(&s, ORDO_TXN_SERIALIZABLE, true, ORDO_ANOMALY_NONE);
}

Test(history, later_windows_know_the_last_versions)
{
    struct script first = {.count = 0}, second = {.count = 0}, third = {.count = 0};
    txn(&first, 1), writes(&first, 5, 0);
    txn(&first, 2), writes(&first, 5, 1);
    txn(&second, 3), reads(&second, 5, 2);
    txn(&third, 4), reads(&third, 5, 1);
    start(ORDO_TXN_SERIALIZABLE, false);
    window(&first);
    window(&second);
    cr_expect_eq(report.anomalies, 0, "%s", report.first_text);
    window(&third);
    cr_expect_eq(report.first_anomaly, ORDO_ANOMALY_STALE_READ, "%s", report.first_text);
    cr_expect_eq(report.windows, 3);
    ordo_history_checker_destroy(checker);
}

/* A read of an unknown version is accepted only if this version may be older than the stream. */
Test(history, reading_a_version_that_aborted_earlier_is_dirty)
{
    struct script first = {.count = 0}, s = {.count = 0}, before = {.count = 0};
    txn(&first, 3), writes(&first, 5, 0), aborted(&first);
    txn(&first, 4), writes(&first, 6, 0);
    txn(&s, 5), reads(&s, 5, 3);
    expect_second(&first, &s, ORDO_ANOMALY_DIRTY_READ);
    txn(&before, 5), reads(&before, 5, 2);
    expect_second(&first, &before, ORDO_ANOMALY_NONE);
}

Test(history, reading_a_version_of_a_later_window_is_dirty)
{
    struct script first = {.count = 0}, later = {.count = 0}, s = {.count = 0};
    txn(&s, 5), reads(&s, 6, 9);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_DIRTY_READ);
    txn(&first, 5), did(&first, HISTORY_READ, 6, 9 << 16 | 2), did(&first, HISTORY_READ, 7, 3 << 16 | 2);
    txn(&later, 6), later.words[1] = 10 << 16 | 2;
    expect_second(&first, &later, ORDO_ANOMALY_NONE);
    later.words[1] = 9 << 16 | 2;
    start(ORDO_TXN_SERIALIZABLE, false);
    window(&first);
    cr_expect_eq(report.anomalies, 0, "%s", report.first_text);
    window(&later);
    cr_expect_eq(report.anomalies, 1);
    cr_expect_eq(report.first_anomaly, ORDO_ANOMALY_DIRTY_READ);
    cr_expect_str_eq(report.first_text, "T0.5 at table 0, key 6: a version that was not written yet, of T1.9");
}

/* The read names a version by a transaction of the same window that did not write this record. */
Test(history, reading_a_version_that_was_never_written_is_dirty)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0);
    txn(&s, 2), reads(&s, 6, 1);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_DIRTY_READ);
}

/* In the window, a transaction overwrites a version that is older than the stream. A scan that did not meet the record
 * comes before this write. */
Test(history, a_phantom_older_than_the_stream_is_found)
{
    struct script s = {.count = 0};
    txn(&s, 10), reads(&s, 6, 0), did(&s, HISTORY_REMOVE, 7, id(3)), writes(&s, 6, 0);
    txn(&s, 11), reads(&s, 6, 10), did(&s, HISTORY_SCAN, 7, 10);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_PHANTOM);
    struct script met = {.count = 0};
    txn(&met, 10), reads(&met, 6, 0), did(&met, HISTORY_REMOVE, 7, id(3)), writes(&met, 6, 0);
    txn(&met, 11), reads(&met, 6, 10), reads(&met, 7, 10), did(&met, HISTORY_SCAN, 7, 10);
    expect(&met, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_NONE);
}

Test(history, the_shortest_cycle_is_shown)
{
    struct script s = {.count = 0};
    for (uint64_t i = 1; i <= 20; i++)
        txn(&s, i), reads(&s, i, 0), writes(&s, i % 20 + 1, 0);
    txn(&s, 21), reads(&s, 30, 0), writes(&s, 31, 0);
    txn(&s, 22), reads(&s, 31, 0), writes(&s, 30, 0);
    expect(&s, ORDO_TXN_SERIALIZABLE, false, ORDO_ANOMALY_WRITE_SKEW);
    cr_expect_str_eq(report.first_text, "T0.21 -rw(table 0, key 30)->\nT0.22 -rw(table 0, key 31)->\nT0.21", "%s",
                     report.first_text);
}

/* Returns the checker's code for a window under these limits. After an error the checker accepts no more input. */
static int limited(const struct script *script, size_t words, size_t edges, size_t steps)
{
    uint64_t head[] = {(uint64_t)HISTORY_WINDOW << 32, script->count};
    start(ORDO_TXN_SERIALIZABLE, false);
    checker->window_words_max = words;
    checker->edges_max = edges;
    checker->scan_steps_max = steps;
    (void)ordo_history_check(checker, head, sizeof head);
    int code = ordo_history_check(checker, script->words, script->count * sizeof *script->words);
    if (code)
        cr_expect_eq(ordo_history_check(checker, head, sizeof head), code);
    cr_expect_eq(ordo_history_finish(checker, &report), code);
    return code;
}

Test(history, a_history_that_is_too_large_is_refused)
{
    struct script s = {.count = 0};
    txn(&s, 1), writes(&s, 5, 0), writes(&s, 6, 0), writes(&s, 7, 0);
    txn(&s, 2), reads(&s, 5, 1), reads(&s, 6, 1), reads(&s, 7, 1); /* three dependencies */
    did(&s, HISTORY_SCAN, 0, 10), did(&s, HISTORY_SCAN, 0, 6);     /* five steps */
    cr_expect_eq(limited(&s, s.count, 3, 5), ORDO_OK);
    cr_expect_eq(limited(&s, s.count - 1, 3, 5), ORDO_E_SYSTEM);
    cr_expect_eq(limited(&s, s.count, 2, 5), ORDO_E_SYSTEM);
    cr_expect_eq(limited(&s, s.count, 3, 4), ORDO_E_SYSTEM);
}

static int refused(const uint64_t *words, size_t count)
{
    struct ordo_history_report unused;
    checker = ordo_history_checker_create();
    (void)ordo_history_check(checker, words, count * sizeof *words);
    int code = ordo_history_finish(checker, &unused);
    ordo_history_checker_destroy(checker);
    return code;
}

Test(history, a_duplicate_identity_is_refused)
{
    const uint64_t words[] = {HISTORY_MAGIC,
                              HISTORY_LAYOUT,
                              1,
                              0,
                              (uint64_t)HISTORY_WINDOW << 32,
                              8,
                              (uint64_t)HISTORY_COMMITTED << 32,
                              65537,
                              3,
                              4,
                              (uint64_t)HISTORY_COMMITTED << 32,
                              65537,
                              5,
                              6};
    cr_expect_eq(refused(words, sizeof words / sizeof *words), ORDO_E_MALFORMED);
}

/* The previous window was longer. Its remaining words do not belong to this window. */
Test(history, a_transaction_longer_than_its_window_is_refused)
{
    uint64_t words[] = {HISTORY_MAGIC,
                        HISTORY_LAYOUT,
                        1,
                        0,
                        (uint64_t)HISTORY_WINDOW << 32,
                        10,
                        (uint64_t)HISTORY_COMMITTED << 32 | 2,
                        65537,
                        3,
                        4,
                        (uint64_t)HISTORY_READ << 32,
                        5,
                        0,
                        (uint64_t)HISTORY_READ << 32,
                        6,
                        0,
                        (uint64_t)HISTORY_WINDOW << 32,
                        7,
                        (uint64_t)HISTORY_COMMITTED << 32 | 1,
                        131073,
                        3,
                        4,
                        (uint64_t)HISTORY_READ << 32,
                        5,
                        0};
    enum { COUNT = sizeof words / sizeof *words };
    cr_expect_eq(refused(words, COUNT), ORDO_OK);
    words[18]++;
    cr_expect_eq(refused(words, COUNT), ORDO_E_MALFORMED);
}

Test(history, a_file_without_a_history_is_refused)
{
    uint64_t words[] = {HISTORY_MAGIC,
                        HISTORY_LAYOUT,
                        1,
                        0,
                        (uint64_t)HISTORY_WINDOW << 32,
                        7,
                        (uint64_t)HISTORY_COMMITTED << 32 | 1,
                        65537,
                        3,
                        4,
                        (uint64_t)HISTORY_READ << 32,
                        5,
                        0};
    enum { COUNT = sizeof words / sizeof *words };
    cr_expect_eq(refused(words, COUNT), ORDO_OK);
    cr_expect_eq(refused(words, COUNT - 1), ORDO_E_TRUNCATED);
    cr_expect_eq(refused(words, 3), ORDO_E_TRUNCATED);
    static const struct {
        size_t at;
        uint64_t word;
        int code;
    } damages[] = {{0, 1, ORDO_E_MALFORMED},
                   {1, 2, ORDO_E_LAYOUT},
                   {2, 3, ORDO_E_MALFORMED},
                   {3, 2, ORDO_E_MALFORMED},
                   {4, 7, ORDO_E_MALFORMED},
                   {5, UINT64_MAX, ORDO_E_SYSTEM},
                   {6, 1, ORDO_E_MALFORMED},
                   {7, 0, ORDO_E_MALFORMED},
                   {8, 5, ORDO_E_MALFORMED},
                   {10, 5, ORDO_E_MALFORMED},
                   {6, (uint64_t)HISTORY_COMMITTED << 32 | UINT32_MAX, ORDO_E_MALFORMED}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        uint64_t kept = words[damages[i].at];
        words[damages[i].at] = damages[i].word;
        cr_expect_eq(refused(words, COUNT), damages[i].code, "damage %zu", i);
        words[damages[i].at] = kept;
    }
}

/* Receives a stream, and only counts its bytes. */
static int count_bytes(void *total, const void *data, size_t bytes)
{
    (void)data;
    *(size_t *)total += bytes;
    return ORDO_OK;
}

Test(history, a_recorder_uses_the_allocator_of_its_database)
{
    const struct ordo_memory memory = {0};
    struct ordo_db_options options = {.memory = memory, .history = true};
    struct ordo_table_spec spec = {.record_bytes = 8, .rows = 10};
    struct ordo_history *history;
    struct ordo_worker *worker;
    struct ordo_table *table;
    struct ordo_db *db;
    size_t bytes = 0;
    cr_assert_eq(ordo_db_open(&db, ordo_db_engine_find("silo", NULL), &options), ORDO_OK);
    cr_assert_eq(ordo_table_add(db, &spec, &table), ORDO_OK);
    cr_assert_eq(ordo_worker_join(db, &worker), ORDO_OK);
    cr_assert_eq(ordo_history_create(&history, worker, &memory), ORDO_OK);
    for (uint64_t key = 0; key < 3000; key++) { /* the memory of the history must grow for these */
        cr_assert_eq(ordo_txn_begin(worker, ORDO_TXN_SERIALIZABLE), ORDO_OK);
        cr_assert_eq(ordo_txn_read(worker, table, key % 10, &(uint64_t){0}), ORDO_TXN_ABSENT);
        cr_assert_eq(ordo_txn_commit(worker), ORDO_OK);
    }
    cr_expect_eq(ordo_history_cut(&history, 1, count_bytes, &bytes), ORDO_OK);
    cr_expect_gt(bytes, 3000 * (HISTORY_HEAD_WORDS + HISTORY_ACCESS_WORDS) * sizeof(uint64_t));
    ordo_worker_leave(worker);
    ordo_history_destroy(history);
    ordo_db_close(db);
}
