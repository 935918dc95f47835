/* The fence between the store of a name and the load that checks whether the version is still where it was found
 * (hazards.h). There are two kinds of fences:
 *
 *  - Asymmetric: the reclaimer issues the fence for all threads (membarrier(2)). Announcing a name then costs nothing;
 *    a scan of the names costs about 10 us, or about 100 us on a virtual machine.
 *  - Symmetric: each transaction issues the fence itself, after each name. A short transaction then takes a few percent
 *    longer, and a scan is cheap.
 *
 * Asymmetric fences suit rare scans. Symmetric fences suit frequent scans, which occur while threads are preempted. A
 * transaction uses one kind of fence from its begin to its end, and its announcement says which (CC_HAZARDS,
 * CC_FENCED).
 *
 * The reclaimer needs no fence for all threads if its scan of the announcements sees no transaction that names versions
 * without fences of its own (hk_oldest_unfenced). Why: let X be a version to be freed, which was taken out of its chain
 * earlier.
 *
 *  - A transaction that is open during the scan has announced itself, and the scan sees the announcement. If it names
 *    nothing, its time counts. If it fences its names, suppose that it names X so late that the scan of the names,
 *    which follows hk_fence_here, does not see the name. Then the fence after the name comes after hk_fence_here, so
 *    the transaction's check does not find X.
 *  - A transaction that announces itself after the scan makes all its accesses after its announcement: the announcement
 *    is an exchange (cc_enter_newest), or a store that is visible before the transaction reads the clock or the counter
 *    (cc_enter). So the transaction does not find X, with either kind of fence.
 *
 * When each kind is used. The database numbers its periods; in odd periods, new transactions use symmetric fences. A
 * period is a hint: only speed depends on it. A symmetric period begins if two successive scans of a worker, within
 * HK_DEAR of the worker's transactions, both issue a fence for all threads, and because of different transactions. So a
 * single long transaction, for which a symmetric period is no help, begins at most one. A symmetric period ends when
 * some worker has made HK_LASTS transactions in it. Frequent scans do not prolong it, because they are cheap while it
 * lasts. The engine then returns to membarrier() until the condition recurs.
 *
 * If the kernel has no fence for all threads, or refuses it once, all later transactions issue their own fences. While
 * a transaction without fences of its own is still open, memory is freed only by time. */
#ifndef ORDO_CC_TXN_HEKATON_FENCE_H
#define ORDO_CC_TXN_HEKATON_FENCE_H

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cc/txn/core/horizon.h"
#include "cc/txn/hekaton/types.h"

#if !defined HK_DEAR
#define HK_DEAR 4096   /* short transactions whose own fences cost about as much as one fence for all threads */
#define HK_LASTS 65536 /* a symmetric period ends when a worker has made this many transactions in it */
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

/* Counts one more transaction in a symmetric period. Ends the period after HK_LASTS transactions, unless the period is
 * CC_FENCED_FOR_GOOD. */
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

/* Chooses the kind of fence for a transaction that names its versions. Returns the mark to be announced with its
 * time. */
static inline uint64_t hk_choose_fence(struct cc_worker *worker)
{
    uint64_t period = __atomic_load_n(&worker->base.db->fences, __ATOMIC_RELAXED); /* a hint */
    if (__builtin_expect(!(period & 1), 1))
        return CC_HAZARDS;
    hk_count_fenced(worker, period);
    return CC_FENCED;
}

/* Names a version by a store in `*at`. If the transaction uses symmetric fences, a fence follows the store. */
static inline void hk_show_name(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (__builtin_expect(cc_is_fenced(worker->active), 0)) {
        /* Pairs with hk_fence_here: either the scan sees this name, or the transaction's check sees the removal of the
         * version. Also pairs as the store below does. */
        (void)__atomic_exchange_n(at, version, __ATOMIC_SEQ_CST);
        return;
    }
#endif
    /* Pairs with hk_mark_names_of: the version that was named here earlier is among the reads, or is not needed any
     * more. */
    __atomic_store_n(at, version, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* for the compiler; hk_fence_all is the fence of the CPU */
#if !defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (cc_is_fenced(worker->active))
        (void)ordo_clock_read_full(); /* a full fence; pairs as the exchange above */
#endif
}

/* ---- the reclaimer, outside of transactions ---- */

/* Registers the process for membarrier(2). True if the kernel has a fence for all threads of the process. */
static bool hk_fences_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool hk_fence_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Issues a fence before the worker scans names. Returns the identity of the worker's last transaction before its
 * previous scan of names, or 0. */
static uint64_t hk_fence_here(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    return __atomic_exchange_n(&mine->looked_after, worker->id, __ATOMIC_SEQ_CST); /* pairs with hk_show_name */
#else
    uint64_t last = mine->looked_after;
    mine->looked_after = worker->id;
    (void)ordo_clock_read_full(); /* pairs with hk_show_name */
    return last;
#endif
}

/* Notes permanently that the kernel has no fence for all threads. */
static void hk_do_without_fence(struct ordo_db *db)
{
    __atomic_store_n(&db->fences, CC_FENCED_FOR_GOOD, __ATOMIC_RELAXED); /* a worker that relies on it checks again */
}

/* Returns the smallest announcement of the transactions that name their versions without fences of their own, CC_IDLE
 * if there is none. */
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

/* Orders the names of other workers with the scan of names that follows. For each version that a worker has found,
 * either the scan sees the worker's name, or the worker's check sees everything done before the scan. False: this is
 * not ensured, because there was no fence. */
static bool hk_order_names(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    uint64_t last = hk_fence_here(worker), last_unfenced = mine->unfenced;
    uint64_t period = __atomic_load_n(&db->fences, __ATOMIC_RELAXED); /* a hint; the last period never ends */
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
