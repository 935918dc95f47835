/* A synchronised cluster, as the commands that need one begin: verify what is to be propagated, then synchronise. */
#ifndef ORDO_CALIB_MPI_SESSION_H
#define ORDO_CALIB_MPI_SESSION_H

#include "mpi.h"
#include "progress.h"
#include "sync/sync.h"

struct mpi_session_options {
    const struct ordo_clock_source *source;
    const char *alg, *inter, *socket, *intra; /* as given; NULL: not */
    struct ordo_sync_options sync;
    int64_t tolerance_ns; /* 0: verification's own */
    bool unverified;
};

/** The options --clock, --alg and so on, as a child of a command's parser: its input is a struct mpi_session_options
 * that mpi_session_defaults filled. */
extern const struct argp mpi_session_argp;

struct mpi_session_options mpi_session_defaults(void);

struct mpi_session {
    const struct mpi_session_options *options;
    struct ordo_transport *transport;
    struct ordo_model model;
    int rank, size, nodes; /* nodes on rank 0 only, 0 where nothing was verified */
    bool verified;         /* a verification was made; it passed, or measuring was allowed instead */
    bool assumed;          /* models were copied without verification, and a look at each rank refuted none */
    double verify_seconds, sync_seconds;
    int64_t verified_at_ns; /* 0: nothing was verified */
};

/** Collective, after mpi_cli_begin. EXIT_OK, or the exit code after rank 0 has said why nothing was synchronised:
 * EXIT_FAILS where the clock (also one that was to be copied unverified) was proved not to be common or a measurement
 * contradicts what was declared, EXIT_UNKNOWN where verification could not tell. */
int mpi_session_begin(struct mpi_session *session, const struct mpi_session_options *options, const char *program);

void mpi_session_end(struct mpi_session *session);

/** "h2hca (inter hca3, intra clockprop)". */
const char *mpi_session_algorithm(const struct mpi_session_options *options, char text[96]);

/** Global time now. */
struct ordo_global_time mpi_session_now(struct mpi_session *session);

/** The number of seconds, at most a day, that an option was given, or a usage error. */
double mpi_cli_seconds(struct argp_state *state, const char *option, const char *text);

#endif
