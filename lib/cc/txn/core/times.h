/* How a transaction announces itself, takes its time and ends. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_TIMES_H
#define ORDO_CC_TXN_CORE_TIMES_H

#include "cc/txn/core/types.h"

/* Takes a time for an item that has just become unreachable. If the stamp is a counter, this advances it, so that later
 * times are larger. */
static inline ordo_time cc_retire_time(struct cc_worker *worker)
{
    return ordo_stamp_take(&worker->base.db->stamp);
}

static inline ordo_time cc_max(ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks ? a : b;
}

/* Raises a shared maximum to `value`, unless it is at least `value` already. Relaxed: each caller says what orders its
 * accesses. */
static inline void cc_keep_larger(uint64_t *maximum, uint64_t value)
{
    uint64_t seen = __atomic_load_n(maximum, __ATOMIC_RELAXED);
    while (seen < value &&
           !__atomic_compare_exchange_n(maximum, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* C2: announces the transaction, takes its time, and announces the time. For threads that do not see the time yet, the
 * transaction counts as minus infinity. `marks`: 0, CC_HAZARDS or CC_FENCED. */
static inline ordo_time cc_enter(struct cc_worker *worker, uint64_t marks)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now;
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    /* Pairs with cc_look_around: a scan that does not see this announcement took its time earlier. */
    __atomic_store_n(&worker->active, CC_ANNOUNCED | marks, ORDO_STAMP_ANNOUNCE);
    now = ordo_stamp_now(&db->stamp);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: no access of the transaction moves before its announcement. */
    __atomic_store_n(&worker->active, now.ticks | marks, __ATOMIC_RELEASE);
    return now;
}

/* C2 newest: announces a transaction that reads only the newest version of each record, and nothing by time. Any time
 * that was read before its first access will do. If the CPU's exchange keeps later loads behind it, the clock is read
 * unordered: only the exchange, which stores the time, must follow the read. The thread's earlier accesses need not be
 * complete before the read, as they must be in cc_enter. */
static inline ordo_time cc_enter_newest(struct cc_worker *worker, uint64_t marks)
{
#if defined ORDO_STAMP_KNOWS_RELAXED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_time now = ordo_stamp_relaxed(&worker->base.db->stamp);
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: if a worker's scan does not see this announcement, the items that the worker frees
     * became unreachable before it. */
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

/* Makes one step of a wait for another transaction; `turns` counts the steps. Only for a transaction that holds nothing
 * for which others wait. */
static inline void cc_wait_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    cc_wait(turns);
}

/* Makes one step of a wait in a transaction that holds claims or locks. Never yields, because threads that meet these
 * claims or locks would then wait for a descheduled thread. False: the wait has taken CC_PATIENCE steps, so the other
 * thread may be descheduled; the caller should drop its claims or locks, and then yield. */
static inline bool cc_hold_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    ordo_clock_pause();
    return ++*turns < CC_PATIENCE;
}

#endif
