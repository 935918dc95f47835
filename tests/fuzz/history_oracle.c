/* Compares the checker with an exhaustive search on small random histories, which have several windows and may be
 * damaged. The search tries all orders of the transactions (for snapshot isolation: of their begins and ends). The
 * checker must find an anomaly if and only if no order explains the read, overwritten and missed versions.
 *
 * An order explains a history if every transaction finds the versions that it recorded; if every key that a scan did
 * not record was absent: never written according to the stream, or deleted in an earlier window; if windows follow each
 * other; and, if the history is strict, if a transaction that ended before another began comes first. The state before
 * the stream is unknown, but it has one version of each record, written by no transaction of the stream, past or
 * future: the identities of a worker ascend without a gap from the first recorded one.
 *
 *     history_oracle [--seed N] [--count N]    exit 0, or 1 with the first history about which the two differ */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/cc/history.h>

#include "cc/history/format.h"

enum { KEYS = 3, WORKERS = 4, WINDOWS_MAX = 3, WINDOW_TXNS = 4, ACCESSES_MAX = 16, VERSIONS_MAX = 64 };
enum { TXNS_MAX = WINDOWS_MAX * WINDOW_TXNS, NEVER_RECORDED = WORKERS - 1 };

#define BEFORE UINT64_MAX /* the version when the stream began */

struct access {
    enum history_kind kind;
    uint64_t key, other; /* the version, or the last key of a scan */
};

struct txn {
    uint64_t id, begin, end;
    unsigned window, count;
    bool committed;
    struct access accesses[ACCESSES_MAX];
};

struct history {
    enum ordo_txn_level level;
    bool strict;
    unsigned windows, count;
    struct txn txns[TXNS_MAX];
    uint64_t first[WORKERS], next[WORKERS]; /* of each worker: the first recorded number; the last one + 1 */
};

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % below;
}

/* ---- all orders ---- */

struct state {
    uint64_t version[KEYS];
};

static uint64_t initial[KEYS]; /* BEFORE if no committed transaction mentions the key */

static bool is_write(const struct access *access)
{
    return access->kind == HISTORY_WRITE || access->kind == HISTORY_REMOVE;
}

/* Returns the transaction's access to the key, or NULL. Ignores scans and, if `writes`, reads. */
static const struct access *access_to(const struct txn *txn, uint64_t key, bool writes)
{
    for (unsigned i = 0; i < txn->count; i++)
        if (txn->accesses[i].kind != HISTORY_SCAN && txn->accesses[i].key == key &&
            (!writes || is_write(&txn->accesses[i])))
            return &txn->accesses[i];
    return NULL;
}

static const struct txn *writer_of(const struct history *history, uint64_t key, uint64_t version)
{
    for (unsigned i = 0; i < history->count; i++)
        if (history->txns[i].id == version && history->txns[i].committed && access_to(&history->txns[i], key, true))
            return &history->txns[i];
    return NULL;
}

/* True if a version may be older than the stream. With `anywhere`, any version that no committed transaction wrote may
 * be. */
static bool may_be_initial(const struct history *history, uint64_t key, uint64_t version, bool anywhere)
{
    uint64_t worker = (version & UINT16_MAX) - 1;
    if (anywhere)
        return !writer_of(history, key, version);
    return version == 0 || history->first[worker] == history->next[worker] || version >> 16 < history->first[worker];
}

/* Finds a state of the records before the stream. True if one is possible. */
static bool find_initial(const struct history *history, bool anywhere)
{
    for (unsigned key = 0; key < KEYS; key++)
        initial[key] = BEFORE;
    for (unsigned i = 0; i < history->count; i++)
        for (unsigned j = 0; j < history->txns[i].count; j++) {
            const struct access *access = &history->txns[i].accesses[j];
            if (!history->txns[i].committed || access->kind == HISTORY_SCAN ||
                !may_be_initial(history, access->key, access->other, anywhere))
                continue;
            if (initial[access->key] != BEFORE && initial[access->key] != access->other)
                return false;
            initial[access->key] = access->other;
        }
    return true;
}

