/* One window: the graph of the dependencies between transactions, and the anomalies in it.
 *
 * Every write names the version that it overwrote, so the order of versions is known and nothing is inferred from
 * times. A version that no transaction of the window wrote must be the last version that the record had before the
 * window. If the stream has not mentioned the record before, the checker believes any version that may be older than
 * the stream: a version of a worker that is not in the stream yet, or of a transaction before the worker's first one in
 * the stream. If that worker appears later with a transaction whose identity is not above the believed one, the belief
 * was wrong, and the checker reports it then.
 *
 * A serialisable history has no cycle. Snapshot isolation allows cycles in which two edges of overwritten reads (rw)
 * follow each other (A. Cerone, A. Gotsman, "Analysing Snapshot Isolation", PODC 2016). To check this level, every
 * transaction has two nodes: an rw edge leads from the first node of one to the second node of the other; any other
 * edge ends at the first node, and begins at both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/history/checker.h"

#define NOTHING UINT32_MAX

static uint64_t id_of(const struct history_txn *txn)
{
    return txn->words[1];
}

static const uint64_t *access_of(const struct history_txn *txn, uint32_t index)
{
    return txn->words + HISTORY_HEAD_WORDS + (size_t)index * HISTORY_ACCESS_WORDS;
}

/* ---- reports ---- */

