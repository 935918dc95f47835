#include "ordo/watch/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/place.h"

#define LOCK ".watch"

static int refuse_lock(int fd, const char *name, struct ordo_error *error)
{
    char holder[24] = "";
    ssize_t got = pread(fd, holder, sizeof holder - 1, 0);
    holder[got > 0 ? strspn(holder, "0123456789") : 0] = '\0';
    (void)close(fd);
    (void)ordo_error_set(error, ORDO_E_INVALID, 0,
                         "%.150s: another watcher (process %s) watches this record: stop it first", name,
                         *holder ? holder : "unknown");
    return -1;
}

/* True if only this user can open the file. Another user with access could take the lock. */
static bool own_file(int fd, const char *name, struct ordo_error *error)
{
    struct stat info;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 077))
        return true;
    (void)ordo_error_set(error, ORDO_E_SYSTEM, EPERM, "%.150s: is no file that only this user can open: remove it",
                         name);
    return false;
}

static int lock_at(const struct ordo_file_place *place, struct ordo_error *error)
{
    char name[PATH_MAX], holder[24];
    (void)snprintf(name, sizeof name, "%.4000s" LOCK, place->path);
    int fd = ordo_place_open(place, LOCK, O_RDWR | O_CREAT | O_NONBLOCK, 0600);
    if (fd < 0)
        return (void)ordo_error_errno(error, "%s", name), -1;
    if (!own_file(fd, name, error))
        return (void)close(fd), -1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return refuse_lock(fd, name, error);
        (void)ordo_error_errno(error, "%s", name);
        return (void)close(fd), -1;
    }
    int length = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, holder, (size_t)length, 0) != length)
        errno = 0; /* only users read the number, so a full disk is harmless */
    return fd;
}

/* The lock is next to the file that `path` leads to after links, so that all names of one record have the same lock. */
int watch_lock(const char *path, struct ordo_error *error)
{
    struct ordo_file_place place;
    if (ordo_place_find(path, 0, &place, error))
        return -1;
    int fd = lock_at(&place, error);
    ordo_place_leave(&place);
    return fd;
}

static bool is_missing(int sys_errno)
{
    return sys_errno == ENOENT || sys_errno == ENOTDIR;
}

bool watch_lock_holds(int fd, const char *path)
{
    struct ordo_file_place place;
    struct ordo_error error = {0};
    struct stat here, there;
    if (fd < 0 || fstat(fd, &here) != 0)
        return false;
    if (ordo_place_find(path, 0, &place, &error))
        return !is_missing(error.sys_errno);
    bool holds = ordo_place_stat(&place, LOCK, &there) == 0 ? here.st_ino == there.st_ino && here.st_dev == there.st_dev
                                                            : !is_missing(errno);
    ordo_place_leave(&place);
    return holds;
}