static bool is_there(const struct state *state, uint64_t key, uint64_t version)
{
    return (state->version[key] == BEFORE ? initial[key] : state->version[key]) == version;
}

/* True if a scan may have found no record at the key. */
static bool is_missing(const struct history *history, const struct state *state, const struct txn *txn, uint64_t key)
{
    if (state->version[key] == BEFORE)
        return true;
    const struct txn *writer = writer_of(history, key, state->version[key]);
    return writer->window < txn->window && access_to(writer, key, true)->kind == HISTORY_REMOVE;
}

static bool finds_all(const struct history *history, const struct state *state, const struct txn *txn)
{
    for (unsigned i = 0; i < txn->count; i++) {
        const struct access *access = &txn->accesses[i];
        if (access->kind != HISTORY_SCAN) {
            if (!is_there(state, access->key, access->other))
                return false;
            continue;
        }
        for (uint64_t key = access->key; key <= access->other; key++)
            if (!access_to(txn, key, false) && !is_missing(history, state, txn, key))
                return false;
    }
    return true;
}

/* Applies the writes of a transaction. True if each overwritten version was the current one. */
static bool overwrites(struct state *state, const struct txn *txn)
{
    for (unsigned i = 0; i < txn->count; i++)
        if (is_write(&txn->accesses[i])) {
            if (!is_there(state, txn->accesses[i].key, txn->accesses[i].other))
                return false;
            state->version[txn->accesses[i].key] = txn->id;
        }
    return true;
}

static bool may_begin(const struct history *history, const struct txn *txn, unsigned ended)
{
    for (unsigned i = 0; history->strict && i < history->count; i++) {
        const struct txn *other = &history->txns[i];
        if (other->window == txn->window && other->committed && other->end < txn->begin && !(ended >> i & 1))
            return false;
    }
    return true;
}

/* True if some order continues the window. `begun` and `ended` are the sets of transactions that have begun and ended.
 * `state` becomes the state after the window, which does not depend on the order, because every write states the
 * overwritten version. */
static bool explain(const struct history *history, unsigned window, unsigned begun, unsigned ended, struct state *state)
{
    bool all = true;
    for (unsigned i = 0; i < history->count; i++) {
        const struct txn *txn = &history->txns[i];
        struct state next = *state;
        unsigned bit = 1u << i;
        if (txn->window != window || !txn->committed || (ended & bit))
            continue;
        all = false;
        if (!(begun & bit)) {
            if (!may_begin(history, txn, ended) || !finds_all(history, state, txn))
                continue;
            if (history->level == ORDO_TXN_SNAPSHOT && explain(history, window, begun | bit, ended, &next)) {
                *state = next;
                return true;
            }
            next = *state;
            if (history->level == ORDO_TXN_SNAPSHOT)
                continue;
        }
        if (overwrites(&next, txn) && explain(history, window, begun | bit, ended | bit, &next)) {
            *state = next;
            return true;
        }
    }
    return all;
}

static bool is_explained(const struct history *history, bool anywhere)
{
    struct state state;
    for (unsigned key = 0; key < KEYS; key++)
        state.version[key] = BEFORE;
    if (!find_initial(history, anywhere))
        return false;
    for (unsigned window = 0; window < history->windows; window++)
        if (!explain(history, window, 0, 0, &state))
            return false;
    return true;
}

/* ---- histories at random ---- */

/* What the generator has done so far, one transaction after the other. */
struct past {
    uint64_t version[KEYS], versions[KEYS][VERSIONS_MAX];
    unsigned count[KEYS];
    uint64_t damage; /* percent of the accesses to damage */
};

static uint64_t id_of(uint64_t number, uint64_t worker)
{
    return number << 16 | (worker + 1);
}

/* Returns a random identity: of no transaction, of a transaction of the stream, or of one before or after the
 * stream. */
static uint64_t any_version(const struct history *history, const struct txn *txn)
{
    uint64_t worker = draw(WORKERS), id = txn->id;
    switch (draw(8)) {
    case 0:
        return 0;
    case 1:
        return id_of(1 + draw(history->first[worker] - 1), worker);
    case 2:
        return id_of(history->next[worker] + draw(2), worker);
    default:
        while (id == txn->id && history->count > 1)
            id = history->txns[draw(history->count)].id;
        return id == txn->id ? 0 : id;
    }
}

