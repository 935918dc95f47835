/* The launcher of an MPI program (mpirun), and the loading of the recorder into its ranks. */
#ifndef ORDO_TRACE_LAUNCHER_H
#define ORDO_TRACE_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

enum launcher_kind { LAUNCHER_OPENMPI, LAUNCHER_MPICH, LAUNCHER_OTHER };

/** Returns the kind of a launcher, according to the output of its --version; LAUNCHER_OTHER if the output does not show
 * it. */
enum launcher_kind launcher_kind(const char *name);

/** Finds the recorder for an MPI, in the build tree of this program or in the folder of installation, and writes its
 * path. Returns false if there is no recorder. */
bool launcher_library(enum launcher_kind kind, char *path, size_t size);

/** Starts the launcher with the recorder at `library` in its ranks, and waits for its end; forwards signals to it.
 * Returns its exit status, or 128 plus the signal's number; -1 with errno if it could not be started. */
int launcher_run(enum launcher_kind kind, const char *library, char **words);

#endif
