/* TicToc: the word of a record has the begin and the end of its validity, in a logical time that is computed from the
 * data (X. Yu et al., SIGMOD 2016).
 *
 * Why validation notices every change:
 *
 * T commits at a time c. For every version that T read, c >= the begin of the version's validity; for every version
 * that T overwrites, c > the end of its validity. A version that T read is valid at c, or its validity is extended to c
 * while the version is unlocked and unchanged (sv_validate_read). The serial order is the order of c, and for equal c
 * the order of locking. This is not the order in real time: T may be ordered before a transaction that ended before T
 * began.
 */
#ifndef ORDO_CC_TXN_SINGLE_TICTOC_H
#define ORDO_CC_TXN_SINGLE_TICTOC_H

#include "cc/txn/single/engine.h"

/* delta << 46 | wts: valid from wts to wts + delta */
#define SV_DELTA_SHIFT 46
#define SV_DELTA_MAX UINT64_C(0x7fff)
#define SV_VALUE ((UINT64_C(1) << SV_DELTA_SHIFT) - 1)

static inline uint64_t sv_version(uint64_t word)
{
    return word & ~(SV_DELTA_MAX << SV_DELTA_SHIFT);
}

static inline uint64_t sv_valid_until(uint64_t word)
{
    return (word & SV_VALUE) + (word >> SV_DELTA_SHIFT & SV_DELTA_MAX);
}

/* Returns the word of a version that is valid from `from` to `until`. If this validity is too long for the word, it
 * begins later; a transaction that read the version earlier then aborts needlessly. */
static inline uint64_t sv_validity(uint64_t flags, uint64_t from, uint64_t until)
{
    if (until - from > SV_DELTA_MAX)
        from = until - SV_DELTA_MAX;
    return flags | (until - from) << SV_DELTA_SHIFT | from;
}

static inline uint64_t sv_fresh_word(uint64_t value)
{
    return sv_validity(0, value, value);
}

static inline bool sv_valid_at_start(void)
{
    return false;
}

static int sv_admit(struct cc_worker *worker, uint64_t word)
{
    (void)worker, (void)word; /* validation decides */
    return ORDO_OK;
}

/* Extends the validity of the version that was read, up to `until`. False: the version was changed, or is not valid up
 * to `until` and another transaction has locked it. */
static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t until)
{
    uint64_t word = sv_word(read->record), longer;
    if (sv_valid_until(read->word) >= until)
        return true;
    do {
        if (sv_version(word & ~SV_LOCK) != sv_version(read->word))
            return false;
        if (sv_valid_until(word) >= until)
            return true;
        if (word & SV_LOCK)
            return sv_holds_lock(worker, read->record);
        longer = sv_validity(word & SV_ABSENT, word & SV_VALUE, until);
        /* Pairs with sv_try_lock: a transaction that locks it later commits later. */
    } while (
        !__atomic_compare_exchange_n(&read->record->word, &word, longer, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return true;
}

static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    struct sv_txn *txn = sv_txn(worker);
    uint64_t value = txn->write_count ? sv_written_until(txn) + 1 : 0;
    for (size_t i = 0; i < txn->read_count; i++)
        value = value < (txn->reads[i].word & SV_VALUE) ? txn->reads[i].word & SV_VALUE : value;
    *result = value;
    return value > SV_VALUE ? ORDO_E_INVALID : ORDO_OK;
}

/* Refuses external consistency, because the serial order of this scheme is not the order in real time. */
static int sv_open(struct ordo_db **db, const struct ordo_db_engine *engine, const struct ordo_db_options *options)
{
    return options->external_consistency ? ORDO_E_INVALID : cc_open(db, engine, options);
}

#define TICTOC_ENGINE                                                                                                  \
    {                                                                                                                  \
        .name = "tictoc", .open = sv_open, SV_CALLS                                                                    \
    }

#endif
