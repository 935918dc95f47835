/* Validation: checks that all reads of a transaction still hold. The argument is in types.h. */
#ifndef ORDO_CC_TXN_HEKATON_VALIDATE_H
#define ORDO_CC_TXN_HEKATON_VALIDATE_H

#include "cc/txn/hekaton/range.h"
#include "cc/txn/hekaton/snapshots.h"

static int hk_uncertain(struct cc_worker *worker)
{
    ordo_stamp_move_on(&worker->base.db->stamp); /* C9 */
    return cc_doom(worker, &worker->base.counts.aborts_uncertain, ORDO_TXN_CONFLICT);
}

/* True if a key that had no record still has none. */
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

/* True if a version is a deletion that existed when the transaction's scans passed it (argument 8). */
static bool hk_was_deleted(struct cc_worker *worker, struct hk_version *version)
{
    return version->tomb &&
           ordo_stamp_after(&worker->base.db->stamp, hk_time(hk_txn(worker)->begin), hk_time(hk_begin_of(version)));
}

/* True if a scan would find the same versions again, and no others. */
static bool hk_same_range(struct cc_worker *worker, const struct hk_scan *scan)
{
    size_t at = scan->from;
    uint64_t key;
    struct hk_range range = hk_range_from(scan->table, scan->first);
    for (struct hk_anchor *anchor; (anchor = hk_range_at(&range, scan->end, &key)); hk_range_move(&range)) {
        struct hk_version *version;
        if (hk_newest(worker, anchor, &version))
            return false;
        if (!version || hk_was_deleted(worker, version))
            continue;
        if (at == scan->to || hk_txn(worker)->reads[at].anchor != anchor ||
            hk_txn(worker)->reads[at].version != version)
            return false;
        at++;
    }
    return at == scan->to;
}

/* True if all versions that the transaction read are still the newest, and no key that it missed has a record. */
static bool hk_validate(struct cc_worker *worker)
{
    struct hk_txn *txn = hk_txn(worker);
    for (size_t i = 0; i < txn->read_count; i++) {
        struct hk_version *version = hk_head(txn->reads[i].anchor);
        if (version == txn->reads[i].version) /* its time was set when it was read, and does not change */
            continue;
        int answer = hk_newest(worker, txn->reads[i].anchor, &version);
        if (answer)
            txn->blocker = hk_writer_of(version);
        if (answer || version != txn->reads[i].version) /* C7 */
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

/* Finds a time certainly after `t` that is permitted as the transaction's new begin. Returns 0 or
 * ORDO_E_DISRUPTED. */
static int hk_later_begin(struct cc_worker *worker, ordo_time t, ordo_time *later)
{
    if (worker->level == ORDO_TXN_SERIALIZABLE)
        return ordo_stamp_later(&worker->base.db->stamp, t, later);
    *later = t;
    return hk_begin_snapshot(worker, t, later); /* C5 come */
}

/* Moves the begin of the transaction to a time certainly after `t`. The announcement need not change, because it is
 * earlier. */
static int hk_extend(struct cc_worker *worker, uint64_t t)
{
    struct ordo_txn_counts *counts = &worker->base.counts;
    struct ordo_db *db = worker->base.db;
    if (db->options.uncertain == ORDO_UNCERTAIN_ABORT)
        return hk_uncertain(worker);
    ordo_time later;
    if (hk_later_begin(worker, cc_max(hk_time(t), hk_time(hk_txn(worker)->begin)), &later))
        return cc_disrupt(worker);
    counts->stamps++;
    counts->extensions++;
    if (!hk_validate(worker)) /* by the old begin: argument 8 */
        return cc_doom(worker, &counts->aborts_validation, ORDO_TXN_CONFLICT);
    hk_txn(worker)->last_begin = hk_txn(worker)->begin = later.ticks;
    return ORDO_OK;
}

#endif
