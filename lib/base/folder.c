#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_name(const struct ordo_folder *folder, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: exists already: remove it, or name a new folder",
                          folder->path);
}

int ordo_folder_make(struct ordo_folder *folder, struct ordo_error *error)
{
    struct stat there;
    size_t length = strlen(folder->path);
    while (length > 1 && folder->path[length - 1] == '/')
        length--;
    if (length == 0 || length + sizeof ".new-XXXXXX" > sizeof folder->staged)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.100s: is no name for a folder", folder->path);
    if (lstat(folder->path, &there) == 0)
        return refuse_name(folder, error);
    (void)snprintf(folder->staged, sizeof folder->staged, "%.*s.new-XXXXXX", (int)length, folder->path);
    if (mkdtemp(folder->staged))
        return ORDO_OK;
    folder->staged[0] = '\0';
    return ordo_error_errno(error, "%s", folder->path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status;
    (void)type;
    (void)ftw;
    (void)remove(path);
    return 0;
}

/* Writes to the disk what the folder's file system has not written yet, and gives the folder its mode. */
static int settle(const struct ordo_folder *folder)
{
    int fd = open(folder->staged, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mode_t mask = umask(0);
    (void)umask(mask);
    int failed = fd < 0 || syncfs(fd) != 0 || fchmod(fd, 0777 & ~mask) != 0, sys_errno = errno;
    if (fd >= 0)
        (void)close(fd);
    errno = sys_errno;
    return failed;
}

int ordo_folder_finish(struct ordo_folder *folder, bool commit, struct ordo_error *error)
{
    enum { DEPTH = 16 };
    int code = ORDO_OK;
    if (!folder->staged[0])
        return code;
    if (commit && settle(folder))
        code = ordo_error_errno(error, "%s", folder->path);
    if (commit && !code && renameat2(AT_FDCWD, folder->staged, AT_FDCWD, folder->path, RENAME_NOREPLACE) != 0)
        code = errno == EEXIST ? refuse_name(folder, error) : ordo_error_errno(error, "%s", folder->path);
    if (!commit || code)
        (void)nftw(folder->staged, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
    folder->staged[0] = '\0';
    return code;
}
