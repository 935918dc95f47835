/* Two calls: in the first, all ranks leave at the same global time (Harmonize of Hunold and Carpen-Amarie, CLUSTER
 * 2018, Section V; MPI Forum issue 829); the second, ordo_sync_skew, bounds the difference between the times at which
 * they left.
 *
 * The bound needs the clock reading with which each rank left. If the first call also sent this reading, a rank would
 * leave later than its reading says. So the bound is a call of its own, for a moment that is not critical. */
#ifndef ORDO_CLUSTER_SYNC_HARMONIZE_H
#define ORDO_CLUSTER_SYNC_HARMONIZE_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

/** The time that rank 0's message takes to reach all ranks. Each call learns it for the next call. All zero:
 * unknown. */
struct ordo_harmonizer {
    int64_t took_ns;   /* on each rank: duration of the last delivery to it */
    int64_t notice_ns; /* on rank 0: time from its message to the agreed time */
};

/** The times at which one rank left. */
struct ordo_harmony {
    int64_t at_ns;                /* agreed time to leave, in global time */
    int64_t local_ns;             /* last reading of the local clock in the call */
    struct ordo_global_time left; /* local_ns in global time */
    bool late;                    /* true if the message arrived after the agreed time */
};

/** Collective: waits for all ranks; then rank 0 sends a time, and each rank leaves when its estimate of global time
 * reaches this time. `notice_ns` is the time from rank 0's message to the time to leave; 0: the learnt notice. Sends
 * two messages for each rank except rank 0; four in the first call with the learnt notice. Returns 0, or
 * ORDO_E_SYSTEM. */
int ordo_sync_harmonize(struct ordo_transport *transport, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony);

/** Collective: bounds the time between the first and the last rank to leave. Sends two messages for each rank except
 * rank 0. Returns 0, or ORDO_E_SYSTEM. */
int ordo_sync_skew(struct ordo_transport *transport, const struct ordo_harmony *harmony, struct ordo_global_skew *skew);

#endif
