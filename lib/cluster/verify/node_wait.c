#include "cluster/verify/node_wait.h"

#include <stddef.h>

#include "base/minmax.h"
#include "base/time.h"

static void nap(struct ordo_node_waiter *waiter, int64_t ns)
{
    ordo_sleep_ns(ns);
    (void)atomic_fetch_add_explicit(&waiter->beats[waiter->rank], 1, memory_order_relaxed);
}

/* True if `rank` shows no sign of life for half a second, or for patience_ns / 3 if that is shorter. */
static bool is_silent(struct ordo_node_waiter *waiter, int rank)
{
    enum { NAPS = 500, NAP_NS = 1000000 };
    int64_t naps = ordo_min(waiter->patience_ns / 3 / NAP_NS + 1, NAPS);
    unsigned before = atomic_load_explicit(&waiter->beats[rank], memory_order_relaxed);
    for (int64_t i = 0; i < naps; i++) {
        nap(waiter, NAP_NS);
        if (atomic_load_explicit(&waiter->beats[rank], memory_order_relaxed) != before)
            return false;
    }
    return true;
}

static void give_up_wait(struct ordo_node_waiter *waiter)
{
    int nobody = 0, rank = 0;
    while (rank < waiter->size && (rank == waiter->rank || !is_silent(waiter, rank)))
        rank++;
    if (rank < waiter->size)
        (void)atomic_compare_exchange_strong_explicit(&waiter->life->silent, &nobody, rank + 1, memory_order_relaxed,
                                                      memory_order_relaxed);
    /* Release, pairs with gave_up's acquire: the silent rank is visible. */
    atomic_store_explicit(&waiter->life->gave_up, 1, memory_order_release);
}

static bool gave_up(const struct ordo_node_waiter *waiter)
{
    /* Acquire, pairs with give_up_wait's release: the silent rank is visible. */
    return atomic_load_explicit(&waiter->life->gave_up, memory_order_acquire);
}

/* Calls idle if the last call is at least 10 ms ago. */
static void be_idle(struct ordo_node_waiter *waiter, int64_t at_ns)
{
    enum { IDLE_NS = 10000000 };
    if (!waiter->idle || at_ns - waiter->idle_ns < IDLE_NS)
        return;
    waiter->idle_ns = at_ns;
    if (!waiter->idle(waiter->context))
        atomic_store_explicit(&waiter->life->gave_up, 1, memory_order_relaxed);
}

void ordo_node_wait_begin(struct ordo_node_waiter *waiter)
{
    waiter->begin_ns = 0;
}

bool ordo_node_nap(struct ordo_node_waiter *waiter, int64_t nap_ns)
{
    int64_t at_ns = ordo_raw_ns();
    unsigned steps = atomic_load_explicit(&waiter->life->steps, memory_order_relaxed);
    if (!waiter->begin_ns || steps != waiter->seen)
        waiter->begin_ns = at_ns;
    waiter->seen = steps;
    be_idle(waiter, at_ns);
    if (!gave_up(waiter) && at_ns - waiter->begin_ns > waiter->patience_ns)
        give_up_wait(waiter);
    if (gave_up(waiter))
        return false;
    nap(waiter, nap_ns);
    return true;
}

bool ordo_node_sleep(struct ordo_node_waiter *waiter, int64_t until_ns)
{
    const int64_t most_ns = 10000000;
    for (int64_t left_ns; (left_ns = until_ns - ordo_raw_ns()) > 0;) {
        be_idle(waiter, ordo_raw_ns());
        if (gave_up(waiter))
            return false;
        nap(waiter, left_ns < most_ns ? left_ns : most_ns);
    }
    return true;
}
