/* Whether any transaction reads a snapshot, that is, sees versions by their times, as the levels SNAPSHOT and READ_ONLY
 * do. A writer waits before it validates for the sake of snapshots alone (argument 3), so the database counts eras. In
 * an odd era a transaction may begin to see by times, and writers wait; in an even era none may, and writers do not
 * wait.
 *
 * A reader that finds an even era begins the next one. Once in each era it reads the clock, at f, and begins certainly
 * after f + B. It reads its begin b before it checks the era again, which must still be the same. Any worker may end an
 * odd era at any time: readers that have begun do not need it any more, and later ones begin another. A transaction
 * that moves its begin (hk_extend) begins once more in this sense, because the era in which it began may be over.
 *
 * Why this is enough. Eras only grow, so between the two checks of a reader R the era was the same odd one. A writer T
 * that did not wait read the era before the first check or after the second.
 *  - Before: T had its end by then, so f >= e - B by the lemma, and b is certainly after e. T had announced itself too,
 *    and R sees it.
 *  - After: b had been read. T validates after that, and a transaction that depends on T announces after that:
 *    e' >= b - B, and R does not see it.
 * If R misses T and sees a transaction that depends on T, then T has waited, as argument 3 needs. */
#ifndef ORDO_CC_TXN_HEKATON_SNAPSHOTS_H
#define ORDO_CC_TXN_HEKATON_SNAPSHOTS_H

#include "cc/txn/hekaton/chain.h"

#if !defined HK_ERA
#define HK_ERA 4096 /* transactions of a worker after which it ends an odd era */
#endif

/* True if writers wait for clocks at all while there are snapshots. */
static inline bool hk_waits(const struct ordo_db *db)
{
    return ordo_stamp_boundary(&db->stamp) && db->options.uncertain == ORDO_UNCERTAIN_WAIT;
}

/* C5 look: true if a writer, which has its end, must wait before it validates. */
static inline bool hk_has_snapshots(struct ordo_db *db)
{
    /* Pairs with hk_enter_era: the clock of the end was read before this. */
    return __atomic_load_n(&db->era, __ATOMIC_SEQ_CST) & 1;
}

/* C5 come: makes the era odd, and stores the time after which the worker may begin in it. */
static void hk_enter_era(struct cc_worker *worker, uint64_t era)
{
    struct ordo_db *db = worker->base.db;
    while (!(era & 1) &&
           /* Pairs with hk_has_snapshots: a writer that does not see this has its end. */
           !__atomic_compare_exchange_n(&db->era, &era, era + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    hk_txn(worker)->era = era | 1;
    hk_txn(worker)->era_begin = ordo_stamp_now(&db->stamp).ticks + ordo_stamp_boundary(&db->stamp);
}

/* C5 come: moves the begin of a transaction that sees by times until it is certainly after `least` and after all ends
 * that were not waited for. Returns 0 or ORDO_E_DISRUPTED. */
static int hk_begin_snapshot(struct cc_worker *worker, ordo_time least, ordo_time *begin)
{
    struct ordo_db *db = worker->base.db;
    struct hk_txn *txn = hk_txn(worker);
    for (;;) {
        /* Pairs with hk_end_era: it is odd after the begin was read. */
        uint64_t era = hk_waits(db) ? __atomic_load_n(&db->era, __ATOMIC_SEQ_CST) : txn->era;
        if (era != txn->era || (hk_waits(db) && !(era & 1)))
            hk_enter_era(worker, era);
        else if (ordo_stamp_after(&db->stamp, *begin, cc_max(least, hk_time(txn->era_begin))))
            return ORDO_OK;
        if (ordo_stamp_later(&db->stamp, cc_max(least, hk_time(txn->era_begin)), begin))
            return ORDO_E_DISRUPTED;
    }
}

/* C5 go: lets writers go on without a wait until a transaction begins to see by times again. */
static void hk_end_era(struct ordo_db *db)
{
    uint64_t era = __atomic_load_n(&db->era, __ATOMIC_RELAXED); /* a hint: the exchange checks it */
    if (era & 1)
        /* Pairs with hk_begin_snapshot: the reader sees this, or has its begin. */
        (void)__atomic_compare_exchange_n(&db->era, &era, era + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

#endif
