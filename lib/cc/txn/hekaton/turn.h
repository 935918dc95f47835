/* Whose turn it is on a CPU. A thread that loses its CPU in the middle of a transaction holds back what all others retire,
 * and costs them a fence for each batch of it (hazards.h). Where more threads run than there are CPUs, each meets that fate
 * once in a time slice, unless it gives its CPU up between two transactions, where it holds nothing. So a worker that
 * finds something held back yields before it pays for the fence, provided that
 *
 *  - another worker was last seen on this CPU, and may wait for it; where each has a CPU of its own, only threads of other
 *    programs would gain by a yield;
 *  - the thread has had the CPU for some time: a switch costs what the core's own caches have of its records, and a kernel
 *    may take who yields early for one that has had its whole time slice. That time doubles with every fourth yield in a row
 *    after which the horizon has not moved: who does not go on then was stopped, or waits for something else. Fewer show
 *    nothing: it may be on another CPU.
 *
 * All this is guessed, and nothing but time depends on it: a yield comes after the end of a transaction. */
#ifndef ORDO_CC_TXN_HEKATON_TURN_H
#define ORDO_CC_TXN_HEKATON_TURN_H

#include <sched.h>
#include <sys/resource.h>

#include "base/time.h"
#include "cc/txn/core/horizon.h"
#include "cc/txn/hekaton/types.h"

#define HK_TURN_NS 500000 /* at first, */
#define HK_VAIN_YIELDS 4  /* after which it doubles, */
#define HK_TURN_DOUBLES 8 /* and as often it may */
#define HK_CPU_EVERY 16   /* transactions: how often a worker says where it runs */

/* At the begin of a transaction. */
static inline void hk_say_cpu(struct cc_worker *worker)
{
    if (worker->cpu && (worker->id >> 16) % HK_CPU_EVERY)
        return;
    unsigned cpu = (unsigned)(sched_getcpu() + 1);
    if (cpu != worker->cpu)
        __atomic_store_n(&worker->cpu, cpu, __ATOMIC_RELAXED); /* a hint */
}

/* The worker is left: it waits for no CPU, and whoever joins it next has its turn before it. */
static void hk_forget_cpu(struct cc_worker *worker)
{
    struct hk_worker *mine = (struct hk_worker *)worker;
    mine->turn_ns = 0;
    mine->vain_yields = 0;
    if (worker->cpu)
        __atomic_store_n(&worker->cpu, 0, __ATOMIC_RELAXED); /* a hint */
}

/* Whether another worker was last seen on this CPU. */
static bool hk_shares_cpu(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    unsigned cpu = (unsigned)(sched_getcpu() + 1);
    if (cpu == 0) /* not known */
        return false;
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_RELAXED); /* a hint, as below */
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *other = cc_worker_of(db, i);
        if (other && other != worker && __atomic_load_n(&other->cpu, __ATOMIC_RELAXED) == cpu) /* a hint */
            return true;
    }
    return false;
}

/* Whether the thread has had its CPU for a turn, as far as is known from when this was asked before. A new turn begins
 * where the answer is yes, or where the thread was switched. */
static bool hk_had_its_turn(struct hk_worker *mine)
{
    struct rusage usage;
    int64_t now_ns = ordo_raw_ns();
    if (getrusage(RUSAGE_THREAD, &usage))
        return false;
    int64_t switches = (int64_t)usage.ru_nvcsw + usage.ru_nivcsw;
    bool is_same = mine->turn_ns && switches == mine->switches;
    if (is_same && now_ns - mine->turn_ns < (int64_t)HK_TURN_NS << mine->vain_yields / HK_VAIN_YIELDS)
        return false;
    mine->switches = switches;
    mine->turn_ns = now_ns;
    return is_same;
}

/* After a yield: whether what was held back has become less. */
static void hk_note_turn(struct hk_worker *mine, bool has_helped)
{
    if (has_helped)
        mine->vain_yields = 0;
    else if (mine->vain_yields < HK_VAIN_YIELDS * HK_TURN_DOUBLES)
        mine->vain_yields++;
}

/* After a transaction: gives the CPU up to other workers, if they may need it. Whether it did. */
static bool hk_give_turn(struct cc_worker *worker)
{
    return hk_shares_cpu(worker) && hk_had_its_turn((struct hk_worker *)worker) && sched_yield() == 0;
}

#endif
