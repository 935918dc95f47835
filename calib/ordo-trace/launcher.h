/* The launcher of an MPI program (mpirun), and how the recorder gets into the ranks that it starts. */
#ifndef ORDO_TRACE_LAUNCHER_H
#define ORDO_TRACE_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

enum launcher_kind { LAUNCHER_OPENMPI, LAUNCHER_MPICH, LAUNCHER_OTHER };

/** What it is, by what it says of its version; LAUNCHER_OTHER also where it says nothing. */
enum launcher_kind launcher_kind(const char *name);

/** The recorder for that MPI, into `path`: beside this program in its build tree, or where it is installed. False: there is
 * none. */
bool launcher_library(enum launcher_kind kind, char *path, size_t size);

/** Starts the launcher with the recorder at `library` in its ranks, and waits for its end; signals go to it. Its exit status,
 * or 128 and the signal's number; -1, and errno, where it could not be started. */
int launcher_run(enum launcher_kind kind, const char *library, char **words);

#endif
