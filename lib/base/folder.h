/* A folder of files that appears completely or not at all. */
#ifndef ORDO_BASE_FOLDER_H
#define ORDO_BASE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct ordo_folder {
    const char *path;      /* the name that the folder gets; the caller sets it */
    char staged[PATH_MAX]; /* its present name, in the same folder; "" before ordo_folder_make */
    pid_t guard; /* a process that removes the folder if this process ends before ordo_folder_finish; 0: none */
    int guarded; /* the end of a pipe that tells the guard */
};

/** Makes the folder under its present name, empty. A child process removes it if this process is killed. ORDO_E_INVALID: something has the name `path` already, or the path
 * is too long. */
int ordo_folder_make(struct ordo_folder *folder, struct ordo_error *error);

/** Gives the folder its name, after its files were written to the disk; or removes it if `commit` is false or if this
 * fails. Does nothing if the folder was not made. ORDO_E_INVALID: something has the name `path` meanwhile. */
int ordo_folder_finish(struct ordo_folder *folder, bool commit, struct ordo_error *error);

#endif
