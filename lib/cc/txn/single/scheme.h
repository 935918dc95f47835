/* The functions that a scheme defines (occ.h, silo.h, tictoc.h), and the functions that need nothing else. SV_LOCK,
 * SV_ABSENT and SV_DEAD mean the same in every word; the rest of a word is the scheme's. */
#ifndef ORDO_CC_TXN_SINGLE_SCHEME_H
#define ORDO_CC_TXN_SINGLE_SCHEME_H

#include "cc/txn/single/types.h"

/* ---- the scheme's own ---- */

/* Returns the word without the bits that may change while the record stays the same. */
static inline uint64_t sv_version(uint64_t word);

/* Returns how far the record's validity reaches, as a value of the scheme. */
static inline uint64_t sv_valid_until(uint64_t word);

/* Returns the word of a record that is written with that value. */
static inline uint64_t sv_fresh_word(uint64_t value);

/* Decides if the transaction may read a record with that word, and go on as if it had begun after the record was
 * written. ORDO_OK; otherwise the transaction is doomed. */
static int sv_admit(struct cc_worker *worker, uint64_t word);

/* True if a read still holds, for a transaction that commits with `value`. */
static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value);

/* Chooses the value of the commit, when all records to be written are locked.
 * ORDO_E_INVALID: the values are used up
 * ORDO_E_DISRUPTED: waited for the clock in vain */
static int sv_commit_value(struct cc_worker *worker, uint64_t *result);

/* True if all records that a transaction was admitted to read belong together, so that one without writes just ends. */
static inline bool sv_valid_at_start(void);

/* ---- built on these ---- */

static bool sv_validate(struct cc_worker *worker, uint64_t value)
{
    for (size_t i = 0; i < sv_txn(worker)->read_count; i++)
        if (!sv_validate_read(worker, &sv_txn(worker)->reads[i], value))
            return false;
    return true;
}

/* Returns how far the validity of the records to be overwritten reaches at most; 0 without writes. */
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
