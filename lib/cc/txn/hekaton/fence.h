/* The fence between a name and the second look at where the version was found (hazards.h). Who reclaims may put it into all
 * threads (membarrier(2)): then who names pays nothing, and a look at the names costs some ten microseconds or, on a virtual
 * machine, some hundred. Or each puts it there itself, which makes a short transaction some percent longer, and a look cheap.
 * The first, asymmetric way is for where looks are rare. The second, symmetric one is for where they are not: beside threads
 * that have lost their CPUs. A transaction goes one way from its begin to its end, and says which before it announces itself.
 *
 * Why no fence for all is needed if all transactions that are seen to name what they hold say that they fence (hk_all_fence).
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
#define HK_DEAR 4096 /* short transactions: their own fences cost about what one for all threads does */
#endif

/* Whether a worker has begun fewer than HK_DEAR transactions since the one of that identity. */
static inline bool hk_is_recent(const struct cc_worker *worker, uint64_t id)
{
    return worker->id - id < (uint64_t)HK_DEAR << 16;
}

/* ---- who names ---- */

/* Transactions have fenced for long. If nobody has looked at names meanwhile, they need not. */
static void hk_reconsider(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    uint64_t looks = __atomic_load_n(&db->looks, __ATOMIC_RELAXED); /* a hint */
    int symmetric = CC_SYMMETRIC;
    mine->reconsidered = worker->id;
    if (looks == mine->looks_seen)
        /* Relaxed: a wish. CC_SYMMETRIC_ONLY stays. */
        (void)__atomic_compare_exchange_n(&db->fences, &symmetric, CC_ASYMMETRIC, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
    mine->looks_seen = looks;
}

/* At the begin of a transaction, before it announces itself. `names`: it will say that it names what it holds. */
static inline void hk_choose_fence(struct cc_worker *worker, bool names)
{
    /* Relaxed: a wish. What the worker says itself is what counts. */
    int symmetric = names && __atomic_load_n(&worker->base.db->fences, __ATOMIC_RELAXED) != CC_ASYMMETRIC;
    if (__builtin_expect(symmetric, 0) && !hk_is_recent(worker, ((struct hk_worker *)worker)->reconsidered))
        hk_reconsider(worker);
    if (__builtin_expect(symmetric != worker->symmetric, 0))
        /* Pairs with hk_all_fence: the transactions before are over, and so are their accesses. */
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

static void hk_fence_here(struct cc_worker *worker)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    (void)__atomic_fetch_add(&worker->active, 0, __ATOMIC_SEQ_CST); /* pairs with hk_show_name */
#else
    (void)worker;
    (void)ordo_clock_read_full(); /* likewise */
#endif
}

/* There is no fence for all threads, for good. */
static void hk_do_without_fence(struct ordo_db *db)
{
    __atomic_store_n(&db->fences, CC_SYMMETRIC_ONLY, __ATOMIC_RELAXED); /* who frees by it looks again */
}

/* Whether all who are in a transaction and name what they hold fence their names. */
static bool hk_all_fence(struct ordo_db *db)
{
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_SEQ_CST); /* pairs with cc_join, as in cc_look_around */
    for (unsigned i = 0; i < used; i++)
        /* Pairs with hk_choose_fence, and is of the transaction that was announced, or of a later one. */
        if (cc_announced(db, i) & CC_HAZARDS && !__atomic_load_n(&cc_worker_of(db, i)->symmetric, __ATOMIC_ACQUIRE))
            return false;
    return true;
}

/* Wishes for transactions that fence, if this worker's looks are frequent. */
static void hk_note_look(struct cc_worker *worker, bool is_cheap)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    int asymmetric = CC_ASYMMETRIC;
    if (!is_cheap && mine->ordered && hk_is_recent(worker, mine->ordered))
        /* Relaxed: a wish. */
        (void)__atomic_compare_exchange_n(&db->fences, &asymmetric, CC_SYMMETRIC, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
    mine->ordered = worker->id;
    mine->looks_cheaply = is_cheap;
    __atomic_store_n(&db->looks, __atomic_load_n(&db->looks, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED); /* a hint */
}

/* Puts a fence between the names of others and the look at them: what they have found is seen there, or they see what was done
 * before. Whether it could. */
static bool hk_order_names(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    hk_fence_here(worker);
    bool is_cheap = hk_all_fence(db);
    hk_note_look(worker, is_cheap);
    if (is_cheap)
        return true;
    if (cc_has_fence(db) && hk_fence_all())
        return true;
    hk_do_without_fence(db);
    return false;
}

#endif