static uint64_t some_version(const struct history *history, const struct past *past, const struct txn *txn,
                             uint64_t key)
{
    if (draw(100) >= past->damage)
        return past->version[key];
    return draw(2) ? past->versions[key][draw(past->count[key])] : any_version(history, txn);
}

static void add(struct txn *txn, enum history_kind kind, uint64_t key, uint64_t other)
{
    if (txn->count < ACCESSES_MAX && (kind == HISTORY_SCAN || other != txn->id))
        txn->accesses[txn->count++] = (struct access){kind, key, other};
}

static void add_scan(const struct history *history, const struct past *past, struct txn *txn)
{
    uint64_t first = draw(KEYS), last = first + draw(KEYS - first);
    for (uint64_t key = first; key <= last; key++) {
        uint64_t version = some_version(history, past, txn, key);
        if (version && draw(100) >= past->damage && !access_to(txn, key, true))
            add(txn, HISTORY_READ, key, version);
    }
    add(txn, HISTORY_SCAN, first, last);
}

static void add_access(const struct history *history, const struct past *past, struct txn *txn)
{
    uint64_t kind = draw(10), key = draw(KEYS), version = some_version(history, past, txn, key);
    if (kind == 0) {
        add_scan(history, past, txn);
    } else if (access_to(txn, key, true)) {
        return; /* the transaction has already written the key */
    } else if (kind < 5) {
        add(txn, HISTORY_READ, key, version);
    } else {
        if (draw(2))
            add(txn, HISTORY_READ, key, version);
        add(txn, draw(3) ? HISTORY_WRITE : HISTORY_REMOVE, key, version);
    }
}

static void fill(struct history *history)
{
    static const uint64_t damages[] = {0, 2, 5, 20};
    struct past past = {.damage = damages[draw(4)]};
    for (unsigned key = 0; key < KEYS; key++) {
        uint64_t worker = draw(WORKERS);
        past.version[key] = draw(2) ? 0 : id_of(1 + draw(history->first[worker] - 1), worker);
        past.versions[key][past.count[key]++] = past.version[key];
    }
    for (unsigned i = 0; i < history->count; i++) {
        struct txn *txn = &history->txns[i];
        for (uint64_t accesses = draw(5); accesses > 0; accesses--)
            add_access(history, &past, txn);
        for (unsigned key = 0; key < KEYS; key++)
            if (access_to(txn, key, true)) {
                past.versions[key][past.count[key]++] = txn->id;
                past.version[key] = txn->committed ? txn->id : past.version[key];
            }
    }
}

/* Assigns the transactions to workers and windows. The recording of a worker may begin in a later window; one worker is
 * never recorded. */
static void plan(struct history *history)
{
    uint64_t from[WORKERS], slow = draw(2) ? 12 : 40;
    memset(history, 0, sizeof *history);
    history->level = draw(2) ? ORDO_TXN_SERIALIZABLE : ORDO_TXN_SNAPSHOT;
    history->strict = draw(3) == 0;
    history->windows = 1 + (unsigned)draw(WINDOWS_MAX);
    for (unsigned worker = 0; worker < WORKERS; worker++) {
        history->first[worker] = history->next[worker] = 2 + draw(3);
        from[worker] = worker ? draw(WINDOWS_MAX) : 0;
    }
    for (unsigned window = 0; window < history->windows; window++)
        for (uint64_t txns = 1 + draw(WINDOW_TXNS); txns > 0; txns--) {
            uint64_t worker = draw(NEVER_RECORDED), at = 100 + 10 * history->count, before = draw(slow);
            worker = from[worker] <= window ? worker : 0;
            history->txns[history->count++] = (struct txn){.id = id_of(history->next[worker]++, worker),
                                                           .begin = at - before,
                                                           .end = at + draw(slow),
                                                           .window = window,
                                                           .committed = draw(7) > 0};
        }
}

/* ---- both ---- */

static void feed(struct ordo_history_checker *checker, const void *words, size_t count)
{
    if (ordo_history_check(checker, words, count * sizeof(uint64_t)))
        abort();
}

