/* A session, with which several commands begin: if models are to be copied, verifies the clock; then synchronises. */
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
    double deadline_s;    /* timeout for a silent rank; 0: none */
    bool unverified, fallback, quiet, progress;
};

struct mpi_session {
    const struct mpi_session_options *options;
    struct ordo_mpi *clock;
    int rank, size, nodes; /* nodes: number of nodes, on rank 0; 0 without verification */
    bool verified;         /* true: a verification allowed the copying of models */
    bool assumed;          /* true: models are copied without verification, and a check of every rank follows */
    double verify_seconds, sync_seconds;
};

/** A command that needs a session. Its options must begin with a struct mpi_session_options. Its work returns the exit
 * code. */
struct mpi_session_command {
    const struct cli_table *table; /* must contain MPI_SESSION_PARTS */
    bool (*ends_early)(
        const void *options); /* true if the command only prints something, and has done so; may be NULL */
    int (*work)(struct mpi_session *session, const void *options, const char *program);
    bool by_itself; /* true: the work synchronises itself, perhaps several times */
};

extern const struct cli_row mpi_session_rows[];
const char *mpi_session_check(void *options, char text[400]);

/** The rows that the tables of all these commands contain, for the options in the member `member` of `input`. */
#define MPI_SESSION_PARTS(input, member)                                                                               \
    {.rows = mpi_session_rows,                                                                                         \
     .offset = offsetof(input, member),                                                                                \
     .header = "Synchronisation:",                                                                                     \
     .check = mpi_session_check},                                                                                      \
    {                                                                                                                  \
        .rows = mpi_levels_rows, .offset = offsetof(input, member.levels), .check = mpi_levels_check                   \
    }

/** Returns the defaults: the hardware clock, and the algorithm h2hca. */
struct mpi_session_options mpi_session_defaults(void);

/** Runs a command: parses the options, starts MPI, makes a session, does the work, and ends MPI. Returns the exit code
 * of the work. If nothing was synchronised, rank 0 has printed the reason, and the exit code is
 *
 * EXIT_FAILS: the ranks are proved not to read one clock, with or without verification; or a measurement contradicts a
 *     declared property
 * EXIT_UNKNOWN: the verification was inconclusive */
int mpi_session_run(const struct mpi_session_command *command, int argc, char **argv, void *options);

/** Collective: synchronises, and measures the duration. May be called several times. EXIT_FAILS: not synchronised; rank
 * 0 has printed the reason. */
int mpi_session_synchronise(struct mpi_session *session, const struct ordo_sync_options *sync, const char *program);

/** Begins a progress bar on rank 0 if the options allow it. */
void mpi_session_progress(const struct mpi_session *session, struct progress *progress);

/** Writes an algorithm and those of its levels, such as "h2hca (inter hca3, intra clockprop)". */
const char *mpi_session_algorithm(const struct ordo_sync_options *sync, char text[96]);

/** Sleeps until `wait_s` seconds after `begin_ns`, a time of ordo_raw_ns. The progress bar is full after `last_s`
 * seconds. */
void mpi_cli_wait(int64_t begin_ns, double wait_s, double last_s, struct progress *progress);

#endif
