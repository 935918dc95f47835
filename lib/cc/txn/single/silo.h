/* Silo: the word of a record is a number that grows with every write. A transaction may commit if the numbers of its
 * reads are unchanged (S. Tu et al., SOSP 2013).
 *
 * Why validation notices every change: the number changes with every write. There are no times. Silo's epochs order the
 * entries of a log, and are not needed here.
 */
#ifndef ORDO_CC_TXN_SINGLE_SILO_H
#define ORDO_CC_TXN_SINGLE_SILO_H

#include "cc/txn/single/whole.h"

static inline bool sv_valid_at_start(void)
{
    return false;
}

static int sv_admit(struct cc_worker *worker, uint64_t word)
{
    (void)worker, (void)word; /* validation decides */
    return ORDO_OK;
}

static bool sv_validate_read(struct cc_worker *worker, const struct sv_read *read, uint64_t value)
{
    (void)value;
    return sv_is_as_read(worker, read);
}

static int sv_commit_value(struct cc_worker *worker, uint64_t *result)
{
    struct sv_txn *txn = sv_txn(worker);
    uint64_t latest = sv_written_until(txn);
    latest = latest < txn->last ? txn->last : latest;
    for (size_t i = 0; i < txn->read_count; i++)
        latest = latest < (txn->reads[i].word & SV_VALUE) ? txn->reads[i].word & SV_VALUE : latest;
    *result = txn->last = latest + 1;
    return ORDO_OK;
}

#define SILO_ENGINE                                                                                                    \
    {                                                                                                                  \
        .name = "silo", .strict = true, .open = cc_open, SV_CALLS                                                      \
    }

#endif
