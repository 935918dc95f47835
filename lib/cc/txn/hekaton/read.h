/* Optimistic multi-version concurrency control, after Hekaton, on a stamp.
 *
 * A record is an anchor in the index and a chain of versions, the newest first, each with the time of its writer. A
 * version is valid from its time to that of the one above. `anchor->writer` is the claim of the one transaction that
 * may change the chain; a second writer conflicts. A version whose writer has not finished carries the writer's
 * identity instead of a time.
 *
 * Commit: announce PREPARING; take the end time e, certainly after the begin and after every version that is
 * overwritten; [wait until every clock has passed e]; validate what was read and scanned; [settle e]; announce
 * COMMITTED; write the times; drop the claims.
 *
 * Why it is right, with "before" for certain order and B for the boundary:
 *
 * 1. Snapshots (hk_visible). A snapshot at begin b shows exactly the transactions with e before b. It misses none: b is
 * read after the reader announced itself (C2, cc_enter) and before its loads. A writer that some load did not find
 * PREPARING reads its clock after that load, since it announces first (C4, hk_end_time): e >= b - B by the lemma, so it
 * is shown nowhere. Whoever has e < b - B was found PREPARING or done at every load, and is waited for (hk_pick).
 *
 * 2. Serialisable writers read the newest version (hk_newest) and validate at the end (hk_validate): each version read
 * is still the newest, and no other transaction that wrote it is PREPARING. Order them by their announcements. If T
 * read what T' overwrote, T validated before T' announced; if T' overwrote or read what T wrote, T had finished. So
 * every dependency goes forward, without a look at any time.
 *
 * 3. Both together (C5, C6). Suppose a snapshot R misses T, T' depends on T directly or not, and R sees T'. T'
 * announced after T validated, hence after T had waited for every clock to pass e: e' > e (hk_end_time). R misses T
 * because T announced after R's load, and then e' >= b - B like e; or because e >= b - B, and then e' > b - B. Either
 * way R does not see T'. So a reader may treat an uncertain version as absent, only because the writer waited. With
 * ORDO_UNCERTAIN_ABORT nobody waits, and a reader aborts on an uncertain version: then e > b + B, and e' >= e - B > b.
 *
 * 4. Equal times (C7). Two transactions that wrote the same record have certainly ordered times, and a comparison of a
 * reader needs more than equality. Identities, not times, tell versions apart.
 *
 * 5. Times of one thread (C8, hk_begin, hk_join). A begin is not before the previous begin, and for snapshots it is
 * certainly after the thread's own last end, in whatever place it was joined then. Sentinels (C3, HK_TAG): an identity
 * has bit 63, a time has not.
 *
 * 6. Progress (C9). Nobody who is waited for without bound waits for another transaction: PREPARING ones wait for
 * clocks, and for the locks of an index, whose holders wait for nobody; where they meet each other in validation they
 * abort. Patience with a running writer is bounded (hk_claim). A retry takes a fresh time.
 *
 * 7. External consistency (C5, hk_commit). e is settled before any version shows COMMITTED, so whoever begins after
 * somebody saw it has a begin certainly after.
 *
 * 8. Scans (hk_same_range). What a scan found is that there are these records and no others. A deletion that it met is
 * certainly before the begin (hk_pick, hk_visible), so it may leave the index at any time (core.h), and it is not
 * a read: to find it or to find nothing is the same. Validation passes by just those deletions. One that is certainly
 * before the begin was there when the scan came by: its writer had announced before the begin was read (argument 1), so
 * the scan found it PREPARING and waited, or found it done. Any other came since, and is a change: either of a record
 * that the scan saw, or of one that was inserted meanwhile, and whoever saw that one belongs between the two absences.
 * It would not do to ask whether there is a record *now*: a transaction that deletes k and changes z may end while T,
 * which missed k, has validated z and not yet k, and T would be before it and after it. An extension validates by the
 * old begin: what was deleted between the two begins came after the scan, whose history says what it met. What
 * validation does not meet because it stands on an anchor that has left the index was added after T announced, or took
 * its new begin, and by one that announces later still.
 *
 * A read of a version that is not certainly before the begin need not abort: the transaction extends (hk_extend), that
 * is, it takes a begin certainly after the version and goes on if everything read so far is still the newest. Views of
 * transactions that will abort are consistent too, by 1 and the extension.
 *
 * Reclamation: core.h. The boundary between a superseded version and its reuse is C10; the chain's link to it dangles
 * and is never followed. Beside an old snapshot: hekaton_prune.h.
 */
