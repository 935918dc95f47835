/* Leaving a call at the same global time on all ranks (Harmonize of Hunold and Carpen-Amarie, CLUSTER 2018, Section V;
 * MPI Forum issue 829), and the proof of how far apart they left.
 *
 * The proof needs the reading of each rank as it left. A rank that sent this reading before it left would leave later
 * than the reading says. So the proof is a second call, to be made when no rank is in a hurry any more. */
#ifndef ORDO_CLUSTER_SYNC_HARMONIZE_H
#define ORDO_CLUSTER_SYNC_HARMONIZE_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

/** The time that rank 0's message takes to reach all ranks, learnt from one call for the next. All zero: unknown. */
struct ordo_harmonizer {
    int64_t took_ns;   /* this rank: the last delivery */
    int64_t notice_ns; /* rank 0: the notice that all ranks need */
};

/** The times at which one rank left. */
struct ordo_harmony {
    int64_t at_ns;                /* agreed, in global time */
    int64_t local_ns;             /* the local clock when this rank left: its last reading in the call */
    struct ordo_global_time left; /* the same in global time */
    bool late;                    /* the message arrived after the agreed time */
};

/** Collective: waits for all ranks; rank 0 sends a time, and each rank leaves at this time by its estimate of global
 * time. `notice_ns` is the time between rank 0's message and the agreed time; 0: the learnt notice. Costs two messages
 * for each rank but rank 0, and twice as many the first time. Returns 0, or ORDO_E_SYSTEM. */
int ordo_sync_harmonize(struct ordo_transport *transport, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony);

/** Collective: computes how far apart the ranks left. Costs two messages for each rank but rank 0. Returns 0, or
 * ORDO_E_SYSTEM. */
int ordo_sync_skew(struct ordo_transport *transport, const struct ordo_harmony *harmony, struct ordo_global_skew *skew);

#endif
