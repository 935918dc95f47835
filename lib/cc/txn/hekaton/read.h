/* Reads and scans. The argument is in types.h. */
#ifndef ORDO_CC_TXN_HEKATON_READ_H
#define ORDO_CC_TXN_HEKATON_READ_H

#include "cc/history/note.h"
#include "cc/txn/hekaton/inline.h"
#include "cc/txn/hekaton/validate.h"

/* True if an anchor has left the index, or is about to. */
static inline bool hk_has_left(const struct hk_anchor *anchor)
{
    return __atomic_load_n(&anchor->writer, __ATOMIC_ACQUIRE) == HK_DEAD; /* pairs with hk_bury */
}

/* Finds the version that the transaction must read, and waits while that version is being committed. */
static int hk_pick(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version)
{
    struct hk_txn *txn = hk_txn(worker);
    unsigned turns = 0;
    int answer;
    for (;;) {
        answer = worker->level == ORDO_TXN_SERIALIZABLE ? hk_newest(worker, anchor, version)
                                                        : hk_visible(worker, anchor, version);
        if (answer == HK_BUSY && !hk_holds(worker)) {
            cc_wait_turn(worker, &turns);
            continue;
        }
        if (answer == HK_BUSY && cc_hold_turn(worker, &turns))
            continue;
        if (answer == HK_BUSY)
            return hk_give_up_for(worker, hk_writer_of(*version), &worker->base.counts.aborts_write);
        if (answer == ORDO_TXN_CONFLICT)
            return hk_uncertain(worker);
        if (worker->level != ORDO_TXN_SERIALIZABLE || !*version)
            return ORDO_OK;
        uint64_t begin = hk_begin_of(*version);
        if (ordo_stamp_after(&worker->base.db->stamp, hk_time(txn->begin), hk_time(begin)))
            return ORDO_OK;
        answer = hk_extend(worker, begin);
        if (answer)
            return answer;
        if (hk_has_left(anchor)) /* argument 8 */
            return cc_doom(worker, &worker->base.counts.aborts_validation, ORDO_TXN_CONFLICT);
    }
}

/* Doubles the room for reads. Other workers may be reading the old array, which is kept until the database is
 * closed. */
CC_SLOW int hk_grow_reads(struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    size_t wider = txn->reads ? 2 * txn->read_capacity : HK_READS;
    struct hk_read *larger = cc_allocate(worker->base.db, 64, wider * sizeof *larger);
    if (!larger)
        return ORDO_E_SYSTEM;
    if (txn->reads) {
        memcpy(larger, txn->reads, txn->read_count * sizeof *larger);
        txn->outgrown[__builtin_ctzll(txn->read_capacity / HK_READS)] = txn->reads;
    }
    /* Pairs with hk_mark_names_of: the new array contains the counted reads. */
    __atomic_store_n(&txn->reads, larger, __ATOMIC_RELEASE);
    txn->read_capacity = wider;
    return ORDO_OK;
}

static inline int hk_add_read(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version *version)
{
    struct hk_txn *txn = hk_txn(worker);
    if (worker->level == ORDO_TXN_READ_ONLY)
        return ORDO_OK;
    if (__builtin_expect(txn->read_count == txn->read_capacity, false) && hk_grow_reads(worker))
        return cc_out_of_memory(worker);
    struct hk_read *read = &txn->reads[txn->read_count];
    read->anchor = anchor;
    __atomic_store_n(&read->version, version, __ATOMIC_RELAXED); /* the store of the count orders it */
    /* Pairs with hk_mark_names_of: the counted read is stored. */
    __atomic_store_n(&txn->read_count, txn->read_count + 1, __ATOMIC_RELEASE);
    return ORDO_OK;
}

/* Adds a key that has no record to the misses; `tomb` is the deletion that was found, or NULL. */
static int hk_add_miss(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_version *tomb)
{
    struct hk_txn *txn = hk_txn(worker);
    history_note(worker->base.history, HISTORY_READ, table->number, key, tomb ? tomb->id : 0);
    if (worker->level == ORDO_TXN_READ_ONLY)
        return ORDO_TXN_ABSENT;
    if (cc_grow(worker->base.db, &txn->misses, txn->miss_count, &txn->miss_capacity, sizeof *txn->misses))
        return cc_out_of_memory(worker);
    txn->misses[txn->miss_count++] = (struct hk_miss){table, key, tomb ? hk_begin_of(tomb) : 0};
    return ORDO_TXN_ABSENT;
}

/* hk_walk announces that a READ_ONLY transaction is about to walk a chain. hk_rest announces that the transaction has
 * finished with the versions found there (prune.h). */
static inline void hk_walk(struct cc_worker *worker)
{
    if (worker->level != ORDO_TXN_READ_ONLY)
        return;
    /* Pairs with hk_number: this walk does not find the versions that were cut up to that number. */
    uint64_t cuts = __atomic_load_n(&worker->base.db->cuts, __ATOMIC_ACQUIRE);
    /* Pairs with hk_oldest_walk: whichever of the two is later sees the other. */
    (void)__atomic_exchange_n(&worker->walk, cuts + 1, __ATOMIC_ACQ_REL);
}

static inline void hk_rest(struct cc_worker *worker)
{
    if (worker->level == ORDO_TXN_READ_ONLY)
        __atomic_store_n(&worker->walk, 0, __ATOMIC_RELEASE); /* pairs with hk_oldest_walk: the accesses are over */
}

/* Finds the version that the transaction reads at a key's anchor; this may be its own version. `*found` gets the
 * version. */
