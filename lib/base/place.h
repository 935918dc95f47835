/* The place of a file that will be written: its folder, which is kept open, and its name in that folder.
 *
 * One walk along the path finds the place; all later operations use the folder and the name. If a folder or a link of
 * the path changes after the walk, the writer is not redirected: it uses the open folder that was checked, and there it
 * replaces the name and never follows it.
 *
 * The walk follows links, one at a time. It refuses each link of another user, except root, whether the link stands for
 * a folder of the path or for the file, because a user that can create links in a folder such as /tmp must not choose
 * which file is replaced. In a user namespace the files of root and of all unmapped users may appear to belong to the
 * overflow user. A link of the overflow user is followed only if it stands for a folder of the path and is in a folder
 * of the overflow user that other users may not write. */
#ifndef ORDO_BASE_PLACE_H
#define ORDO_BASE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

struct ordo_file_place {
    int folder;              /* O_PATH */
    int descriptor;          /* N if the path leads to /proc/self/fd/N, as /dev/stdout does; else -1 */
    char name[NAME_MAX + 1]; /* was not a link when the walk ended; need not exist */
    char path[PATH_MAX];     /* the path with all links followed, for messages */
};

enum {
    ORDO_PLACE_MAKE_FOLDER = 1, /* make the folder (mode 0755) if only that is missing */
    ORDO_PLACE_NO_LINK = 2      /* leave the last link unfollowed: the name may then be a link */
};

/** Walks to the place of `path`. On success the caller ends the place with ordo_place_leave.
 *
 * 0: the place is found
 * ORDO_E_SYSTEM: a folder is missing or cannot be searched, a link is another user's, or the path is too long */
int ordo_place_find(const char *path, unsigned how, struct ordo_file_place *place, struct ordo_error *error);

/** Fills `error` for a folder that cannot be used, with the system's message and the remedy. Returns ORDO_E_SYSTEM. */
int ordo_place_refuse(const char *folder, int sys_errno, struct ordo_error *error);

/** Closes the folder. */
void ordo_place_leave(struct ordo_file_place *place);

/** Stores the fstat data of the name with `suffix` appended in `*info`, without following a link. Returns 0, or -1 with
 * errno. */
int ordo_place_stat(const struct ordo_file_place *place, const char *suffix, struct stat *info);

/** Opens the name with `suffix` appended, without following a link. Returns a descriptor, or -1 with errno. */
int ordo_place_open(const struct ordo_file_place *place, const char *suffix, int flags, mode_t mode);

/** Opens the folder itself for listing and syncing. Returns a descriptor, or -1 with errno. */
int ordo_place_open_folder(const struct ordo_file_place *place);

#endif
