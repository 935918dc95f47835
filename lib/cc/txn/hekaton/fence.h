/* The fence between a name and the second look at where the version was found (hazards.h). Who reclaims may put it into all
 * threads (membarrier(2)): then who names pays nothing, and a look at the names costs some ten microseconds or, on a virtual
 * machine, some hundred. Or each puts it there itself, which makes a short transaction some percent longer, and a look cheap.
 * The first, asymmetric way is for where looks are rare. The second, symmetric one is for where they are not: beside threads
 * that have lost their CPUs. A transaction goes one way from its begin to its end, and says which before it announces itself.
 *
 * Why no fence for all is needed if all transactions that are seen to name what they hold say that they fence (hk_oldest_unfenced).
 * Let X be what is to be freed: it was taken out of its chain before. Let W be another worker.
 *
 *  - W is in a transaction, and says that it fences. If that is of this transaction: a name that is not seen after
 *    hk_fence_here has its own fence after that one, so that W's second look does not find X. If it is of a later one: this
 *    one has ended, and with it its accesses. If it is of an earlier one: this one has announced itself after the look, by
 *    what is said next.
 *  - W is in none. Its next transaction announces itself after the look, and before its first access: by an exchange
 *    (cc_enter_newest), or a store that is visible before the clock, or the counter, is read (cc_enter). It does not find X,
 *    whichever way it goes.
 *  - W is in one that names nothing. That one counts by its time, as ever.
 *
 * Where the kernel has no fence for all threads, or refuses it once, all transactions fence from then on. While one is open
 * that does not, nothing more is freed than by time. */
#ifndef ORDO_CC_TXN_HEKATON_FENCE_H
#define ORDO_CC_TXN_HEKATON_FENCE_H

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cc/txn/core/horizon.h"
#include "cc/txn/hekaton/types.h"

#if !defined HK_DEAR
#define HK_DEAR 4096   /* short transactions: their own fences cost about what one for all threads does */
#define HK_LASTS 65536 /* transactions of a worker: then it must be shown again that fences of their own pay */
#endif

/* Whether a worker has begun fewer transactions than `count` since the one of that identity. */
static inline bool hk_is_recent(const struct cc_worker *worker, uint64_t id, uint64_t count)
{
    return worker->id - id < count << 16;
}

/* ---- who names ---- */

/* From one way to the other. */
static void hk_change_fences(struct ordo_db *db, int from, int to)
{
    /* Relaxed: a wish. CC_SYMMETRIC_ONLY stays. */
    (void)__atomic_compare_exchange_n(&db->fences, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Transactions fence, as this worker has seen since some while. After a long one the next ones do not. */
static void hk_count_fenced(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    if (mine->fenced_since == 0)
        mine->fenced_since = worker->id;
    if (hk_is_recent(worker, mine->fenced_since, HK_LASTS))
        return;
    mine->fenced_since = 0;
    hk_change_fences(worker->base.db, CC_SYMMETRIC, CC_ASYMMETRIC);
}

/* At the begin of a transaction, before it announces itself. `names`: it will say that it names what it holds. */
static inline void hk_choose_fence(struct cc_worker *worker, bool names)
{
    /* Relaxed: a wish. What the worker says itself is what counts. */
    int symmetric = names && __atomic_load_n(&worker->base.db->fences, __ATOMIC_RELAXED) != CC_ASYMMETRIC;
    if (__builtin_expect(symmetric, 0))
        hk_count_fenced(worker);
    if (__builtin_expect(symmetric == worker->symmetric, 1))
        return;
    if (names && !symmetric)
        ((struct hk_worker *)worker)->fenced_since = 0;
    /* Pairs with hk_oldest_unfenced: the transactions before are over, and so are their accesses. */
    __atomic_store_n(&worker->symmetric, symmetric, __ATOMIC_RELEASE);
}

/* Names a version in `at`, and has the fence put behind it. */
static inline void hk_show_name(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (__builtin_expect(worker->symmetric, 0)) {
        /* Pairs with hk_fence_here: one of the two sees the other; and as the store below. */
        (void)__atomic_exchange_n(at, version, __ATOMIC_SEQ_CST);
        return;
    }
#endif
    /* Pairs with hk_mark_names_of: what was named here before is among the reads, or of no use any more. */
    __atomic_store_n(at, version, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* that of the CPU is in hk_fence_all */
#if !defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (worker->symmetric)
        (void)ordo_clock_read_full(); /* a full fence; pairs as above */
#endif
}

/* ---- who reclaims, outside of transactions ---- */

/* Whether the process has a fence for all of its threads. */
static bool hk_fences_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool hk_fence_all(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* The worker is about to look at names: a fence before that. The transaction after which it did so the last time, or 0. */
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

/* There is no fence for all threads, for good. */
static void hk_do_without_fence(struct ordo_db *db)
{
    __atomic_store_n(&db->fences, CC_SYMMETRIC_ONLY, __ATOMIC_RELAXED); /* who frees by it looks again */
}

/* The least announcement of those who name what they hold and do not fence their names; CC_IDLE: there is none. */
static uint64_t hk_oldest_unfenced(struct ordo_db *db)
{
    uint64_t oldest = CC_IDLE;
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST); /* pairs with cc_join, as in cc_look_around */
    for (unsigned i = 0; i < used; i++) {
        uint64_t active = cc_announced(db, i);
        /* Pairs with hk_choose_fence, and is of the transaction that was announced, or of a later one, or stale. */
        if (active & CC_HAZARDS && !__atomic_load_n(&cc_worker_of(db, i)->symmetric, __ATOMIC_ACQUIRE))
            oldest = oldest == CC_IDLE || active < oldest ? active : oldest;
    }
    return oldest;
}

/* Puts a fence between the names of others and the look at them: what they have found is seen there, or they see what was done
 * before. Whether it could. Where that takes fences for all often, transactions are to fence, unless it is for the sake of the
 * same one as the last time: that one would not. */
static bool hk_order_names(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    uint64_t last = hk_fence_here(worker), last_unfenced = mine->unfenced;
    mine->unfenced = hk_oldest_unfenced(db);
    if (mine->unfenced == CC_IDLE)
        return true;
    if (!cc_has_fence(db) || !hk_fence_all()) {
        hk_do_without_fence(db);
        return false;
    }
    if (last && hk_is_recent(worker, last, HK_DEAR) && mine->unfenced != last_unfenced)
        hk_change_fences(db, CC_ASYMMETRIC, CC_SYMMETRIC);
    return true;
}

#endif
