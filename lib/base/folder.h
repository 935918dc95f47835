/* A folder of files that appears completely or not at all. */
#ifndef ORDO_BASE_FOLDER_H
#define ORDO_BASE_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

struct ordo_folder {
    const char *path;      /* the name that the folder gets; the caller sets it */
    char staged[PATH_MAX]; /* its present name, in the same folder; "" before ordo_folder_make */
};

/** Makes the folder under its present name, empty. ORDO_E_INVALID: something has the name `path` already, or the path
 * is too long. */
int ordo_folder_make(struct ordo_folder *folder, struct ordo_error *error);

/** Gives the folder its name, after its files were written to the disk; or removes it if `commit` is false or if this
 * fails. Does nothing if the folder was not made. ORDO_E_INVALID: something has the name `path` meanwhile. */
int ordo_folder_finish(struct ordo_folder *folder, bool commit, struct ordo_error *error);

#endif