static size_t put_id(char *text, size_t size, uint64_t id)
{
    int length = id == 0 ? snprintf(text, size, "nobody")
                         : snprintf(text, size, "T%llu.%llu", (unsigned long long)(id & 0xffff) - 1,
                                    (unsigned long long)(id >> 16));
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

/* Counts an anomaly. Returns the buffer for its text if it is the first anomaly, otherwise NULL. */
static char *note_anomaly(struct ordo_history_checker *checker, enum ordo_history_anomaly anomaly)
{
    struct ordo_history_report *report = &checker->report;
    report->by_kind[anomaly]++;
    if (report->anomalies++ > 0)
        return NULL;
    report->first_anomaly = anomaly;
    return report->first_text;
}

/* Counts an anomaly at one record, of one or two transactions, and describes it if it is the first. */
static void note_anomaly_at(struct ordo_history_checker *checker, enum ordo_history_anomaly anomaly,
                            const struct history_txn *txn, const uint64_t *access, const char *what, uint64_t other)
{
    char *text = note_anomaly(checker, anomaly);
    size_t size = sizeof checker->report.first_text, at;
    if (!text)
        return;
    at = put_id(text, size, id_of(txn));
    int length = snprintf(text + at, size - at, " at table %u, key %llu: %s ", (unsigned)access[0],
                          (unsigned long long)access[1], what);
    if (length > 0 && (at += (size_t)length) < size)
        (void)put_id(text + at, size - at, other);
}

static enum ordo_history_anomaly kind_of(const struct history_edge *cycle, size_t length)
{
    size_t count[HISTORY_TIME + 1] = {0}, overwritten;
    for (size_t i = 0; i < length; i++)
        count[cycle[i].reason]++;
    overwritten = count[HISTORY_RW] + count[HISTORY_MISSED];
    if (count[HISTORY_TIME])
        return ORDO_ANOMALY_STALE_READ;
    if (overwritten == 0)
        return count[HISTORY_WR] ? ORDO_ANOMALY_CIRCULAR_FLOW : ORDO_ANOMALY_DIRTY_WRITE;
    if (count[HISTORY_MISSED])
        return ORDO_ANOMALY_PHANTOM;
    if (overwritten > 1)
        return ORDO_ANOMALY_WRITE_SKEW;
    if (length == 2 && count[HISTORY_WW] && cycle[0].table == cycle[1].table && cycle[0].key == cycle[1].key)
        return ORDO_ANOMALY_LOST_UPDATE;
    return ORDO_ANOMALY_READ_SKEW;
}

static void found_cycle(struct ordo_history_checker *checker, const struct history_edge *cycle, size_t length)
{
    static const char *const reasons[] = {"wr", "ww", "rw", "missed", "ended before"};
    char *text = note_anomaly(checker, kind_of(cycle, length));
    size_t size = sizeof checker->report.first_text, at = 0;
    for (size_t i = 0; text && i < length && at + 80 < size; i++) {
        uint32_t from = cycle[i].from % checker->count; /* either node of the transaction */
        int more;
        if (cycle[i].from >= 2 * checker->count)
            continue; /* a node of real time, not of a transaction */
        at += put_id(text + at, size - at, id_of(&checker->txns[from]));
        if (cycle[i].reason == HISTORY_TIME)
            more = snprintf(text + at, size - at, " -%s->\n", reasons[cycle[i].reason]);
        else
            more = snprintf(text + at, size - at, " -%s(table %u, key %llu)->\n", reasons[cycle[i].reason],
                            cycle[i].table, (unsigned long long)cycle[i].key);
        at += more > 0 ? (size_t)more : 0;
    }
    if (text && at < size)
        (void)put_id(text + at, size - at, id_of(&checker->txns[cycle[0].from % checker->count]));
}

/* ---- the workers ---- */

static const struct history_worker *worker_of(const struct ordo_history_checker *checker, uint64_t id)
{
    static const struct history_worker unknown;
    const struct history_worker *some = checker->workers[(id & UINT16_MAX) / HISTORY_WORKERS];
    return some ? &some[id % HISTORY_WORKERS] : &unknown;
}

/* Returns the worker of an identity for changes; NULL if out of memory. */
static struct history_worker *worker_make(struct ordo_history_checker *checker, uint64_t id)
{
    struct history_worker **some = &checker->workers[(id & UINT16_MAX) / HISTORY_WORKERS];
    if (!*some)
        *some = calloc(HISTORY_WORKERS, sizeof **some);
    return *some ? &(*some)[id % HISTORY_WORKERS] : NULL;
}

/* True if a version may be older than the stream, judged by the part of the stream read so far. */
static bool is_before_stream(const struct ordo_history_checker *checker, uint64_t version)
{
    const struct history_worker *worker = worker_of(checker, version);
    return worker->lowest == 0 || version < worker->lowest;
}

/* Notes the belief that a version is older than the stream. Keeps the highest version of each worker, which is the
 * first to be refuted. */
static int believe_read(struct ordo_history_checker *checker, const struct history_txn *txn, const uint64_t *access)
{
    struct history_worker *worker = worker_make(checker, access[2]);
    if (!worker)
        return ORDO_E_SYSTEM;
    if (access[2] <= worker->believed)
        return ORDO_OK;
    worker->believed = access[2];
    worker->reader = id_of(txn);
    worker->table = (uint32_t)access[0];
    worker->key = access[1];
    return ORDO_OK;
}

/* Notes the transaction if it is the worker's first, and checks the belief about the worker's earlier versions. */
static int meet_worker(struct ordo_history_checker *checker, uint64_t id)
{
    struct history_worker *worker = worker_make(checker, id);
    if (!worker)
        return ORDO_E_SYSTEM;
    if (!is_before_stream(checker, id))
        return ORDO_OK;
    worker->lowest = id;
    if (worker->believed < id)
        return ORDO_OK;
    const uint64_t words[] = {0, worker->reader}, access[] = {worker->table, worker->key};
    const struct history_txn reader = {.words = words};
    note_anomaly_at(checker, ORDO_ANOMALY_DIRTY_READ, &reader, access, "a version that was not written yet, of",
                    worker->believed);
    worker->believed = 0;
    return ORDO_OK;
}

/* ---- reading the window ---- */

static int add_txn(struct ordo_history_checker *checker, const uint64_t *words, bool committed, uint32_t accesses)
{
    if (checker->count == checker->capacity) {
        uint32_t wider = checker->capacity ? 2 * checker->capacity : 1024;
        struct history_txn *txns = realloc(checker->txns, wider * sizeof *txns);
        if (!txns)
            return ORDO_E_SYSTEM;
        checker->txns = txns;
        checker->capacity = wider;
    }
    struct history_entry *entry = history_map_make(&checker->ids, 0, words[1], 0);
    if (!entry)
        return ORDO_E_SYSTEM;
    if (entry->first != HISTORY_NOBODY || words[1] == 0 || words[1] == UINT64_MAX || words[2] > words[3])
        return ORDO_E_MALFORMED; /* an invalid or repeated identity, or an end before the begin */
    if (meet_worker(checker, words[1]))
        return ORDO_E_SYSTEM;
    entry->first = checker->count;
    checker->txns[checker->count++] = (struct history_txn){words, accesses, committed};
    *(committed ? &checker->report.committed : &checker->report.aborted) += 1;
    return ORDO_OK;
}

static int split_txns(struct ordo_history_checker *checker, const uint64_t *words, size_t count)
{
    for (size_t at = 0; at < count;) {
        if (count - at < HISTORY_HEAD_WORDS)
            return ORDO_E_MALFORMED;
        uint64_t status = words[at] >> 32, accesses = words[at] & UINT32_MAX;
        size_t length = HISTORY_HEAD_WORDS + (size_t)accesses * HISTORY_ACCESS_WORDS;
        if ((status != HISTORY_COMMITTED && status != HISTORY_ABORTED) || length > count - at)
            return ORDO_E_MALFORMED;
        for (size_t i = at + HISTORY_HEAD_WORDS; i < at + length; i += HISTORY_ACCESS_WORDS) {
            uint64_t kind = words[i] >> 32;
            if (kind < HISTORY_READ || kind > HISTORY_SCAN || (kind == HISTORY_SCAN && words[i + 1] > words[i + 2]))
                return ORDO_E_MALFORMED;
        }
        int code = add_txn(checker, words + at, status == HISTORY_COMMITTED, (uint32_t)accesses);
        if (code)
            return code;
        at += length;
    }
    return ORDO_OK;
}

/* ---- versions ---- */

/* Returns the entry with the last version that a record had before the window; NULL if out of memory. Adds the key of a
 * new entry to the places, for scans. */
static struct history_entry *last_of(struct ordo_history_checker *checker, uint64_t table, uint64_t key)
{
    size_t known = checker->last.count;
    struct history_entry *last = history_map_make(&checker->last, table, key, 0);
    if (!last || checker->last.count == known)
        return last;
    if (checker->place_count == checker->place_capacity) {
        size_t wider = checker->place_capacity ? 2 * checker->place_capacity : 256;
        struct history_place *places = realloc(checker->places, wider * sizeof *places);
        if (!places)
            return NULL;
        checker->places = places;
        checker->place_capacity = wider;
    }
    checker->places[checker->place_count++] = (struct history_place){table, key};
    return last;
}

/* Notes a write: its version, and the version that it overwrote. */
static int note_write(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    const struct history_txn *txn = &checker->txns[index];
    uint64_t table = access[0] & UINT32_MAX, id = id_of(txn);
    struct history_entry *own = history_map_make(&checker->made, table, access[1], id);
    if (!own)
        return ORDO_E_SYSTEM;
    own->first = index;
    own->note = (uint8_t)(access[0] >> 32);
    if (access[2] == id)
        return ORDO_OK; /* overwrites the transaction's own version */
    if (!txn->committed)
        return ORDO_OK;
    checker->report.writes++;
    struct history_entry *old = history_map_make(&checker->made, table, access[1], access[2]);
    if (!old)
        return ORDO_E_SYSTEM;
    if (old->second != HISTORY_NOBODY && old->second != index)
        note_anomaly_at(checker, ORDO_ANOMALY_LOST_UPDATE, txn, access, "overwrote the same version as",
                        id_of(&checker->txns[old->second]));
    else
        old->second = index;
    return last_of(checker, table, access[1]) ? ORDO_OK : ORDO_E_SYSTEM;
}

/* Notes which transaction overwrote the version from before the window. Call after all writes were noted. */
static int note_first_write(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    uint64_t table = access[0] & UINT32_MAX;
    const struct history_entry *old = history_map_find(&checker->made, table, access[1], access[2]);
    if (!old || old->first != HISTORY_NOBODY || old->second != index)
        return ORDO_OK;
    struct history_entry *before = history_map_make(&checker->made, table, access[1], HISTORY_BEFORE);
    if (!before)
        return ORDO_E_SYSTEM;
    before->second = index;
    return ORDO_OK;
}

/* Checks that a version which a committed transaction read or overwrote exists. `*writer` gets the version's writer if
 * it is in the window, otherwise NOTHING. */
static int judge_version(struct ordo_history_checker *checker, const struct history_txn *txn, const uint64_t *access,
                         uint32_t *writer)
{
    uint64_t table = access[0] & UINT32_MAX;
    const struct history_entry *made = history_map_find(&checker->made, table, access[1], access[2]);
    *writer = NOTHING;
    if (made && made->first != HISTORY_NOBODY) {
        if (checker->txns[made->first].committed)
            *writer = (uint32_t)made->first;
        else
            note_anomaly_at(checker, ORDO_ANOMALY_DIRTY_READ, txn, access, "a version of an aborted transaction,",
                            access[2]);
        return ORDO_OK;
    }
    struct history_entry *last = last_of(checker, table, access[1]);
    if (!last)
        return ORDO_E_SYSTEM;
    bool known = last->first != HISTORY_NOBODY;
    if (!known && is_before_stream(checker, access[2])) {
        if (believe_read(checker, txn, access))
            return ORDO_E_SYSTEM;
        last->first = access[2];
    }
    if (last->first == access[2])
        return ORDO_OK;
    if (known && access[2] <= worker_of(checker, access[2])->highest &&
        !history_map_find(&checker->ids, 0, access[2], 0))
        note_anomaly_at(checker, ORDO_ANOMALY_STALE_READ, txn, access,
                        "overwritten before the window began, a version of", access[2]);
    else
        note_anomaly_at(checker, ORDO_ANOMALY_DIRTY_READ, txn, access, "a version that nobody wrote, as if of",
                        access[2]);
    return ORDO_OK;
}

/* Keeps the version of a committed write as the record's last version, if the window did not overwrite it. */
static int carry_write(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    uint64_t table = access[0] & UINT32_MAX, id = id_of(&checker->txns[index]);
    const struct history_entry *old = history_map_find(&checker->made, table, access[1], access[2]);
    const struct history_entry *own = history_map_find(&checker->made, table, access[1], id);
    if (access[2] == id || !old || old->second != index || !own || own->second != HISTORY_NOBODY)
        return ORDO_OK;
    struct history_entry *last = last_of(checker, table, access[1]);
    if (!last)
        return ORDO_E_SYSTEM;
    last->first = id;
    last->second = own->note;
    return ORDO_OK;
}

/* Visits the writes of all transactions in the order of the stream, so that the answer does not depend on the hash's
 * seed. */
static int each_write(struct ordo_history_checker *checker,
                      int (*visit)(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access))
{
    int code = ORDO_OK;
    for (uint32_t i = 0; i < checker->count && !code; i++)
        for (uint32_t j = 0; j < checker->txns[i].accesses && !code; j++) {
            const uint64_t *access = access_of(&checker->txns[i], j);
            if (access[0] >> 32 == HISTORY_WRITE || access[0] >> 32 == HISTORY_REMOVE)
                code = visit(checker, i, access);
        }
    return code;
}

/* Keeps the state for later windows: each worker's highest identity, and each record's last version. */
static int carry_state(struct ordo_history_checker *checker)
{
    for (uint32_t i = 0; i < checker->count; i++) {
        uint64_t id = id_of(&checker->txns[i]);
        struct history_worker *worker = worker_make(checker, id);
        if (!worker)
            return ORDO_E_SYSTEM;
        worker->highest = worker->highest < id ? id : worker->highest;
    }
    return each_write(checker, carry_write);
}

/* ---- edges ---- */

/* Adds the edges for "`before` comes before `after`". At level SNAPSHOT, a transaction has two nodes (see above). */
static int add_edge(struct ordo_history_checker *checker, uint32_t before, uint32_t after, enum history_reason reason,
                    uint64_t table, uint64_t key)
{
    struct history_edge edge = {before, after, reason, (uint32_t)table, key};
    bool overwritten = reason == HISTORY_RW || reason == HISTORY_MISSED;
    if (before == after || before == NOTHING || after == NOTHING)
        return ORDO_OK;
    if (checker->report.level == ORDO_TXN_SNAPSHOT && overwritten) {
        edge.to += checker->count;
        return history_graph_add(&checker->graph, edge);
    }
    int code = history_graph_add(&checker->graph, edge);
    if (code || checker->report.level != ORDO_TXN_SNAPSHOT)
        return code;
    edge.from += checker->count;
    return history_graph_add(&checker->graph, edge);
}

static int add_read(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    const struct history_txn *txn = &checker->txns[index];
    uint64_t table = access[0] & UINT32_MAX;
    uint32_t writer;
    checker->report.reads++;
    if (access[2] == id_of(txn))
        return ORDO_OK;
    struct history_entry *seen = history_map_make(&checker->seen, table, access[1], id_of(txn));
    if (!seen)
        return ORDO_E_SYSTEM;
    if (seen->first == access[2])
        return ORDO_OK;
    if (seen->first != HISTORY_NOBODY)
        note_anomaly_at(checker, ORDO_ANOMALY_NON_REPEATABLE_READ, txn, access, "another version than before, of",
                        access[2]);
    seen->first = access[2];
    int code = judge_version(checker, txn, access, &writer);
    if (!code)
        code = add_edge(checker, writer, index, HISTORY_WR, table, access[1]);
    const struct history_entry *made = history_map_find(&checker->made, table, access[1], access[2]);
    if (!code && made && made->second != HISTORY_NOBODY)
        code = add_edge(checker, index, (uint32_t)made->second, HISTORY_RW, table, access[1]);
    return code;
}

static int add_write(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    uint32_t writer;
    if (access[2] == id_of(&checker->txns[index]))
        return ORDO_OK;
    int code = judge_version(checker, &checker->txns[index], access, &writer);
    return code ? code : add_edge(checker, writer, index, HISTORY_WW, access[0] & UINT32_MAX, access[1]);
}

static int compare_places(const void *left, const void *right)
{
    const struct history_place *a = left, *b = right;
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Adds the edge of a scan that has no read of a key in its range. The scan found the key absent, as it was before the
 * window, because it would have noted a deletion of this window. So the scan comes before the key's first writer. If
 * the stream says that the key had a record before the window, the scan missed it. If the stream has only reads of the
 * last version, that version may have been a deletion. */
static int add_missed(struct ordo_history_checker *checker, uint32_t index, const struct history_place *place)
{
    const struct history_txn *txn = &checker->txns[index];
    const struct history_entry *last = history_map_find(&checker->last, place->table, place->key, 0);
    uint64_t id = id_of(txn);
    const uint64_t access[] = {place->table, place->key};
    if (history_map_find(&checker->seen, place->table, place->key, id) ||
        history_map_find(&checker->made, place->table, place->key, id))
        return ORDO_OK;
    if (last && last->second == HISTORY_WRITE) {
        note_anomaly_at(checker, ORDO_ANOMALY_PHANTOM, txn, access, "a scan missed the record of", last->first);
        return ORDO_OK;
    }
    const struct history_entry *next = history_map_find(&checker->made, place->table, place->key, HISTORY_BEFORE);
    return next ? add_edge(checker, index, (uint32_t)next->second, HISTORY_MISSED, place->table, place->key) : ORDO_OK;
}

/* Adds the edges of a scan. Call after the reads of its transaction were added. */
static int add_scan(struct ordo_history_checker *checker, uint32_t index, const uint64_t *access)
{
    const struct history_place first = {access[0] & UINT32_MAX, access[1]}, last = {access[0] & UINT32_MAX, access[2]};
    size_t low = 0, high;
    int code = ORDO_OK;
    if (checker->places_sorted < checker->places_written) {
        qsort(checker->places, checker->place_count, sizeof *checker->places, compare_places);
        checker->places_sorted = checker->place_count;
    }
    high = checker->places_sorted;
    checker->report.scans++;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_places(&checker->places[middle], &first) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; !code && low < checker->places_sorted && compare_places(&checker->places[low], &last) <= 0; low++)
        code = ++checker->scan_steps > checker->scan_steps_max ? ORDO_E_SYSTEM
                                                               : add_missed(checker, index, &checker->places[low]);
    return code;
}

static int add_accesses(struct ordo_history_checker *checker, uint32_t index)
{
    const struct history_txn *txn = &checker->txns[index];
    int code = ORDO_OK;
    for (uint32_t i = 0; i < txn->accesses && !code; i++) {
        const uint64_t *access = access_of(txn, i);
        uint64_t kind = access[0] >> 32;
        if (kind == HISTORY_READ)
            code = add_read(checker, index, access);
        else if (kind != HISTORY_SCAN)
            code = add_write(checker, index, access);
    }
    for (uint32_t i = 0; i < txn->accesses && !code; i++)
        if (access_of(txn, i)[0] >> 32 == HISTORY_SCAN)
            code = add_scan(checker, index, access_of(txn, i));
    return code;
}

/* ---- real time ---- */

struct moment {
    uint64_t ns;
    uint32_t txn;
};

static int compare_moments(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    return a->ns < b->ns ? -1 : a->ns > b->ns;
}

/* Adds the edges of real time. Every end of a transaction is a node, which comes after the transaction and after the
 * previous end. An edge leads from the last end before a transaction's begin to that transaction. So there are at most
 * three edges per transaction, not one per pair. The nodes of ends begin at 2 * count. */
static int add_times(struct ordo_history_checker *checker)
{
    uint32_t committed = 0, first = 2 * checker->count;
    struct moment *ends = malloc((checker->count + 1) * sizeof *ends);
    int code = ends ? ORDO_OK : ORDO_E_SYSTEM;
    for (uint32_t i = 0; !code && i < checker->count; i++)
        if (checker->txns[i].committed)
            ends[committed++] = (struct moment){checker->txns[i].words[3], i};
    if (!code)
        qsort(ends, committed, sizeof *ends, compare_moments);
    for (uint32_t i = 0; !code && i < committed; i++) {
        uint64_t begin = checker->txns[ends[i].txn].words[2];
        uint32_t low = 0, high = committed;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (ends[middle].ns < begin)
                low = middle + 1;
            else
                high = middle;
        }
        code = add_edge(checker, ends[i].txn, first + i, HISTORY_TIME, 0, 0);
        if (!code && i > 0)
            code =
                history_graph_add(&checker->graph, (struct history_edge){first + i - 1, first + i, HISTORY_TIME, 0, 0});
        if (!code && low > 0)
            code = history_graph_add(&checker->graph,
                                     (struct history_edge){first + low - 1, ends[i].txn, HISTORY_TIME, 0, 0});
    }
    free(ends);
    return code;
}