static int hk_read_anchor(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_anchor *anchor,
                          struct hk_version **found)
{
    if (hk_is_mine(worker, anchor)) {
        *found = hk_head(anchor);
        return (*found)->tomb ? ORDO_TXN_ABSENT : ORDO_OK;
    }
    if (!hk_newest_inline(worker, anchor, found, NULL, 0)) {
        int answer = hk_pick(worker, anchor, found);
        if (answer)
            return answer;
        if (!*found || (*found)->tomb)
            return hk_add_miss(worker, table, key, *found);
    }
    if (hk_add_read(worker, anchor, *found))
        return ORDO_E_SYSTEM;
    if (worker->base.history) /* without a history the version's header is not read */
        history_note(worker->base.history, HISTORY_READ, table->number, key, (*found)->id);
    return ORDO_OK;
}

/* Does the same as hk_read_anchor during a walk, in which no cut version's memory is reused. */
static int hk_walk_to(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_anchor *anchor,
                      struct hk_version **found)
{
    hk_walk(worker);
    int answer = hk_read_anchor(worker, table, key, anchor, found);
    hk_rest(worker);
    return answer;
}

/* Shows the record of `key` without a copy. The record stays valid until the end of the transaction, because a
 * transaction that holds a pointer to a version keeps the version from being reclaimed (core.h). A READ_ONLY
 * transaction does so even when it is on no walk, because its snapshot needs the version (hk_needs). */
static int hk_view(struct ordo_worker *base, struct ordo_table *table, uint64_t key, const void **record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct hk_version *version;
    if (worker->doomed)
        return cc_refuse(worker);
    if (key > table->last_key)
        return cc_forbid(worker);
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor)
        return hk_add_miss(worker, table, key, NULL);
    int answer = hk_walk_to(worker, table, key, anchor, &version);
    if (!answer)
        *record = cc_record(table, version);
    return answer;
}

static int hk_read_record(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void *record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct hk_version *version;
    if (worker->doomed)
        return cc_refuse(worker);
    if (key > table->last_key)
        return cc_forbid(worker);
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor)
        return hk_add_miss(worker, table, key, NULL);
    /* A history reads the header of the version, and a snapshot on no walk must not access the version. */
    bool may_look = worker->level != ORDO_TXN_READ_ONLY;
    if (hk_is_inline(table) && (may_look || !base->history) &&
        hk_newest_inline(worker, anchor, &version, record, table->record_bytes)) {
        if (base->history)
            history_note(base->history, HISTORY_READ, table->number, key, version->id);
        return hk_add_read(worker, anchor, version);
    }
    int answer = hk_walk_to(worker, table, key, anchor, &version);
    if (!answer)
        memcpy(record, cc_record(table, version), table->record_bytes);
    return answer;
}

/* Visits one anchor of a scan. Returns 1 if the visitor ends the scan. */
static int hk_scan_one(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_anchor *anchor,
                       ordo_txn_visit *visit, void *context)
{
    bool mine = hk_is_mine(worker, anchor);
    struct hk_version *version;
    int answer = hk_pick(worker, anchor, &version);
    if (answer)
        return answer;
    /* An anchor without a version is not noted: a key may have a dead anchor besides its present one, and a key that
     * the scan did not note counts as absent anyway. A deletion is noted only in the history, because deletions do not
     * leave the index of a database with a history (argument 8). */
    if (version)
        history_note(worker->base.history, HISTORY_READ, table->number, key, version->id);
    if (version && !version->tomb && hk_add_read(worker, anchor, version))
        return ORDO_E_SYSTEM;
    if (mine)
        version = hk_head(anchor);
    return version && !version->tomb ? visit(context, key, cc_record(table, version)) != 0 : ORDO_OK;
}

static int hk_scan_range(struct ordo_worker *base, struct ordo_table *table, uint64_t first, uint64_t last,
                         ordo_txn_visit *visit, void *context)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct hk_txn *txn = hk_txn(worker);
    struct hk_scan unseen, *scan = &unseen; /* for a transaction that is not validated */
    if (worker->doomed)
        return cc_refuse(worker);
    if (!hk_has_ranges(table) || first > last)
        return cc_forbid(worker);
    last = last == UINT64_MAX ? last - 1 : last; /* CC_NO_KEY is no key */
    if (first > last)
        return ORDO_OK;
    if (worker->level != ORDO_TXN_READ_ONLY) {
        if (cc_grow(base->db, &txn->scans, txn->scan_count, &txn->scan_capacity, sizeof *txn->scans))
            return cc_out_of_memory(worker);
        scan = &txn->scans[txn->scan_count++];
    }
    /* The scan is noted at once and widened as it goes on, because an extension during the scan validates the part done
     * so far. */
    *scan = (struct hk_scan){table, first, first, txn->read_count, txn->read_count};
    uint64_t key;
    struct hk_range range = hk_range_from(table, first);
    for (struct hk_anchor *anchor; (anchor = hk_range_at(&range, last + 1, &key)); hk_range_move(&range)) {
        hk_range_fetch(&range);
        scan->end = key;
        hk_walk(worker);
        int answer = hk_scan_one(worker, table, key, anchor, visit, context);
        hk_rest(worker);
        scan->to = txn->read_count;
        if (answer == 1)
            last = key;
        else if (answer)
            return answer;
    }
    scan->end = last + 1;
    history_note(base->history, HISTORY_SCAN, table->number, first, last);
    return ORDO_OK;
}

#endif
