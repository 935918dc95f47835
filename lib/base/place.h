/* The place of a file that will be written: its folder, held open, and its name there.
 *
 * One walk finds the place, and everything else is done by folder and name. A folder or a link of the path that changes
 * after the walk does not lead the writer elsewhere: the folder is the one that was checked, and in it the name is
 * never followed, only replaced.
 *
 * The walk follows links, one at a time. It refuses each link of another user (but root), whether it stands for a
 * folder of the path or for the file, because a user that can create links in a folder such as /tmp must not choose
 * which file is replaced. In a user namespace root's files may be shown as those of the overflow user, and so are every
 * stranger's: a link of that user is followed for a folder of the path, if it is in a folder of that user which others
 * may not write. */
#ifndef ORDO_BASE_PLACE_H
#define ORDO_BASE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

struct ordo_file_place {
    int folder;              /* O_PATH */
    int descriptor;          /* the path leads to /proc/self/fd/N, as /dev/stdout does: N; else -1 */
    char name[NAME_MAX + 1]; /* was no link when the walk arrived; need not exist */
    char path[PATH_MAX];     /* with all links followed, for messages */
};

enum {
    ORDO_PLACE_MAKE_FOLDER = 1, /* make the folder (mode 0755) if only that is missing */
    ORDO_PLACE_NO_LINK = 2      /* leave the last link unfollowed: the name may then be a link */
};

/** Walks to the place of `path`. On success the caller ends it with ordo_place_leave.
 *
 * 0
 * ORDO_E_SYSTEM: a folder is missing or cannot be searched, a link is another user's, or the path is too long */
int ordo_place_find(const char *path, unsigned how, struct ordo_file_place *place, struct ordo_error *error);

/** Fills `error` for a folder that cannot be used: the system's words, and the remedy. Returns ORDO_E_SYSTEM. */
int ordo_place_refuse(const char *folder, int sys_errno, struct ordo_error *error);

/** Closes the folder. */
void ordo_place_leave(struct ordo_file_place *place);

/** fstat for the name with `suffix` appended, without following it. -1 with errno if there is no such file. */
int ordo_place_stat(const struct ordo_file_place *place, const char *suffix, struct stat *info);

/** Opens the name with `suffix` appended, without following it. Returns -1 with errno. */
int ordo_place_open(const struct ordo_file_place *place, const char *suffix, int flags, mode_t mode);

/** Opens the folder itself for listing and syncing. Returns -1 with errno. */
int ordo_place_open_folder(const struct ordo_file_place *place);

#endif