#ifndef ORDO_CC_TXN_HEKATON_H
#define ORDO_CC_TXN_HEKATON_H

#include <ordo/cc/txn.h>

#define HK_TAG (UINT64_C(1) << 63) /* of a begin: the identity of a writer that has not finished */
#define HK_DEAD UINT64_MAX         /* a claim that is never dropped: the anchor has left the index */
#define HK_STATUS_BITS 2           /* of a state: identity << 2 | status */
/* The last identity that another may follow, since they must fit there: a place reaches it after 2^46 transactions. */
#define HK_ID_LIMIT ((UINT64_C(1) << (64 - HK_STATUS_BITS)) - (UINT64_C(1) << 16))

enum hk_status { HK_ACTIVE, HK_PREPARING, HK_COMMITTED, HK_ABORTED };
enum hk_kind { HK_VERSION, HK_CUT, HK_TOMB, HK_ANCHOR };
enum hk_answer { HK_BUSY = 100 }; /* beside the public answers */

struct hk_version {
    uint64_t begin; /* time of the writer, or HK_TAG | its identity */
    struct hk_version *older;
    struct hk_anchor *anchor; /* NULL once it was cut; changed and read by one who prunes */
    uint64_t id;              /* of the writer, for histories */
    uint64_t tomb;            /* the record was deleted */
    _Alignas(ORDO_TXN_RECORD_ALIGN) unsigned char record[];
};

struct hk_read {
    struct hk_anchor *anchor;
    struct hk_version *version;
};

/* Nothing was there: a deletion of that time, or 0. */
struct hk_miss {
    struct ordo_table *table;
    uint64_t key, begin;
};

struct hk_write {
    struct hk_anchor *anchor;
    struct hk_version *fresh, *old;
    struct ordo_table *table;
};

/* The reads from `from` to `to` are what was there, without deletions. */
struct hk_scan {
    struct ordo_table *table;
    uint64_t first, end; /* the end is not in it */
    size_t from, to;
};

struct cc_txn {
    uint64_t begin, last_begin, last_end;
    enum ordo_txn_level level;
    bool doomed, opened;
    struct hk_read *reads;
    struct hk_miss *misses;
    struct hk_write *writes;
    struct hk_scan *scans;
    size_t read_count, miss_count, write_count, scan_count;
    size_t read_capacity, miss_capacity, write_capacity, scan_capacity;
};

#include "cc/txn/core.h"

struct hk_anchor {
    _Alignas(64) struct cc_node node;
    uint64_t writer; /* identity of the claim, 0, or HK_DEAD */
    uint64_t tombs;  /* deletions of it that wait in queues; changed with a claim. It is not freed before */
    struct hk_version *head;
    struct cc_tower tower; /* of ordered tables; its links follow */
};

static inline struct hk_anchor *hk_of_tower(struct cc_tower *tower)
{
    return (struct hk_anchor *)((char *)tower - offsetof(struct hk_anchor, tower));
}

static inline size_t hk_anchor_bytes(unsigned height)
{
    return (sizeof(struct hk_anchor) + height * sizeof(struct cc_tower *) + 63) / 64 * 64;
}

static inline struct hk_anchor *hk_find(struct ordo_table *table, uint64_t key)
{
    return (struct hk_anchor *)cc_hash_find(&table->hash, key);
}

static inline ordo_time hk_time(uint64_t ticks)
{
    return (ordo_time){ticks};
}

/* ---- versions ---- */

static inline struct hk_version *hk_head(struct hk_anchor *anchor)
{
    /* Pairs with hk_push, hk_roll_back: the version is complete. */
    return __atomic_load_n(&anchor->head, __ATOMIC_ACQUIRE);
}

static inline struct hk_version *hk_older(struct hk_version *version)
{
    /* Pairs with hk_cut: what is below is complete. */
    return __atomic_load_n(&version->older, __ATOMIC_ACQUIRE);
}

static inline uint64_t hk_begin_of(struct hk_version *version)
{
    /* Pairs with hk_publish: whoever sees the time sees the transaction COMMITTED. */
    return __atomic_load_n(&version->begin, __ATOMIC_ACQUIRE);
}

static inline void hk_set_state(struct cc_worker *worker, enum hk_status status)
{
    /* Pairs with hk_status_of: what the transaction did before is visible to whoever sees the status. */
    __atomic_store_n(&worker->state, worker->id << HK_STATUS_BITS | status, __ATOMIC_RELEASE);
}

