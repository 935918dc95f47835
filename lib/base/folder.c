#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int refuse_name(const struct ordo_folder *folder, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: exists already: remove it, or name a new folder",
                          folder->path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status;
    (void)type;
    (void)ftw;
    (void)remove(path);
    return 0;
}

static void remove_staged(const struct ordo_folder *folder)
{
    enum { DEPTH = 16 };
    (void)nftw(folder->staged, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
}

/* Waits in the guard for a byte, which means that the folder is finished, or for the end of the pipe, which means that
 * all processes that wrote to the folder have ended. A signal from a terminal, to all its processes, does not reach the
 * guard. */
static void watch_folder(const struct ordo_folder *folder, int end)
{
    char byte;
    ssize_t got;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setsid();
    for (int fd = 0; nowhere >= 0 && fd <= 2; fd++)
        (void)dup2(nowhere, fd);
    while ((got = read(end, &byte, 1)) < 0 && errno == EINTR)
        ;
    if (got == 0)
        remove_staged(folder);
    _exit(0);
}

/* Starts the guard. Without one, for example if there are too many processes, a process that is killed leaves the
 * folder. */
static void start_guard(struct ordo_folder *folder)
{
    int ends[2];
    folder->guard = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[1]);
        watch_folder(folder, ends[0]);
    }
    (void)close(ends[0]);
    if (pid < 0)
        (void)close(ends[1]);
    folder->guard = pid > 0 ? pid : 0;
    folder->guarded = ends[1];
}

/* Dismisses the guard. MSG_NOSIGNAL has no equal for a pipe, so the signal is ignored: the guard may have been killed. */
static void end_guard(struct ordo_folder *folder)
{
    struct sigaction before;
    if (folder->guard == 0)
        return;
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    while (write(folder->guarded, "", 1) < 0 && errno == EINTR)
        ;
    (void)sigaction(SIGPIPE, &before, NULL);
    (void)close(folder->guarded);
    while (waitpid(folder->guard, NULL, 0) < 0 && errno == EINTR)
        ;
    folder->guard = 0;
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
    if (mkdtemp(folder->staged)) {
        start_guard(folder);
        return ORDO_OK;
    }
    folder->staged[0] = '\0';
    return ordo_error_errno(error, "%s", folder->path);
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

/* Renames the folder. Network file systems do not know RENAME_NOREPLACE; there rename() replaces nothing but an empty
 * folder. */
static int give_name(const struct ordo_folder *folder)
{
    if (renameat2(AT_FDCWD, folder->staged, AT_FDCWD, folder->path, RENAME_NOREPLACE) == 0)
        return 0;
    return errno == EINVAL || errno == ENOSYS ? rename(folder->staged, folder->path) : -1;
}

int ordo_folder_finish(struct ordo_folder *folder, bool commit, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (!folder->staged[0])
        return code;
    if (commit && settle(folder))
        code = ordo_error_errno(error, "%s", folder->path);
    if (commit && !code && give_name(folder) != 0)
        code = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR ? refuse_name(folder, error)
                                                                         : ordo_error_errno(error, "%s", folder->path);
    if (!commit || code)
        remove_staged(folder);
    end_guard(folder);
    folder->staged[0] = '\0';
    return code;
}
