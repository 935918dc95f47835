#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a new version is called: the file's own name, and this. */
#define STAGED ".staged-"
#define STAGED_LETTERS "XXXXXX"

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

/* All that come from outside: a fault of the program's own cannot wait. */
static void hold_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    sigset_t outside;
    (void)sigfillset(&outside);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(&outside, faults[i]);
    (void)pthread_sigmask(SIG_SETMASK, &outside, before);
}

/* Ends `staged`, and with it the new version. */
static void drop(struct ordo_staged_file *staged)
{
    (void)pthread_sigmask(SIG_SETMASK, &staged->held, NULL);
    free(staged->path);
    free(staged->beside);
}

static int write_beside(const char *beside, int fd, const void *bytes, size_t count, mode_t mode)
{
    int failed = fd < 0 || write_all(fd, bytes, count) != 0 || fchmod(fd, mode) != 0 || fsync(fd) != 0;
    int sys_errno = errno;
    if (fd >= 0 && close(fd) != 0 && !failed) {
        failed = 1;
        sys_errno = errno;
    }
    if (failed && fd >= 0)
        (void)unlink(beside);
    errno = sys_errno;
    return failed;
}

int ordo_file_stage(struct ordo_staged_file *staged, const char *path, const void *bytes, size_t count, mode_t mode,
                    struct ordo_error *error)
{
    staged->path = strdup(path);
    if (!staged->path || asprintf(&staged->beside, "%s" STAGED STAGED_LETTERS, path) < 0) {
        free(staged->path);
        return ordo_error_errno(error, "%s", path);
    }
    hold_signals(&staged->held);
    int fd = mkostemp(staged->beside, O_CLOEXEC);
    if (write_beside(staged->beside, fd, bytes, count, mode) == 0)
        return ORDO_OK;
    (void)ordo_error_errno(error, "%s", path);
    drop(staged);
    return ORDO_E_SYSTEM;
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
    drop(staged);
    return code;
}

/* Whether `name` is what a new version of `base` is called. */
static bool is_staged(const char *name, const char *base)
{
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && strncmp(name + length, STAGED, strlen(STAGED)) == 0 &&
           strlen(name + length) == strlen(STAGED STAGED_LETTERS);
}

void ordo_file_sweep(const char *path)
{
    char directory[PATH_MAX], copy[PATH_MAX];
    if (directory_of(path, directory, NULL))
        return;
    DIR *stream = opendir(directory);
    const char *base = basename(strcpy(copy, path));
    struct dirent *entry;
    struct stat info;
    while (stream && (entry = readdir(stream)))
        if (is_staged(entry->d_name, base) && fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid())
            (void)unlinkat(dirfd(stream), entry->d_name, 0);
    if (stream)
        (void)closedir(stream);
}

int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error)
{
    struct ordo_staged_file staged;
    int code = ordo_file_stage(&staged, path, bytes, count, mode, error);
    return code ? code : ordo_file_finish(&staged, true, error);
}