/* The status of the transaction with identity `id`, COMMITTED if it is over: its versions then have their times. */
static inline enum hk_status hk_status_of(struct ordo_db *db, uint64_t id)
{
    /* Pairs with cc_join: the worker is complete. Whoever found `id` in a claim may not have synchronised with it. */
    struct cc_worker *owner = __atomic_load_n(&db->places[(id & UINT16_MAX) - 1], __ATOMIC_ACQUIRE);
    /* Pairs with hk_set_state. */
    uint64_t state = __atomic_load_n(&owner->state, __ATOMIC_ACQUIRE);
    return state >> HK_STATUS_BITS == id ? (enum hk_status)(state & 3) : HK_COMMITTED;
}

/* A version's time in `*begin`. OK; ABSENT: it is the worker's own or of one that did not commit, look below; HK_BUSY:
 * its writer is committing. */
static inline int hk_judge(struct cc_worker *worker, struct hk_version *version, uint64_t *begin)
{
    *begin = hk_begin_of(version);
    if (!(*begin & HK_TAG)) /* C3 */
        return ORDO_OK;
    if (*begin == (HK_TAG | worker->id))
        return ORDO_TXN_ABSENT;
    enum hk_status status = hk_status_of(worker->base.db, *begin & ~HK_TAG);
    if (status == HK_ACTIVE || status == HK_ABORTED)
        return ORDO_TXN_ABSENT;
    return HK_BUSY;
}

static inline bool hk_is_mine(struct cc_worker *worker, struct hk_anchor *anchor)
{
    return __atomic_load_n(&anchor->writer, __ATOMIC_RELAXED) == worker->id;
}

/* The newest version of others, NULL for none. HK_BUSY: one is being committed. */
static inline int hk_newest(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **result)
{
    struct hk_version *version = hk_head(anchor);
    uint64_t begin;
    int answer = ORDO_OK;
    while (version && (answer = hk_judge(worker, version, &begin)) == ORDO_TXN_ABSENT)
        version = hk_older(version);
    *result = version;
    return version ? answer : ORDO_OK;
}

/* The version that was valid at the worker's begin, NULL for none. HK_BUSY; CONFLICT: it is uncertain which, and the
 * database resolves that by aborting. */
static inline int hk_visible(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **result)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now = hk_time(worker->txn.begin);
    struct hk_version *version = hk_head(anchor);
    for (; version; version = hk_older(version)) {
        uint64_t begin;
        int answer = hk_judge(worker, version, &begin);
        if (answer == HK_BUSY)
            return HK_BUSY;
        if (answer == ORDO_TXN_ABSENT)
            continue;
        if (ordo_stamp_after(&db->stamp, now, hk_time(begin))) /* C6 */
            break;
        if (db->options.uncertain == ORDO_UNCERTAIN_ABORT && !ordo_stamp_after(&db->stamp, hk_time(begin), now))
            return ORDO_TXN_CONFLICT;
    }
    *result = version;
    return ORDO_OK;
}

/* ---- conflicts ---- */

static inline int hk_doom(struct cc_worker *worker, uint64_t *cause, int answer)
{
    ++*cause;
    worker->txn.doomed = true;
    return answer;
}

static int hk_uncertain(struct cc_worker *worker)
{
    ordo_stamp_move_on(&worker->base.db->stamp); /* C9 */
    return hk_doom(worker, &worker->base.counts.aborts_uncertain, ORDO_TXN_CONFLICT);
}

/* Whether what was not there still is not. */
static bool hk_still_missing(struct cc_worker *worker, const struct hk_miss *miss)
{
    struct hk_anchor *anchor = hk_find(miss->table, miss->key);
    struct hk_version *version = NULL;
    if (!anchor)
        return true;
    if (hk_newest(worker, anchor, &version))
        return false;
    return !version || (version->tomb && hk_begin_of(version) == miss->begin);
}

/* Whether a version is a deletion that was there when the transaction's scans came by: argument 8. */
static bool hk_was_deleted(struct cc_worker *worker, struct hk_version *version)
{
    return version->tomb &&
           ordo_stamp_after(&worker->base.db->stamp, hk_time(worker->txn.begin), hk_time(hk_begin_of(version)));
}

/* Whether a scan finds the same records again, and no others. */
static bool hk_same_range(struct cc_worker *worker, const struct hk_scan *scan)
{
    size_t at = scan->from;
    struct cc_tower *tower = cc_list_next(cc_list_before(&scan->table->list, scan->first, NULL), 0);
    for (; tower && tower->key < scan->end; tower = cc_list_next(tower, 0)) {
        struct hk_anchor *anchor = hk_of_tower(tower);
        struct hk_version *version;
        if (hk_newest(worker, anchor, &version))
            return false;
        if (!version || hk_was_deleted(worker, version))
            continue;
        if (at == scan->to || worker->txn.reads[at].anchor != anchor || worker->txn.reads[at].version != version)
            return false;
        at++;
    }
    return at == scan->to;
}

