/* The context of <ordo/mpi.h>, for those in this project who look inside: the tools. */
#ifndef ORDO_CLUSTER_MPI_CONTEXT_H
#define ORDO_CLUSTER_MPI_CONTEXT_H

#include <ordo/mpi.h>

#include "cluster/mpi/verify.h"
#include "cluster/sync/common.h"
#include "cluster/sync/harmonize.h"

/** What the last verification found: to be held against the next. */
struct ordo_mpi_verified {
    struct ordo_verified_when when; /* 0: there was none */
    struct ordo_cpus cpus;
    struct ordo_verdict_pair lowest;
};

struct ordo_mpi {
    const struct ordo_clock_source *source;
    struct ordo_transport *transport;
    struct ordo_model model;
    struct ordo_offset_track track; /* what earlier synchronisations and checks have shown */
    struct ordo_common node, socket;
    struct ordo_mpi_verified verified;
    struct ordo_sync_options declared; /* of the last synchronisation */
    struct ordo_harmonizer harmonizer;
};

/** Collective: ordo_mpi_create with this deadline from the beginning; not positive: none. */
int ordo_mpi_create_by(MPI_Comm comm, const char *source, int64_t deadline_ns, struct ordo_mpi **context,
                       struct ordo_error *error);

/** Local: takes over what a verification found out about its clock of this index, which is the context's.
 * ORDO_E_MEASURE where it contradicts the one before: then nothing is remembered. */
int ordo_mpi_adopt(struct ordo_mpi *context, const struct ordo_verify *verify, int clock, struct ordo_error *error);

/** Collective: synchronises as parsed; what is common to the ranks is filled in. Returns what ordo_mpi_sync does. */
int ordo_mpi_sync_by(struct ordo_mpi *context, const struct ordo_sync_options *options, struct ordo_error *error);

/** Collective: ordo_mpi_harmonize with so much time between rank 0's word and the agreed time; 0: what is learnt. */
int ordo_mpi_harmonize_in(struct ordo_mpi *context, int64_t notice_ns, struct ordo_mpi_harmony *harmony,
                          struct ordo_error *error);

/** Local: the next synchronisation is like the first, as where algorithms are compared. On all ranks. */
void ordo_mpi_forget(struct ordo_mpi *context);

#endif
