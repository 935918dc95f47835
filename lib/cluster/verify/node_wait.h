/* Waiting for the other ranks of a node: by naps, so that those whose turn it is have the CPUs; not for ever; and with
 * a sign of life, so that who is missed can be named. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_WAIT_H
#define ORDO_CLUSTER_VERIFY_NODE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** What the ranks have in common; in the segment. */
struct ordo_node_life {
    _Alignas(128) _Atomic unsigned steps; /* that anybody has taken: while some get on, nobody gives up */
    _Atomic int gave_up;
    _Atomic int silent; /* 1 + the rank that was waited for; 0: none, or not known */
};

/** One rank's waiting. The first five are filled in by its owner. */
struct ordo_node_waiter {
    struct ordo_node_life *life;
    _Atomic unsigned *beats; /* one for each rank, in the segment: it counts while it waits */
    int rank, size;
    int64_t patience_ns;         /* without a step of anybody */
    bool (*idle)(void *context); /* may be NULL: called every 10 ms or so, and ends the wait where it returns false */
    void *context;
    int64_t begin_ns, idle_ns;
    unsigned seen;
};

/** Begins a wait. */
void ordo_node_wait_begin(struct ordo_node_waiter *waiter);

/** Sleeps once. False where nobody should wait any more: somebody has given up, or this rank does so now. */
bool ordo_node_nap(struct ordo_node_waiter *waiter, int64_t nap_ns);

/** Sleeps until CLOCK_MONOTONIC_RAW is there, which is no waiting for anybody. False as above. */
bool ordo_node_sleep(struct ordo_node_waiter *waiter, int64_t until_ns);

#endif
