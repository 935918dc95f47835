/* The functions that each scheme defines (occ.h, silo.h, tictoc.h), and the functions that are built on these alone.
 * SV_LOCK, SV_ABSENT and SV_DEAD have the same meaning in every scheme; the scheme defines the other bits of a
 * word. */
#ifndef ORDO_CC_TXN_SINGLE_SCHEME_H
#define ORDO_CC_TXN_SINGLE_SCHEME_H

#include "cc/txn/single/types.h"

/* ---- defined by the scheme ---- */

/* Returns the word without the bits that may change while the record does not. */
static inline uint64_t sv_version(uint64_t word);

/* Returns the end of the record's validity, as a value of the scheme. */
static inline uint64_t sv_valid_until(uint64_t word);

/* Returns the word of a record that was written with `value`. */
static inline uint64_t sv_fresh_word(uint64_t value);

/* Decides whether the transaction may read a record with this word, and go on as if it had begun after the record was
 * written. ORDO_OK: it may; otherwise the transaction is doomed. */
static int sv_admit(struct cc_worker *worker, uint64_t word);

/* True if a read still holds, for a transaction that commits with `value`. */
static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value);

/* Chooses the value of the commit. All records to be written are locked.
 * ORDO_E_INVALID: the values are used up
 * ORDO_E_DISRUPTED: a wait for the clock was in vain */
static int sv_commit_value(struct cc_worker *worker, uint64_t *result);

/* True if all records that a transaction was admitted to read were valid at the same time, so that a transaction
 * without writes needs no validation. */
static inline bool sv_valid_at_start(void);

/* ---- built on these ---- */

static bool sv_validate(struct cc_worker *worker, uint64_t value)
{
    for (size_t i = 0; i < sv_txn(worker)->read_count; i++)
        if (!sv_validate_read(worker, &sv_txn(worker)->reads[i], value))
            return false;
    return true;
}

/* Returns the latest end of validity of the records to be overwritten; 0 if the transaction has no writes. */
static uint64_t sv_written_until(const struct sv_txn *txn)
{
    uint64_t latest = 0;
    for (size_t i = 0; i < txn->write_count; i++) {
        uint64_t until = sv_valid_until(__atomic_load_n(&txn->writes[i].record->word, __ATOMIC_RELAXED));
        latest = latest < until ? until : latest;
    }
    return latest;
}

#endif