/* Whether all that was read is still the newest. */
static bool hk_validate(struct cc_worker *worker)
{
    struct cc_txn *txn = &worker->txn;
    for (size_t i = 0; i < txn->read_count; i++) {
        struct hk_version *version;
        if (hk_newest(worker, txn->reads[i].anchor, &version) || version != txn->reads[i].version) /* C7 */
            return false;
    }
    for (size_t i = 0; i < txn->miss_count; i++)
        if (!hk_still_missing(worker, &txn->misses[i]))
            return false;
    for (size_t i = 0; i < txn->scan_count; i++)
        if (!hk_same_range(worker, &txn->scans[i]))
            return false;
    return true;
}

/* Moves the begin of the transaction to a time certainly after `t`. The announcement stays: it is earlier. */
static int hk_extend(struct cc_worker *worker, uint64_t t)
{
    struct ordo_txn_counts *counts = &worker->base.counts;
    struct ordo_db *db = worker->base.db;
    if (db->options.uncertain == ORDO_UNCERTAIN_ABORT)
        return hk_uncertain(worker);
    ordo_time later;
    if (ordo_stamp_later(&db->stamp, cc_max(hk_time(t), hk_time(worker->txn.begin)), &later))
        return cc_disrupt(worker);
    counts->stamps++;
    counts->extensions++;
    if (!hk_validate(worker)) /* by the old begin: argument 8 */
        return hk_doom(worker, &counts->aborts_validation, ORDO_TXN_CONFLICT);
    worker->txn.last_begin = worker->txn.begin = later.ticks;
    return ORDO_OK;
}

/* Waits for a commit to end. */
static inline void hk_wait(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    cc_wait(turns);
}

/* The version that the transaction reads. */
static int hk_pick(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version)
{
    struct cc_txn *txn = &worker->txn;
    unsigned turns = 0;
    int answer;
    for (;;) {
        answer = txn->level == ORDO_TXN_SERIALIZABLE ? hk_newest(worker, anchor, version)
                                                     : hk_visible(worker, anchor, version);
        if (answer == HK_BUSY) {
            hk_wait(worker, &turns);
            continue;
        }
        if (answer == ORDO_TXN_CONFLICT)
            return hk_uncertain(worker);
        if (txn->level != ORDO_TXN_SERIALIZABLE || !*version)
            return ORDO_OK;
        uint64_t begin = hk_begin_of(*version);
        if (ordo_stamp_after(&worker->base.db->stamp, hk_time(txn->begin), hk_time(begin)))
            return ORDO_OK;
        answer = hk_extend(worker, begin);
        if (answer)
            return answer;
    }
}

static int hk_out_of_memory(struct cc_worker *worker)
{
    return hk_doom(worker, &worker->base.counts.aborts_user, ORDO_E_SYSTEM);
}

static int hk_add_read(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *version)
{
    struct cc_txn *txn = &worker->txn;
    if (txn->level == ORDO_TXN_READ_ONLY)
        return ORDO_OK;
    if (cc_grow(worker->base.db, &txn->reads, txn->read_count, &txn->read_capacity, sizeof *txn->reads))
        return hk_out_of_memory(worker);
    txn->reads[txn->read_count++] = (struct hk_read){anchor, version};
    return ORDO_OK;
}

/* Nothing is there, but perhaps a deletion. */
static int hk_add_miss(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_version *tomb)
{
    struct cc_txn *txn = &worker->txn;
    history_note(worker->base.history, HISTORY_READ, table->number, key, tomb ? tomb->id : 0);
    if (txn->level == ORDO_TXN_READ_ONLY)
        return ORDO_TXN_ABSENT;
    if (cc_grow(worker->base.db, &txn->misses, txn->miss_count, &txn->miss_capacity, sizeof *txn->misses))
        return hk_out_of_memory(worker);
    txn->misses[txn->miss_count++] = (struct hk_miss){table, key, tomb ? hk_begin_of(tomb) : 0};
    return ORDO_TXN_ABSENT;
}

/* ---- reading ---- */

