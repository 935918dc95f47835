/* Whose turn it is on a CPU. A thread that loses its CPU in the middle of a transaction holds back what all others retire,
 * and costs them a fence for each batch of it (hazards.h). Where more threads run than there are CPUs, each meets that fate
 * once in a time slice, unless it gives its CPU up between two transactions, where it holds nothing. So a worker that
 * finds something held back yields before it pays for the fence, provided that
 *
 *  - another worker was last seen on this CPU, and may wait for it; where each has a CPU of its own, only threads of other
 *    programs would gain by a yield;
 *  - the thread has had the CPU for some time: a switch costs what the core's own caches have of its records, and a kernel
 *    may take who yields early for one that has had its whole time slice.
 *
 * All this is guessed, and nothing but time depends on it: a yield comes after the end of a transaction. */
#ifndef ORDO_CC_TXN_HEKATON_TURN_H
#define ORDO_CC_TXN_HEKATON_TURN_H

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "cc/txn/core/horizon.h"
#include "cc/txn/hekaton/types.h"

#define HK_TURN_NS 500000
#define HK_CPU_EVERY 16 /* transactions: how often a worker says where it runs */

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
    ((struct hk_worker *)worker)->turn_ns = 0;
    if (worker->cpu)
        __atomic_store_n(&worker->cpu, 0, __ATOMIC_RELAXED); /* a hint */
}

/* Whether another worker was last seen on this CPU. */
static bool hk_shares_cpu(struct cc_worker *worker)
{
    struct ordo_db *db = worker->base.db;
    unsigned cpu = (unsigned)(sched_getcpu() + 1);
    if (cpu == 0)
        return false;                                                    /* not known */
    unsigned used = __atomic_load_n(&db->places_used, __ATOMIC_RELAXED); /* a hint, as below */
    for (unsigned i = 0; i < used; i++) {
        struct cc_worker *other = cc_worker_of(db, i);
        if (other && other != worker && __atomic_load_n(&other->cpu, __ATOMIC_RELAXED) == cpu) /* a hint */
            return true;
    }
    return false;
}

/* Whether the thread has had its CPU for HK_TURN_NS, as far as is known from when this was asked before. A new turn begins
 * where the answer is yes, or where the thread was switched. */
static bool hk_had_its_turn(struct hk_worker *mine)
{
    struct rusage usage;
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) || getrusage(RUSAGE_THREAD, &usage))
        return false;
    uint64_t now_ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    uint64_t switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
    bool is_same = mine->turn_ns && switches == mine->switches;
    if (is_same && now_ns - mine->turn_ns < HK_TURN_NS)
        return false;
    mine->switches = switches;
    mine->turn_ns = now_ns;
    return is_same;
}

/* After a transaction: gives the CPU up to other workers, if they may need it. Whether it did. */
static bool hk_give_turn(struct cc_worker *worker)
{
    return hk_shares_cpu(worker) && hk_had_its_turn((struct hk_worker *)worker) && sched_yield() == 0;
}

#endif
