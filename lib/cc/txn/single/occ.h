/* Timestamp OCC: the word of a record is the time of its last writer. A transaction may read the record if this time is
 * certainly before the start of the transaction.
 *
 * Why validation notices every change:
 *
 * Let T start at s. If another transaction W changes a record after T read it, W locks the record after s was read, and
 * reads its time e after it has locked (sv_commit_value); the lock is the announcement of C4. So e >= s - B by the
 * lemma: e is not certainly before s, and T finds a conflict (C6, sv_unchanged). A lock that is still held is a
 * conflict too. An absent record that has left the index keeps its time, and counts as changed, because its key may
 * have another record.
 *
 * Each record that T copied was valid at s for the same reason, so a transaction without writes needs no validation
 * (sv_valid_at_start). Suppose that a reader R with start s misses T, and sees T', which depends on T; e and e' are
 * their times, and e' >= e - B. Either R met a record that T wrote, with e not certainly before s, which is a conflict;
 * or R copied the record before T locked it, and then e' >= s - B too.
 *
 * A record that is too new need not abort T: the start of T moves to a time certainly after the record's time if all
 * reads are unchanged since the old start (sv_admit).
 */
#ifndef ORDO_CC_TXN_SINGLE_OCC_H
#define ORDO_CC_TXN_SINGLE_OCC_H

#include "cc/txn/single/whole.h"

static inline ordo_time sv_time(uint64_t word)
{
    return (ordo_time){word & SV_VALUE};
}

static inline bool sv_valid_at_start(void)
{
    return true;
}

static inline bool sv_unchanged(struct cc_worker *worker, const struct sv_read *read, uint64_t word)
{
    return ((word ^ read->word) & (SV_ABSENT | SV_DEAD)) == 0 &&
           ordo_stamp_after(&worker->base.db->stamp, (ordo_time){sv_txn(worker)->start}, sv_time(word)); /* C6 */
}

static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value)
{
    uint64_t word = sv_word(read->record);
    (void)value;
    return sv_unchanged(worker, read, word) && sv_is_free_or_own(worker, read, word);
}

static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    struct ordo_stamp *stamp = &worker->base.db->stamp;
    uint64_t latest = sv_written_until(sv_txn(worker));
    ordo_time now;
    latest = latest < sv_txn(worker)->start ? sv_txn(worker)->start : latest;
    worker->base.counts.stamps++;
    int code = ordo_stamp_issue(stamp, &worker->stamp, (ordo_time){latest}, &now);
    *result = now.ticks;
    return code;
}

static int sv_admit(struct cc_worker *worker, uint64_t word)
{
    struct ordo_txn_counts *counts = &worker->base.counts;
    struct ordo_db *db = worker->base.db;
    struct sv_txn *txn = sv_txn(worker);
    if (ordo_stamp_after(&db->stamp, (ordo_time){txn->start}, sv_time(word)))
        return ORDO_OK;
    if (db->options.uncertain == ORDO_UNCERTAIN_ABORT) {
        ordo_stamp_move_on(&db->stamp); /* C9 */
        return cc_doom(worker, &counts->aborts_uncertain, ORDO_TXN_CONFLICT);
    }
    /* The new start is taken first; then all reads must be unchanged since the old start. The value of the new start is
     * after the record's time, so reading it needs no order with earlier accesses. */
    ordo_time later;
    if (ordo_stamp_later_before(&db->stamp, cc_max(sv_time(word), (ordo_time){txn->start}), &later))
        return cc_disrupt(worker);
    counts->stamps++;
    counts->extensions++;
    if (!sv_validate(worker, 0))
        return cc_doom(worker, &counts->aborts_validation, ORDO_TXN_CONFLICT);
    txn->start = later.ticks;
    return ORDO_OK;
}

#define OCC_ENGINE                                                                                                     \
    {                                                                                                                  \
        .name = "occ", .stamp = ORDO_STAMP_NAME, .strict = true, .open = cc_open, SV_CALLS                             \
    }

#endif
