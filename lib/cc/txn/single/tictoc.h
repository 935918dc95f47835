/* TicToc: the word of a record says from when to when it is valid, in a time that is computed from the data (X. Yu et
 * al., SIGMOD 2016).
 *
 * Why validation notices every change:
 *
 * T commits at a time c that is not before any version it read, and is after the validity of any version it overwrites.
 * A version that was read is valid at c, or its validity is extended to c while it is unlocked and unchanged
 * (sv_validate_read). Then c, and the order of locking for equal c, is the serial order. This is not the real order: T
 * may be ordered before a transaction that ended before T began.
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

/* Returns the word of a version that is valid from `from` to `until`. A validity that is too long begins later, and a
 * transaction that read the version earlier aborts for nothing. */
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
    (void)worker, (void)word; /* the end decides */
    return ORDO_OK;
}

/* Extends the validity of a version that was read to `until`. */
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

/* external consistency is refused: its order is not the real one */
static int sv_open(struct ordo_db **db, const struct ordo_db_engine *engine, const struct ordo_db_options *options)
{
    return options->external_consistency ? ORDO_E_INVALID : cc_open(db, engine, options);
}

#define TICTOC_ENGINE                                                                                                  \
    {                                                                                                                  \
        .name = "tictoc", .open = sv_open, SV_CALLS                                                                    \
    }

#endif
