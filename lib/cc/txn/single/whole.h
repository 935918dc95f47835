/* A word that consists of a value and the three flags. Every write gives it another value, and no reader changes it.
 * For schemes that differ only in the meaning of the value. */
#ifndef ORDO_CC_TXN_SINGLE_WHOLE_H
#define ORDO_CC_TXN_SINGLE_WHOLE_H

#include "cc/txn/single/engine.h"

#define SV_VALUE (SV_DEAD - 1)

static inline uint64_t sv_version(uint64_t word)
{
    return word;
}

static inline uint64_t sv_valid_until(uint64_t word)
{
    return word & SV_VALUE;
}

static inline uint64_t sv_fresh_word(uint64_t value)
{
    return value;
}

/* True if no other transaction has locked the record, whose word is now `word`. */
static inline bool sv_is_free_or_own(struct cc_worker *worker, const struct sv_read *read, uint64_t word)
{
    return !(word & SV_LOCK) || sv_holds_lock(worker, read->record);
}

/* True if the record has the word that was read, and no other transaction has locked it. */
static inline bool sv_is_as_read(struct cc_worker *worker, const struct sv_read *read)
{
    uint64_t word = sv_word(read->record);
    return (word & ~SV_LOCK) == read->word && sv_is_free_or_own(worker, read, word);
}

#endif
