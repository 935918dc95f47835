/* An engine with one version of each record: the meaning of a record's word, and why validation notices every change.
 * Here: the word is the timestamp of the last writer. A transaction may read a record if this timestamp is certainly
 * before the transaction's start, as in single/occ.h. A writer's timestamp is certainly after the previous writer's
 * timestamp (ordo_stamp_issue), so every write changes the word. A transaction commits if no word in its read set has
 * changed. */
#include "cc/txn/single/whole.h"

static inline bool sv_valid_at_start(void)
{
    return true;
}

/* If the record is too new, moves the transaction's start after the record's timestamp, provided that the read set is
 * still unchanged. */
static int sv_admit(struct cc_worker *worker, uint64_t word)
{
    struct ordo_stamp *stamp = &worker->base.db->stamp;
    ordo_time start = {sv_txn(worker)->start}, written = {word & SV_VALUE}, later;
    if (ordo_stamp_after(stamp, start, written)) /* C6 */
        return ORDO_OK;
    if (ordo_stamp_later_before(stamp, cc_max(written, start), &later))
        return cc_disrupt(worker);
    if (!sv_validate(worker, 0))
        return cc_doom(worker, &worker->base.counts.aborts_validation, ORDO_TXN_CONFLICT);
    sv_txn(worker)->start = later.ticks;
    return ORDO_OK;
}

static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value)
{
    (void)value;
    return sv_is_as_read(worker, read);
}

static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    ordo_time now, latest = cc_max((ordo_time){sv_written_until(sv_txn(worker))}, (ordo_time){sv_txn(worker)->start});
    worker->base.counts.stamps++;
    int code = ordo_stamp_issue(&worker->base.db->stamp, &worker->stamp, latest, &now);
    *result = now.ticks;
    return code;
}

const struct ordo_db_engine ORDO_STAMPED(ordo_db_engine_NAME) = {
    .name = "NAME", .stamp = ORDO_STAMP_NAME, .strict = true, .open = cc_open, SV_CALLS};
