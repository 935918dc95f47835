/* How a transaction announces itself, takes its time and ends. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_TIMES_H
#define ORDO_CC_TXN_CORE_TIMES_H

#include "cc/txn/core/types.h"

/* A time for what has just become unreachable; a counter moves on, so that it will be past. */
static inline ordo_time cc_retire_time(struct cc_worker *worker)
{
    return ordo_stamp_take(&worker->base.db->stamp);
}

static inline ordo_time cc_max(ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks ? a : b;
}

/* Makes a shared maximum at least `value`. Relaxed: what orders it is said where it is used. */
static inline void cc_keep_larger(uint64_t *maximum, uint64_t value)
{
    uint64_t seen = __atomic_load_n(maximum, __ATOMIC_RELAXED);
    while (seen < value &&
           !__atomic_compare_exchange_n(maximum, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* C2: announced, then the time. The time is announced too, which may be seen late: until then it is minus infinity.
 * `marks`: 0, CC_HAZARDS or CC_FENCED. */
static inline ordo_time cc_enter(struct cc_worker *worker, uint64_t marks)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now;
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    /* Pairs with cc_look_around: whoever does not see this takes its time earlier. */
    __atomic_store_n(&worker->active, CC_ANNOUNCED | marks, ORDO_STAMP_ANNOUNCE);
    now = ordo_stamp_now(&db->stamp);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: no access of the transaction moves before. */
    __atomic_store_n(&worker->active, now.ticks | marks, __ATOMIC_RELEASE);
    return now;
}

/* C2 newest: the same of a transaction that reads of each record what is newest, and nothing by its time. Any time will do
 * that was read before its first access. So where an exchange keeps later loads behind it, the clock's read is ordered with
 * nothing but the exchange, which stores its result: what came before the transaction need not be done yet, as it must be
 * for cc_enter. */
static inline ordo_time cc_enter_newest(struct cc_worker *worker, uint64_t marks)
{
#if defined ORDO_STAMP_KNOWS_RELAXED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_time now = ordo_stamp_relaxed(&worker->base.db->stamp);
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: whoever does not see this has made unreachable before what it frees. */
    (void)__atomic_exchange_n(&worker->active, now.ticks | marks, __ATOMIC_SEQ_CST);
    return now;
#else
    return cc_enter(worker, marks);
#endif
}

static inline void cc_exit(struct cc_worker *worker)
{
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active != CC_IDLE, "a transaction is announced until it ends", worker,
                   worker->active, worker->id);
    /* Pairs with cc_look_around: the transaction's accesses are over. */
    __atomic_store_n(&worker->active, CC_IDLE, __ATOMIC_RELEASE);
}

/* One turn of waiting for another transaction, by one that holds nothing that others wait for. */
static inline void cc_wait_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    cc_wait(turns);
}

/* The same by one that holds claims or locks. It never gives way, because everybody who meets those would then wait for
 * a thread that does not run. Whether to go on: whoever is waited for may have lost its CPU, and after a while it is
 * better to let go of everything, and to give way then. */
static inline bool cc_hold_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    ordo_clock_pause();
    return ++*turns < CC_PATIENCE;
}

#endif
