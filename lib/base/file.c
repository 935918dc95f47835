#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int directory_of(const char *path, char directory[PATH_MAX], struct ordo_error *error)
{
    char copy[PATH_MAX];
    if (strlen(path) >= sizeof copy)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the path is too long", path);
    strcpy(copy, path);
    strcpy(directory, dirname(copy));
    return ORDO_OK;
}

int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error)
{
    char directory[PATH_MAX];
    struct stat info;
    int code = directory_of(path, directory, error);
    if (code)
        return code;
    if (make_directory && mkdir(directory, 0755) == 0)
        (void)chmod(directory, 0755); /* whatever the umask: others are to read what is published there */
    else if (make_directory && errno != EEXIST)
        return ordo_error_errno(error, "%s", directory);
    if (access(directory, W_OK | X_OK) != 0)
        return ordo_error_errno(error, "%s", directory);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return ordo_error_set(error, ORDO_E_SYSTEM, EEXIST, "%s: exists and is not a regular file", path);
    return ORDO_OK;
}

static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* The rename itself must survive a crash. A file system that cannot sync a directory has nothing to sync. */
static void sync_directory(const char *path)
{
    char directory[PATH_MAX];
    if (directory_of(path, directory, NULL))
        return;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

int ordo_file_stage(struct ordo_staged_file *staged, const char *path, const void *bytes, size_t count, mode_t mode,
                    struct ordo_error *error)
{
    *staged = (struct ordo_staged_file){strdup(path), NULL};
    if (!staged->path || asprintf(&staged->beside, "%s.XXXXXX", path) < 0) {
        free(staged->path);
        return ordo_error_errno(error, "%s", path);
    }
    int fd = mkostemp(staged->beside, O_CLOEXEC);
    int failed = fd < 0 || write_all(fd, bytes, count) != 0 || fchmod(fd, mode) != 0 || fsync(fd) != 0;
    int sys_errno = errno;
    if (fd >= 0 && close(fd) != 0 && !failed) {
        failed = 1;
        sys_errno = errno;
    }
    if (!failed)
        return ORDO_OK;
    if (fd >= 0)
        (void)ordo_file_finish(staged, false, NULL);
    else
        free(staged->path), free(staged->beside);
    errno = sys_errno;
    return ordo_error_errno(error, "%s", path);
}

int ordo_file_finish(struct ordo_staged_file *staged, bool commit, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (commit && rename(staged->beside, staged->path) != 0) {
        code = ordo_error_errno(error, "%s", staged->path);
        commit = false;
    }
    if (commit)
        sync_directory(staged->path);
    else
        (void)unlink(staged->beside);
    free(staged->path);
    free(staged->beside);
    return code;
}

int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error)
{
    struct ordo_staged_file staged;
    int code = ordo_file_stage(&staged, path, bytes, count, mode, error);
    return code ? code : ordo_file_finish(&staged, true, error);
}
