/* The fence between a name and the load that checks where the version was found (hazards.h). There are two ways:
 *
 *  - Asymmetric: the reclaimer issues it for all threads (membarrier(2)). Announcing a name then costs nothing; a scan
 *    of the names costs about 10 us, or about 100 us on a virtual machine.
 *  - Symmetric: each transaction issues it itself. A short transaction then takes a few percent longer, and a scan is
 *    cheap.
 *
 * The asymmetric way suits rare scans, the symmetric one frequent scans, which occur while threads are preempted. A
 * transaction uses one way from its begin to its end, and its announcement says which.
 *
 * Why no fence for all threads is needed if the reclaimer sees no transaction that names its versions without fences of
 * its own (hk_oldest_unfenced). Let X be a version to be freed; it was taken out of its chain before.
 *
 *  - A transaction that is open during the scan has announced itself, and the scan sees the announcement. Suppose that
 *    it fences, and names X so late that the scan after hk_fence_here does not see the name. Then the fence of the name
 *    comes after hk_fence_here, so the check does not find X. If it names nothing, it counts by its time.
 *  - A transaction that announces itself after the scan accesses nothing earlier: it announces itself by an exchange
 *    (cc_enter_newest), or by a store that is visible before it reads the clock or the counter (cc_enter). It does not
 *    find X, whichever way it uses.
 *
 * When each way is used. The database counts periods, of which the odd ones are symmetric. A period is a hint: nothing
 * but speed depends on it. A symmetric period begins if two successive scans of a worker, within HK_DEAR of its
 * transactions, issue a fence for all threads because of different transactions. A single long transaction begins at
 * most one period, which would not help against it. A symmetric period ends when some worker has made HK_LASTS
 * transactions in it, because frequent scans are no reason to go on while they are cheap. The engine then returns to
 * membarrier() until the condition recurs.
 *
 * If the kernel has no fence for all threads, or once refuses one, all transactions fence from then on. While a
 * transaction that does not fence is still open, memory is freed by time only. */
#ifndef ORDO_CC_TXN_HEKATON_FENCE_H
#define ORDO_CC_TXN_HEKATON_FENCE_H

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cc/txn/core/horizon.h"
#include "cc/txn/hekaton/types.h"

#if !defined HK_DEAR
#define HK_DEAR 4096   /* short transactions: their own fences cost about as much as one for all threads */
#define HK_LASTS 65536 /* transactions of a worker in a symmetric period, after which the period ends */
#endif

static inline bool hk_is_symmetric(const struct ordo_db *db)
{
    return __atomic_load_n(&db->fences, __ATOMIC_RELAXED) & 1; /* a hint */
}

/* Ends a period, unless another worker has ended it. */
static void hk_next_period(struct ordo_db *db, uint64_t period)
{
    (void)__atomic_compare_exchange_n(&db->fences, &period, period + 1, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED); /* a hint */
}

/* ---- transactions that name versions ---- */

/* Counts one more transaction in a symmetric period. Ends the period after HK_LASTS of them, unless it is for good. */
static void hk_count_fenced(struct cc_worker *worker, uint64_t period)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    if (mine->period != period) {
        mine->period = period;
        mine->fenced = 0;
    }
    if (++mine->fenced == HK_LASTS && period != CC_FENCED_FOR_GOOD)
        hk_next_period(worker->base.db, period);
}

/* Chooses the way of a transaction that names its versions: returns the mark that it announces with its time. */
static inline uint64_t hk_choose_fence(struct cc_worker *worker)
{
    uint64_t period = __atomic_load_n(&worker->base.db->fences, __ATOMIC_RELAXED); /* a hint */
    if (__builtin_expect(!(period & 1), 1))
        return CC_HAZARDS;
    hk_count_fenced(worker, period);
    return CC_FENCED;
}

/* Names a version in `at`, and issues the transaction's own fence after it, if it is symmetric. */
static inline void hk_show_name(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (__builtin_expect(cc_is_fenced(worker->active), 0)) {
        /* Pairs with hk_fence_here: one of the two sees the other; and as the store below. */
        (void)__atomic_exchange_n(at, version, __ATOMIC_SEQ_CST);
        return;
    }
#endif
    /* Pairs with hk_mark_names_of: the version named here before is among the reads, or not needed any more. */
    __atomic_store_n(at, version, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* for the compiler; hk_fence_all is the fence of the CPU */
#if !defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (cc_is_fenced(worker->active))
        (void)ordo_clock_read_full(); /* a full fence; pairs as above */
#endif
}

/* ---- the reclaimer, outside of transactions ---- */

/* Registers the process. True if it has a fence for all of its threads. */
static bool hk_fences_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool hk_fence_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Issues a fence before the worker scans names. Returns its transaction before its last scan of names, or 0. */
static uint64_t hk_fence_here(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    return __atomic_exchange_n(&mine->looked_after, worker->id, __ATOMIC_SEQ_CST); /* pairs with hk_show_name */
#else
    uint64_t last = mine->looked_after;
    mine->looked_after = worker->id;
    (void)ordo_clock_read_full(); /* likewise */
    return last;
#endif
}

/* Notes that there is no fence for all threads, for good. */
static void hk_do_without_fence(struct ordo_db *db)
{
    __atomic_store_n(&db->fences, CC_FENCED_FOR_GOOD, __ATOMIC_RELAXED); /* workers that rely on it check again */
}

/* Returns the least announcement of the transactions that name their versions without fences of their own, CC_IDLE for
 * none. */
static uint64_t hk_oldest_unfenced(struct ordo_db *db)
{
    uint64_t oldest = CC_IDLE;
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST); /* pairs with cc_join, as in cc_look_around */
    for (unsigned i = 0; i < used; i++) {
        uint64_t active = cc_announced(db, i);
        if (cc_is_unfenced(active) && (oldest == CC_IDLE || active < oldest))
            oldest = active;
    }
    return oldest;
}

/* Orders the names of others with the scan that follows: the scan sees the names of the versions that they have found,
 * or they see everything done before the scan. False: it could not. */
static bool hk_order_names(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    uint64_t last = hk_fence_here(worker), last_unfenced = mine->unfenced;
    uint64_t period = __atomic_load_n(&db->fences, __ATOMIC_RELAXED); /* a hint, but the last period is for good */
    mine->unfenced = hk_oldest_unfenced(db);
    if (mine->unfenced == CC_IDLE)
        return true;
    if (period == CC_FENCED_FOR_GOOD)
        return false;
    if (!hk_fence_all()) {
        hk_do_without_fence(db);
        return false;
    }
    bool is_often = last_unfenced != CC_IDLE && worker->id - last < (uint64_t)HK_DEAR << 16;
    if (is_often && mine->unfenced != last_unfenced && !(period & 1))
        hk_next_period(db, period);
    return true;
}

#endif
