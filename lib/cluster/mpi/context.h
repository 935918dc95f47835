/* The context of <ordo/mpi.h>. The tools access its members. */
#ifndef ORDO_CLUSTER_MPI_CONTEXT_H
#define ORDO_CLUSTER_MPI_CONTEXT_H

#include <ordo/mpi.h>

#include "cluster/mpi/verify.h"
#include "cluster/sync/common.h"
#include "cluster/sync/harmonize.h"

/** The findings of the last verification, for comparison with the next verification. */
struct ordo_mpi_verified {
    struct ordo_verified_when when; /* all 0: never verified */
    struct ordo_cpus cpus;
    struct ordo_verdict_pair lowest;
};

struct ordo_mpi {
    const struct ordo_clock_source *source;
    struct ordo_transport *transport;
    struct ordo_model model;
    struct ordo_offset_track track; /* memory of earlier synchronisations and checks */
    struct ordo_common node, socket;
    struct ordo_mpi_verified verified;
    struct ordo_sync_options declared; /* options of the last synchronisation */
    struct ordo_harmonizer harmonizer;
};

/** Collective: does ordo_mpi_create with this deadline. `deadline_ns` <= 0: no deadline. */
int ordo_mpi_create_by(MPI_Comm comm, const char *source, int64_t deadline_ns, struct ordo_mpi **context,
                       struct ordo_error *error);

/** Local: takes over the findings of `verify` about its clock number `clock`, which must be the clock of the context.
 * ORDO_E_MEASURE: the verification contradicts the previous verification, and earlier bounds are forgotten. */
int ordo_mpi_adopt(struct ordo_mpi *context, const struct ordo_verify *verify, int clock, struct ordo_error *error);

/** Collective: synchronises by parsed options. Takes the bounds of the last verification (`common_...`) from the
 * context. Returns the codes of ordo_mpi_sync. */
int ordo_mpi_sync_by(struct ordo_mpi *context, const struct ordo_sync_options *options, struct ordo_error *error);

/** Collective: does ordo_mpi_harmonize with a time of `notice_ns` from rank 0's message to the agreed time. 0: the
 * learnt notice. */
int ordo_mpi_harmonize_in(struct ordo_mpi *context, int64_t notice_ns, struct ordo_mpi_harmony *harmony,
                          struct ordo_error *error);

/** Local: forgets earlier synchronisations, so that they do not influence the next one, for example when algorithms are
 * compared. Call on all ranks. */
void ordo_mpi_forget(struct ordo_mpi *context);

#endif
