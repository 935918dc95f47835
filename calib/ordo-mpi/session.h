/* A synchronised cluster, with which several commands begin: verifies the clocks that are to be propagated, then
 * synchronises. */
#ifndef ORDO_MPI_SESSION_H
#define ORDO_MPI_SESSION_H

#include "cli.h"
#include "cluster/mpi/context.h"
#include "common/progress.h"
#include "levels.h"
#include "read.h"

struct mpi_session_options {
    const struct ordo_clock_source *source;
    struct mpi_levels levels;
    int64_t tolerance_ns; /* 0: the default of verification */
    double deadline_s;    /* a rank that does not answer for this long is lost; 0: never */
    bool unverified, fallback, quiet, progress;
};

struct mpi_session {
    const struct mpi_session_options *options;
    struct ordo_mpi *clock;
    int rank, size, nodes; /* nodes on rank 0 only, 0 without verification */
    bool verified;         /* verification was made, and passed or was overridden by measuring */
    bool assumed;          /* models were copied without verification, and the check of each rank refuted none */
    double verify_seconds, sync_seconds;
};

/** A command that needs a session: its options, which begin with a struct mpi_session_options, and its work, which
 * returns the exit code. */
struct mpi_session_command {
    const struct cli_table *table;           /* with MPI_SESSION_PARTS */
    bool (*ends_early)(const void *options); /* prints something and needs no MPI; may be NULL */
    int (*work)(struct mpi_session *session, const void *options, const char *program);
    bool by_itself; /* it synchronises by itself, possibly several times */
};

extern const struct cli_row mpi_session_rows[];
const char *mpi_session_check(void *options, char text[400]);

/** The rows that all of these commands have in their tables, for the member of this name. */
#define MPI_SESSION_PARTS(input, member)                                                                               \
    {.rows = mpi_session_rows,                                                                                         \
     .offset = offsetof(input, member),                                                                                \
     .header = "Synchronisation:",                                                                                     \
     .check = mpi_session_check},                                                                                      \
    {                                                                                                                  \
        .rows = mpi_levels_rows, .offset = offsetof(input, member.levels), .check = mpi_levels_check                   \
    }

/** Returns the defaults: a hardware clock, synchronised by h2hca. */
struct mpi_session_options mpi_session_defaults(void);

/** Parses, begins MPI, makes a session, works, ends. Returns the command's exit code. If nothing was synchronised, rank
 * 0 has printed why, and the code is one of:
 *
 * EXIT_FAILS: the clock (also one that was to be copied unverified) is proved not to be common, or a measurement
 *     contradicts a declared property
 * EXIT_UNKNOWN: verification could not tell */
int mpi_session_run(const struct mpi_session_command *command, int argc, char **argv, void *options);

/** Collective: synchronises (again), and measures the duration. Returns EXIT_OK, or EXIT_FAILS after rank 0 has printed
 * why. */
int mpi_session_synchronise(struct mpi_session *session, const struct ordo_sync_options *sync, const char *program);

/** Calls progress_begin according to the options; only rank 0 has a bar. */
void mpi_session_progress(const struct mpi_session *session, struct progress *progress);

/** Returns "h2hca (inter hca3, intra clockprop)". */
const char *mpi_session_algorithm(const struct ordo_sync_options *sync, char text[96]);

/** Sleeps until `wait_s` after `begin_ns` of ordo_raw_ns; the bar is full at `last_s`. */
void mpi_cli_wait(int64_t begin_ns, double wait_s, double last_s, struct progress *progress);

#endif
