/* Waits for the other ranks of a node: by naps, so that the ranks that measure have the CPUs; with a timeout; and with
 * a sign of life, so that a silent rank can be named. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_WAIT_H
#define ORDO_CLUSTER_VERIFY_NODE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** The progress of all ranks; in the segment. */
struct ordo_node_life {
    _Alignas(128) _Atomic unsigned steps; /* of all ranks: as long as it grows, no rank gives up */
    _Atomic int gave_up;
    _Atomic int silent; /* 1 + the rank that did not answer; 0: none, or unknown */
};

/** The wait of one rank. Its owner fills in the first five members. */
struct ordo_node_waiter {
    struct ordo_node_life *life;
    _Atomic unsigned *beats; /* one for each rank, in the segment: a waiting rank increments its own */
    int rank, size;
    int64_t patience_ns;         /* timeout without a step of any rank */
    bool (*idle)(void *context); /* may be NULL: called about every 10 ms; false ends the wait */
    void *context;
    int64_t begin_ns, idle_ns;
    unsigned seen;
};

/** Begins a wait. */
void ordo_node_wait_begin(struct ordo_node_waiter *waiter);

/** Sleeps once. False if the wait is over: a rank has given up, or this rank gives up now. */
bool ordo_node_nap(struct ordo_node_waiter *waiter, int64_t nap_ns);

/** Sleeps until CLOCK_MONOTONIC_RAW reaches `until_ns`, without waiting for a rank. False as above. */
bool ordo_node_sleep(struct ordo_node_waiter *waiter, int64_t until_ns);

#endif
