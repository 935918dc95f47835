/* Timestamp OCC: the word of a record is the time of the last writer, and a transaction may read the record if that
 * time is certainly before its start.
 *
 * Why validation notices every change:
 *
 * T starts at s. A change of a record after T read it was locked after s was read, and its time e was read after the
 * lock (sv_commit_value), which is the announcement of C4: e >= s - B by the lemma. So e is not certainly before s, and
 * an uncertain e is a conflict (C6, sv_unchanged), as is a lock that is still held. An absent record that has left the
 * index keeps its time and counts as changed: its key may have another record.
 *
 * Each record that T copied was valid at s for the same reason, so a transaction without writes needs no validation
 * (sv_valid_at_start). Suppose a reader R with start s misses T and sees T', which depends on T: e' >= e - B. Either R
 * met the record of T with e not certainly before s, which is a conflict; or R copied it before T locked it, and then
 * e' >= s - B too.
 *
 * A record that is too new is no reason to abort: the start moves to a time certainly after it, if all reads are
 * unchanged since the old start (sv_admit).
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
    /* The new start is taken first; then no read may have changed since the old one. The new start is after the
     * record's time by its value, so it needs no order with earlier accesses. */
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
