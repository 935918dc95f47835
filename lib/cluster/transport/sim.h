/* A simulated cluster whose true clocks are known, so that every synchronisation can be judged against the truth.
 *
 * Deterministic: the same options give the same run, message by message. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SIM_H

#include "cluster/transport/sim_options.h"
#include "cluster/transport/transport.h"

struct ordo_sim_result {
    uint64_t messages;
    int64_t true_ns; /* when the last rank ended; all begin at 0 */
};

/** The function that every rank runs; returns 0 or a negative code. */
typedef int ordo_sim_body(struct ordo_transport *world, void *context);

/** Runs `body` on every rank, as coroutines of the calling thread. Returns the code of the lowest rank that failed, or
 * ORDO_E_MEASURE if ranks wait for each other for ever (their allocations are then lost). */
int ordo_sim_run(const struct ordo_sim_options *options, ordo_sim_body *body, void *context,
                 struct ordo_sim_result *result, struct ordo_error *error);

/** For judges only: the true time at this rank; the number of all messages so far; the reading of a clock of `self`'s
 * world at a true time, to 1 ns below. */
int64_t ordo_sim_true_ns(const struct ordo_transport *self);
uint64_t ordo_sim_messages(const struct ordo_transport *self);
int64_t ordo_sim_clock_ns(const struct ordo_transport *self, int world_rank, int64_t true_ns);

/** For judges only: lets time pass at this rank until `true_ns`. */
void ordo_sim_sleep_until(struct ordo_transport *self, int64_t true_ns);

#endif
