/* Leaving a call at the same global time on all ranks (Harmonize of Hunold and Carpen-Amarie, CLUSTER 2018, Section V;
 * MPI Forum issue 829), and the proof of how far apart they left.
 *
 * That proof needs what each rank saw as it left. Who told it before leaving would not leave then: so it is a second
 * call, for when nobody is in a hurry any more. */
#ifndef ORDO_CLUSTER_SYNC_HARMONIZE_H
#define ORDO_CLUSTER_SYNC_HARMONIZE_H

#include "cluster/sync/model.h"
#include "cluster/transport/transport.h"

/** How long rank 0's word of a time takes to reach all ranks; learnt from one call for the next. All zero: not known.
 */
struct ordo_harmonizer {
    int64_t took_ns;   /* this rank: the last time */
    int64_t notice_ns; /* rank 0: what all need */
};

/** How one rank left. */
struct ordo_harmony {
    int64_t at_ns;                /* agreed, in global time */
    int64_t local_ns;             /* the clock when this rank left: its last reading in the call */
    struct ordo_global_time left; /* the same in global time */
    bool late;                    /* told of the time when it had passed */
};

/** Collective: all ranks wait for each other, rank 0 says when, and each leaves at that time by its estimate of global
 * time. `notice_ns` is between rank 0's word and that time; 0: what is learnt. Costs two messages for each rank but
 * rank 0, and twice that the first time. Returns 0, or ORDO_E_SYSTEM. */
int ordo_sync_harmonize(struct ordo_transport *transport, const struct ordo_model *model, int64_t notice_ns,
                        struct ordo_harmonizer *harmonizer, struct ordo_harmony *harmony);

/** Collective: how far apart they left; two messages for each rank but rank 0. Returns 0, or ORDO_E_SYSTEM. */
int ordo_sync_skew(struct ordo_transport *transport, const struct ordo_harmony *harmony, struct ordo_global_skew *skew);

#endif
