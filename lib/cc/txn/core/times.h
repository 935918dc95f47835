/* How a transaction announces itself, takes its time and ends. The argument is in core.h. */
#ifndef ORDO_CC_TXN_CORE_TIMES_H
#define ORDO_CC_TXN_CORE_TIMES_H

#include "cc/txn/core/types.h"

/* Takes a time for an item that has just become unreachable; a counter is moved on, so that the time will be past. */
static inline ordo_time cc_retire_time(struct cc_worker *worker)
{
    return ordo_stamp_take(&worker->base.db->stamp);
}

static inline ordo_time cc_max(ordo_time a, ordo_time b)
{
    return a.ticks > b.ticks ? a : b;
}

/* Makes a shared maximum at least `value`. Relaxed: each caller says what orders it. */
static inline void cc_keep_larger(uint64_t *maximum, uint64_t value)
{
    uint64_t seen = __atomic_load_n(maximum, __ATOMIC_RELAXED);
    while (seen < value &&
           !__atomic_compare_exchange_n(maximum, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* C2: announces the transaction, then takes its time. Announces the time too, which other threads may see late: until
 * then the transaction counts as minus infinity. `marks`: 0, CC_HAZARDS or CC_FENCED. */
static inline ordo_time cc_enter(struct cc_worker *worker, uint64_t marks)
{
    struct ordo_db *db = worker->base.db;
    ordo_time now;
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    /* Pairs with cc_look_around: a worker that does not see this takes its time earlier. */
    __atomic_store_n(&worker->active, CC_ANNOUNCED | marks, ORDO_STAMP_ANNOUNCE);
    now = ordo_stamp_now(&db->stamp);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: no access of the transaction moves before. */
    __atomic_store_n(&worker->active, now.ticks | marks, __ATOMIC_RELEASE);
    return now;
}

/* C2 newest: the same for a transaction that reads the newest version of each record, and nothing by its time. Any time
 * will do that was read before its first access. If an exchange keeps later loads behind it, the clock's read is
 * ordered with nothing but the exchange, which stores its result: earlier accesses need not be complete, as they must
 * be for cc_enter. */
static inline ordo_time cc_enter_newest(struct cc_worker *worker, uint64_t marks)
{
#if defined ORDO_STAMP_KNOWS_RELAXED && defined ORDO_CLOCK_KNOWS_EXCHANGE
    ordo_time now = ordo_stamp_relaxed(&worker->base.db->stamp);
    /* Only the worker announces. */
    ORDO_INVARIANT("txn", "C2", worker->active == CC_IDLE, "a transaction that is announced was not", worker,
                   worker->active, worker->id);
    worker->base.counts.stamps++;
    /* Pairs with cc_look_around: a worker that does not see this has made the items that it frees unreachable
     * before. */
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

/* Takes one turn of waiting for another transaction, in a transaction that holds nothing for which others wait. */
static inline void cc_wait_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    cc_wait(turns);
}

/* Takes one turn of waiting in a transaction that holds claims or locks. It never yields, because every thread that
 * meets these would then wait for a thread that does not run. False: the wait has taken long, so the other thread may
 * have lost its CPU; the caller should drop everything and yield then. */
static inline bool cc_hold_turn(struct cc_worker *worker, unsigned *turns)
{
    worker->base.counts.waits += *turns == 0;
    ordo_clock_pause();
    return ++*turns < CC_PATIENCE;
}

#endif
