/* A simulated cluster whose clocks are known at every true time, so that the result of a synchronisation can be
 * compared with the truth. The same options give the same run, message by message. */
#ifndef ORDO_CLUSTER_TRANSPORT_SIM_H
#define ORDO_CLUSTER_TRANSPORT_SIM_H

#include "cluster/transport/sim_options.h"
#include "cluster/transport/transport.h"

struct ordo_sim_result {
    uint64_t messages;
    int64_t true_ns; /* true time when the last rank ended; all ranks begin at 0 */
};

/** The function that every rank runs. Returns 0 or a negative code. */
typedef int ordo_sim_body(struct ordo_transport *world, void *context);

/** Runs `body` on every rank; the ranks are coroutines of the calling thread. Returns the code of the lowest rank that
 * failed. ORDO_E_MEASURE: that rank waits for ever; the memory that it allocated is not freed. */
int ordo_sim_run(const struct ordo_sim_options *options, ordo_sim_body *body, void *context,
                 struct ordo_sim_result *result, struct ordo_error *error);

/** For code that judges a synchronisation, not for algorithms.
 * ordo_sim_true_ns: returns the true time at this rank
 * ordo_sim_messages: returns the number of messages that all ranks have sent so far
 * ordo_sim_clock_ns: returns the value of the clock of rank `world_rank` at a true time, rounded down to 1 ns */
int64_t ordo_sim_true_ns(const struct ordo_transport *self);
uint64_t ordo_sim_messages(const struct ordo_transport *self);
int64_t ordo_sim_clock_ns(const struct ordo_transport *self, int world_rank, int64_t true_ns);

/** For code that judges a synchronisation: lets time pass at this rank until the true time is `true_ns`. */
void ordo_sim_sleep_until(struct ordo_transport *self, int64_t true_ns);

#endif