static void feed_txn(struct ordo_history_checker *checker, const struct txn *txn)
{
    uint64_t status = txn->committed ? HISTORY_COMMITTED : HISTORY_ABORTED;
    uint64_t head[] = {status << 32 | txn->count, txn->id, txn->begin, txn->end};
    feed(checker, head, HISTORY_HEAD_WORDS);
    for (unsigned i = 0; i < txn->count; i++) {
        uint64_t words[] = {(uint64_t)txn->accesses[i].kind << 32, txn->accesses[i].key, txn->accesses[i].other};
        feed(checker, words, HISTORY_ACCESS_WORDS);
    }
}

/* Feeds the transactions of a window in random order, because they come from several workers. */
static void feed_window(struct ordo_history_checker *checker, const struct history *history, unsigned window)
{
    const struct txn *txns[WINDOW_TXNS];
    uint64_t head[] = {(uint64_t)HISTORY_WINDOW << 32, 0};
    unsigned count = 0;
    for (unsigned i = 0; i < history->count; i++)
        if (history->txns[i].window == window) {
            unsigned at = (unsigned)draw(count + 1);
            txns[count++] = txns[at];
            txns[at] = &history->txns[i];
            head[1] += HISTORY_HEAD_WORDS + HISTORY_ACCESS_WORDS * history->txns[i].count;
        }
    feed(checker, head, HISTORY_WINDOW_WORDS);
    for (unsigned i = 0; i < count; i++)
        feed_txn(checker, txns[i]);
}

static struct ordo_history_report check(const struct history *history)
{
    struct ordo_history_checker *checker = ordo_history_checker_create();
    struct ordo_history_report report;
    if (!checker || ordo_history_head(history->level, history->strict, ordo_history_check, checker))
        abort();
    for (unsigned window = 0; window < history->windows; window++)
        feed_window(checker, history, window);
    if (ordo_history_finish(checker, &report))
        abort();
    ordo_history_checker_destroy(checker);
    return report;
}

static void show(const struct history *history)
{
    static const char *const kinds[] = {"?", "reads", "writes", "removes", "scans"};
    printf("%s%s\n", history->level == ORDO_TXN_SNAPSHOT ? "snapshots" : "serialisable",
           history->strict ? ", strict" : "");
    for (unsigned i = 0; i < history->count; i++) {
        const struct txn *txn = &history->txns[i];
        printf("window %u: T%" PRIu64 ".%" PRIu64 " [%" PRIu64 ", %" PRIu64 "]%s", txn->window, (txn->id & 0xffff) - 1,
               txn->id >> 16, txn->begin, txn->end, txn->committed ? "" : " aborted");
        for (unsigned j = 0; j < txn->count; j++) {
            const struct access *access = &txn->accesses[j];
            printf(", %s %" PRIu64, kinds[access->kind], access->key);
            if (access->kind == HISTORY_SCAN)
                printf("-%" PRIu64, access->other);
            else if (access->other == 0)
                printf(":nobody");
            else
                printf(":T%" PRIu64 ".%" PRIu64, (access->other & 0xffff) - 1, access->other >> 16);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static struct history history;
    uint64_t seed = 1, count = 20000, sound = 0, elsewhere = 0, wrong = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 0);
    }
    random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (uint64_t i = 0; i < count; i++) {
        plan(&history);
        fill(&history);
        bool explained = is_explained(&history, false);
        struct ordo_history_report report = check(&history);
        sound += explained;
        elsewhere += !explained && is_explained(&history, true);
        if (explained == (report.anomalies == 0))
            continue;
        if (wrong++ == 0) {
            show(&history);
            printf("%s; the checker says: %s\n", explained ? "there is an order" : "there is no order",
                   report.anomalies ? report.first_text : "no anomaly");
        }
    }
    printf("%" PRIu64 " histories, %" PRIu64 " explained, %" PRIu64
           " only without a look at the rest of the stream; %" PRIu64 " wrong answers\n",
           count, sound, elsewhere, wrong);
    return wrong || sound < count / 10 || sound > count - count / 10 || elsewhere < count / 1000;
}