/* ---- the window ---- */

static int build_graph(struct ordo_history_checker *checker)
{
    int code = each_write(checker, note_write);
    if (!code)
        code = each_write(checker, note_first_write);
    checker->places_written = checker->place_count; /* no scan can have missed a key that is only read */
    for (uint32_t i = 0; i < checker->count && !code; i++)
        if (checker->txns[i].committed)
            code = add_accesses(checker, i);
    if (!code && checker->report.strict)
        code = add_times(checker);
    return code;
}

int history_window_check(struct ordo_history_checker *checker, const uint64_t *words, size_t count)
{
    struct history_edge *cycle;
    size_t length;
    checker->count = 0;
    checker->graph.count = checker->scan_steps = 0;
    checker->graph.limit =
        count < checker->edges_max / HISTORY_EDGES_PER_WORD ? count * HISTORY_EDGES_PER_WORD : checker->edges_max;
    history_map_clear(&checker->ids);
    history_map_clear(&checker->made);
    history_map_clear(&checker->seen);
    int code = split_txns(checker, words, count);
    if (!code)
        code = build_graph(checker);
    if (!code)
        code = history_graph_cycle(&checker->graph, 3 * checker->count, &cycle, &length);
    if (code)
        return code;
    if (length)
        found_cycle(checker, cycle, length);
    free(cycle);
    return carry_state(checker);
}
