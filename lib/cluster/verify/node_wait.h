/* Waits for the other ranks of a node. A waiting rank sleeps in naps, so that the ranks that measure get the CPUs. A
 * wait has a timeout. A waiting rank shows signs of life, so that an error can name the silent rank. */
#ifndef ORDO_CLUSTER_VERIFY_NODE_WAIT_H
#define ORDO_CLUSTER_VERIFY_NODE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/** The progress of all ranks, in the segment. */
struct ordo_node_life {
    _Alignas(128) _Atomic unsigned steps; /* number of steps of all ranks; no rank gives up while it grows */
    _Atomic int gave_up;
    _Atomic int silent; /* 1 + the silent rank; 0: none, or unknown */
};

/** The waits of one rank. The rank fills in the members from `life` to `context`. */
struct ordo_node_waiter {
    struct ordo_node_life *life;
    _Atomic unsigned *beats; /* signs of life, in the segment: a waiting rank increments beats[rank] */
    int rank, size;
    int64_t patience_ns;         /* longest wait without a step of any rank */
    bool (*idle)(void *context); /* may be NULL: called about every 10 ms; false ends the wait */
    void *context;
    int64_t begin_ns, idle_ns;
    unsigned seen;
};

/** Begins a wait, whose timeout then starts at the first nap. */
void ordo_node_wait_begin(struct ordo_node_waiter *waiter);

/** Sleeps once. False if a rank has given up, or this rank gives up now. */
bool ordo_node_nap(struct ordo_node_waiter *waiter, int64_t nap_ns);

/** Sleeps until CLOCK_MONOTONIC_RAW reaches `until_ns`. There is no timeout. False if a rank has given up. */
bool ordo_node_sleep(struct ordo_node_waiter *waiter, int64_t until_ns);

#endif
