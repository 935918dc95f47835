/* The fence between a name and the second look at where the version was found (hazards.h). Who reclaims may put it into all
 * threads (membarrier(2)): then who names pays nothing, and a look at the names costs some ten microseconds or, on a virtual
 * machine, some hundred. Or each puts it there itself, which makes a short transaction some percent longer, and a look cheap.
 * The first, asymmetric way is for where looks are rare. The second, symmetric one is for where they are not: beside threads
 * that have lost their CPUs. A transaction goes one way from its begin to its end, and says which with its announcement.
 *
 * Why no fence for all is needed if nobody is seen to name what it holds without a fence of its own (hk_oldest_unfenced). Let
 * X be what is to be freed: it was taken out of its chain before. Whoever is in a transaction when the look comes has announced
 * it, and that is seen: if it fences, a name of it that is not seen after hk_fence_here has its own fence after that one, so
 * that its second look does not find X; if it names nothing, it counts by its time. Whoever announces a transaction after the
 * look accesses nothing before it has: by an exchange (cc_enter_newest), or by a store that is visible before the clock, or the
 * counter, is read (cc_enter). It does not find X, whichever way it goes.
 *
 * When which: periods that are counted, of which the odd ones are symmetric. They are hints, and nothing but time depends on
 * them. One begins where two looks of a worker in a row, within HK_DEAR of its transactions, have fences put into all threads
 * for the sake of different ones: beside one that lasts it would not help, and begins at most once. It ends when some worker
 * has made HK_LASTS transactions in it, because looks may be frequent only for being cheap.
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

static inline bool hk_is_symmetric(const struct ordo_db *db)
{
    return __atomic_load_n(&db->fences, __ATOMIC_RELAXED) & 1; /* a hint */
}

/* Ends a period, unless it has ended. */
static void hk_next_period(struct ordo_db *db, uint64_t period)
{
    (void)__atomic_compare_exchange_n(&db->fences, &period, period + 1, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED); /* a hint */
}

/* ---- who names ---- */

/* One more transaction in a symmetric period. After many the next ones are asymmetric, if they can be. */
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

/* Which way a transaction goes that names what it holds: what it announces beside its time. */
static inline uint64_t hk_choose_fence(struct cc_worker *worker)
{
    uint64_t period = __atomic_load_n(&worker->base.db->fences, __ATOMIC_RELAXED); /* a hint */
    if (__builtin_expect(!(period & 1), 1))
        return CC_HAZARDS;
    hk_count_fenced(worker, period);
    return CC_FENCED;
}

/* Names a version in `at`, and has the fence put behind it. */
static inline void hk_show_name(struct cc_worker *worker, struct hk_version **at, struct hk_version *version)
{
#if defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (__builtin_expect(cc_is_fenced(worker->active), 0)) {
        /* Pairs with hk_fence_here: one of the two sees the other; and as the store below. */
        (void)__atomic_exchange_n(at, version, __ATOMIC_SEQ_CST);
        return;
    }
#endif
    /* Pairs with hk_mark_names_of: what was named here before is among the reads, or of no use any more. */
    __atomic_store_n(at, version, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* that of the CPU is in hk_fence_all */
#if !defined ORDO_CLOCK_KNOWS_EXCHANGE
    if (cc_is_fenced(worker->active))
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
    __atomic_store_n(&db->fences, CC_FENCED_FOR_GOOD, __ATOMIC_RELAXED); /* who frees by it looks again */
}

/* The least announcement of those who name what they hold and do not fence their names; CC_IDLE: there is none. */
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

/* Puts a fence between the names of others and the look at them: what they have found is seen there, or they see what was done
 * before. Whether it could. */
static bool hk_order_names(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    struct ordo_db *db = worker->base.db;
    uint64_t last = hk_fence_here(worker), last_unfenced = mine->unfenced;
    uint64_t period = __atomic_load_n(&db->fences, __ATOMIC_RELAXED); /* a hint, but the last is for good */
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
