/* Eras: how a writer knows whether any transaction reads a snapshot, that is, sees versions by their times, as
 * transactions of the levels SNAPSHOT and READ_ONLY do. Only because of snapshots must a writer wait before it
 * validates (argument 3). So the database counts eras. In an odd era transactions may begin to see versions by times,
 * and writers wait. In an even era no transaction may begin to do so, and writers do not wait.
 *
 * A reader that finds an even era begins the next era. In each odd era, a worker reads its clock once; let f be this
 * time. Its readers of that era begin certainly after f + B. A reader reads its begin b and then checks that the era is
 * still the same. Any worker may end an odd era at any time: readers that have begun do not need the era any more, and
 * later readers begin another one. A transaction that moves its begin (hk_extend) counts as beginning again, because
 * the era in which it began may be over.
 *
 * Why this is enough. Eras only grow, so the era was the same odd one between the two checks of a reader R. A writer T
 * that did not wait read an even era, either before the first check of R or after its second check. Let e be the end of
 * T.
 *  - Before: T had read e by then, so f >= e - B by the lemma, and b is certainly after e. T had also announced itself,
 *    so R sees T.
 *  - After: b had been read by then. T validates later, and a transaction T' that depends on T announces itself later
 *    still. So the end e' of T' is >= b - B, and R does not see T'.
 *
 * In neither case does R miss T and see a transaction that depends on T. So if R does, T has waited, as argument 3
 * requires. */
#ifndef ORDO_CC_TXN_HEKATON_SNAPSHOTS_H
#define ORDO_CC_TXN_HEKATON_SNAPSHOTS_H

#include "cc/txn/hekaton/chain.h"

#if !defined HK_ERA
#define HK_ERA 4096 /* a worker ends an odd era after each HK_ERA of its transactions */
#endif

/* True if the writers of this database ever wait for clocks because of snapshots. */
static inline bool hk_waits(const struct ordo_db *db)
{
    return ordo_stamp_boundary(&db->stamp) && db->options.uncertain == ORDO_UNCERTAIN_WAIT;
}

/* C5 look: true if a writer must wait before it validates. Call after the writer has read its end. */
static inline bool hk_has_snapshots(struct ordo_db *db)
{
    /* Pairs with hk_enter_era: the writer has read its end before this load. */
    return __atomic_load_n(&db->era, __ATOMIC_SEQ_CST) & 1;
}

/* C5 come: makes the era odd, and stores the time after which the worker may begin in it. */
static void hk_enter_era(struct cc_worker *worker, uint64_t era)
{
    struct ordo_db *db = worker->base.db;
    while (!(era & 1) &&
           /* Pairs with hk_has_snapshots: a writer that does not see the new era has already read its end. */
           !__atomic_compare_exchange_n(&db->era, &era, era + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    hk_txn(worker)->era = era | 1;
    hk_txn(worker)->era_begin = ordo_stamp_now(&db->stamp).ticks + ordo_stamp_boundary(&db->stamp);
}

/* C5 come: moves the begin of a transaction that sees versions by times, until the begin is certainly after `least` and
 * after the ends of all writers that did not wait. Returns 0 or ORDO_E_DISRUPTED. */
static int hk_begin_snapshot(struct cc_worker *worker, ordo_time least, ordo_time *begin)
{
    struct ordo_db *db = worker->base.db;
    struct hk_txn *txn = hk_txn(worker);
    for (;;) {
        /* Pairs with hk_end_era: if the era is odd, it is so after the begin was read. */
        uint64_t era = hk_waits(db) ? __atomic_load_n(&db->era, __ATOMIC_SEQ_CST) : txn->era;
        if (era != txn->era || (hk_waits(db) && !(era & 1)))
            hk_enter_era(worker, era);
        else if (ordo_stamp_after(&db->stamp, *begin, cc_max(least, hk_time(txn->era_begin))))
            return ORDO_OK;
        if (ordo_stamp_later(&db->stamp, cc_max(least, hk_time(txn->era_begin)), begin))
            return ORDO_E_DISRUPTED;
    }
}

/* C5 go: ends an odd era, so that writers do not wait until the next snapshot begins. */
static void hk_end_era(struct ordo_db *db)
{
    uint64_t era = __atomic_load_n(&db->era, __ATOMIC_RELAXED); /* a hint: the exchange checks it */
    if (era & 1)
        /* Pairs with hk_begin_snapshot: the reader sees the new era, or has already read its begin. */
        (void)__atomic_compare_exchange_n(&db->era, &era, era + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

#endif
