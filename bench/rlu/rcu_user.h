/* A thread that uses liburcu, in the flavour memb, or QSBR if RCU_QSBR is defined. It collects removed nodes, waits
 * once for all readers, and frees the nodes together. This avoids call_rcu, whose helper thread would run during the
 * measurement. */
#ifndef BENCH_RLU_RCU_USER_H
#define BENCH_RLU_RCU_USER_H

#define _LGPL_SOURCE /* inlined, which liburcu recommends */
#define URCU_API_MAP
#ifdef RCU_QSBR
#include <urcu/urcu-qsbr.h>
#else
#include <urcu/urcu-memb.h>
#endif

#include "rlu/loop.h"

#define RCU_RETIRED 1024

struct rcu_user {
    void *set;
    unsigned count;
    void *retired[RCU_RETIRED];
};

static void *rcu_user_enter(struct rlu_bench *bench)
{
    struct rcu_user *user = rlu_allocate_lines(sizeof *user);
    if (!user)
        return NULL;
    user->set = bench->set;
    user->count = 0;
    rcu_register_thread();
    return user;
}

/* Waits until no reader can hold a retired node, and frees all retired nodes. Must not be called in a section. */
static void rcu_user_free_retired(struct rcu_user *user)
{
    synchronize_rcu();
    while (user->count > 0)
        free(user->retired[--user->count]);
}

static inline void rcu_user_retire(struct rcu_user *user, void *memory)
{
    user->retired[user->count++] = memory;
    if (user->count == RCU_RETIRED)
        rcu_user_free_retired(user);
}

static void rcu_user_leave(void *argument, uint64_t counters[BENCH_COUNTERS])
{
    struct rcu_user *user = argument;
    if (user->count > 0)
        rcu_user_free_retired(user);
    rcu_unregister_thread();
    (void)counters;
    free(user);
}

#endif