/* A transaction of level READ_ONLY is about to walk a chain, and is done with what it found there: hekaton_prune.h. */
static inline void hk_walk(struct cc_worker *worker)
{
    if (worker->txn.level != ORDO_TXN_READ_ONLY)
        return;
    /* Pairs with hk_prune: what was cut up to that round is not found. */
    uint64_t cuts = __atomic_load_n(&worker->base.db->cuts, __ATOMIC_ACQUIRE);
    /* Pairs with hk_oldest_walk: one of the two sees the other. */
    (void)__atomic_exchange_n(&worker->walk, cuts + 1, __ATOMIC_ACQ_REL);
}

static inline void hk_rest(struct cc_worker *worker)
{
    if (worker->txn.level == ORDO_TXN_READ_ONLY)
        __atomic_store_n(&worker->walk, 0, __ATOMIC_RELEASE); /* pairs with hk_oldest_walk: the accesses are over */
}

static int hk_read_found(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor, void *record)
{
    struct hk_version *version;
    if (hk_is_mine(worker, anchor)) {
        version = hk_head(anchor);
        if (version->tomb)
            return ORDO_TXN_ABSENT;
    } else {
        int answer = hk_pick(worker, anchor, &version);
        if (answer)
            return answer;
        if (!version || version->tomb)
            return hk_add_miss(worker, table, anchor->node.key, version);
        if (hk_add_read(worker, anchor, version))
            return ORDO_E_SYSTEM;
        history_note(worker->base.history, HISTORY_READ, table->number, anchor->node.key, version->id);
    }
    memcpy(record, version->record, table->record_bytes);
    return ORDO_OK;
}

static int hk_read_record(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void *record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (worker->txn.doomed)
        return cc_refuse(worker);
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor)
        return hk_add_miss(worker, table, key, NULL);
    hk_walk(worker);
    int answer = hk_read_found(worker, table, anchor, record);
    hk_rest(worker);
    return answer;
}

/* One anchor of a scan. 1: the visitor has had enough. */
static int hk_scan_one(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                       ordo_txn_visit *visit, void *context)
{
    bool mine = hk_is_mine(worker, anchor);
    struct hk_version *version;
    int answer = hk_pick(worker, anchor, &version);
    if (answer)
        return answer;
    /* Nothing seen is not noted: a key may have a dead anchor beside its present one, and what a scan did not meet
     * counts as absent anyway. A deletion is noted in the history, where it does not leave the index, and nowhere else:
     * argument 8. */
    if (version)
        history_note(worker->base.history, HISTORY_READ, table->number, anchor->node.key, version->id);
    if (version && !version->tomb && hk_add_read(worker, anchor, version))
        return ORDO_E_SYSTEM;
    if (mine)
        version = hk_head(anchor);
    return version && !version->tomb ? visit(context, anchor->node.key, version->record) != 0 : ORDO_OK;
}

static int hk_scan_range(struct ordo_worker *base, struct ordo_table *table, uint64_t first, uint64_t last,
                         ordo_txn_visit *visit, void *context)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct cc_txn *txn = &worker->txn;
    struct hk_scan unseen, *scan = &unseen; /* that of a transaction which nobody validates */
    if (txn->doomed)
        return cc_refuse(worker);
    if (!table->list.first || first > last)
        return hk_doom(worker, &base->counts.aborts_user, ORDO_E_INVALID);
    last = last == UINT64_MAX ? last - 1 : last; /* which is no key */
    if (first > last)
        return ORDO_OK;
    if (txn->level != ORDO_TXN_READ_ONLY) {
        if (cc_grow(base->db, &txn->scans, txn->scan_count, &txn->scan_capacity, sizeof *txn->scans))
            return hk_out_of_memory(worker);
        scan = &txn->scans[txn->scan_count++];
    }
    /* Noted at once and widened as it goes on: an extension on the way validates what lies behind. */
    *scan = (struct hk_scan){table, first, first, txn->read_count, txn->read_count};
    struct cc_tower *tower = cc_list_next(cc_list_before(&table->list, first, NULL), 0);
    for (; tower && tower->key <= last; tower = cc_list_next(tower, 0)) {
        struct cc_tower *ahead = cc_list_next(tower, 0);
        if (ahead)
            __builtin_prefetch(hk_head(hk_of_tower(ahead)));
        scan->end = tower->key;
        hk_walk(worker);
        int answer = hk_scan_one(worker, table, hk_of_tower(tower), visit, context);
        hk_rest(worker);
        scan->to = txn->read_count;
        if (answer == 1)
            last = tower->key;
        else if (answer)
            return answer;
    }
    scan->end = last + 1;
    history_note(base->history, HISTORY_SCAN, table->number, first, last);
    return ORDO_OK;
}

#include "cc/txn/hekaton/write.h"

#endif
