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
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the path is too long: name a shorter one",
                              path);
    strcpy(copy, path);
    strcpy(directory, dirname(copy));
    return ORDO_OK;
}

/* N where `path` is /proc/<this process>/fd/N, which /dev/stdout and the like lead to; else -1. What it links to may be a
 * file, but whoever names it means the descriptor, where it stands. */
static int descriptor_of(const char *path)
{
    char directory[PATH_MAX], place[PATH_MAX], own[32];
    const char *slash = strrchr(path, '/');
    (void)snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    if (!slash || slash[1] < '0' || slash[1] > '9' || directory_of(path, directory, NULL) ||
        !realpath(directory, place) || strcmp(place, own) != 0)
        return -1;
    return atoi(slash + 1);
}

/* Where a link leads, one step. */
static int follow_once(char target[PATH_MAX], struct ordo_error *error)
{
    char link[PATH_MAX], directory[PATH_MAX];
    ssize_t length = readlink(target, link, sizeof link - 1);
    if (length < 0)
        return ordo_error_errno(error, "%s", target);
    link[length] = '\0';
    int code = directory_of(target, directory, error);
    if (code)
        return code;
    int needed =
        link[0] == '/' ? snprintf(target, PATH_MAX, "%s", link) : snprintf(target, PATH_MAX, "%s/%s", directory, link);
    return needed < PATH_MAX ? ORDO_OK
                             : ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG,
                                              "%.60s...: the path is too long: name a shorter one", link);
}

/* What `path` names: links are followed, up to a descriptor of this process or something that is no link, which need not
 * exist. A link of another user is not: who may place one in a directory such as /tmp must not choose what is replaced. */
static int follow(const char *path, char target[PATH_MAX], struct ordo_error *error)
{
    enum { MOST = 40 };
    struct stat info;
    if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the path is too long: name a shorter one",
                              path);
    for (int i = 0; i < MOST; i++) {
        if (descriptor_of(target) >= 0 || lstat(target, &info) != 0 || !S_ISLNK(info.st_mode))
            return ORDO_OK;
        if (info.st_uid != geteuid() && info.st_uid != 0)
            return ordo_error_set(error, ORDO_E_SYSTEM, EPERM,
                                  "%.120s: is a link of another user (%lu), and is not followed: name what it leads to",
                                  target, (unsigned long)info.st_uid);
        int code = follow_once(target, error);
        if (code)
            return code;
    }
    return ordo_error_set(error, ORDO_E_SYSTEM, ELOOP, "%.120s: its links lead round in a circle: name a file", path);
}

const char *ordo_file_remedy(int sys_errno)
{
    return sys_errno == EACCES         ? ": copy it to where you may read it"
           : sys_errno == ELOOP        ? ": name the file itself"
           : sys_errno == ENAMETOOLONG ? ": name it by a shorter path"
                                       : "";
}

/* The remedy for a path that cannot be used; empty if the system's words say it. */
static const char *remedy(int sys_errno)
{
    return sys_errno == EACCES || sys_errno == EPERM ? ": name a folder that you may write to"
           : sys_errno == EROFS                      ? ": name a folder of another file system"
           : sys_errno == ENOENT                     ? ": create it, or name another folder"
           : sys_errno == ENOTDIR                    ? ": name a folder"
                                                     : "";
}

static const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int refuse_folder(const char *folder, int sys_errno, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, sys_errno, "%.150s: %.40s%s", folder, strerror(sys_errno),
                          remedy(sys_errno));
}

/* A file of another user (but root) is not replaced, for the reason for which a link is not followed. */
static int check_owner(const char *path, const char *target, struct ordo_error *error)
{
    struct stat info;
    if (lstat(target, &info) != 0 || info.st_uid == geteuid() || info.st_uid == 0)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_SYSTEM, EPERM,
                          "%.120s: is a file of another user (%lu), and is not replaced: name another", path,
                          (unsigned long)info.st_uid);
}

/* The mode of the file that is replaced; `mode` if there is none. */
static mode_t mode_of(const char *target, mode_t mode)
{
    struct stat info;
    return lstat(target, &info) == 0 && S_ISREG(info.st_mode) ? info.st_mode & 0777 : mode;
}

/* Whether a file may be created at `target`, or a regular one replaced there. */
static int check_file(const char *path, const char *target, struct ordo_error *error)
{
    char directory[PATH_MAX];
    struct stat info;
    int code = directory_of(target, directory, error);
    if (code)
        return code;
    if (strlen(path_name(target)) + strlen(STAGED STAGED_LETTERS) > NAME_MAX)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the name is too long: name a shorter one",
                              path);
    if (access(directory, W_OK | X_OK) != 0)
        return refuse_folder(directory, errno, error);
    if (descriptor_of(target) >= 0 || (lstat(target, &info) == 0 && !S_ISREG(info.st_mode)))
        return ordo_error_set(error, ORDO_E_SYSTEM, EEXIST, "%.160s: exists and is not a regular file: name another",
                              path);
    return ORDO_OK;
}

/* Whether that is something to write to, and not to replace. */
static bool is_stream(const char *target)
{
    struct stat info;
    return descriptor_of(target) >= 0 ||
           (lstat(target, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)));
}

int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error)
{
    char target[PATH_MAX], directory[PATH_MAX];
    int code = follow(path, target, error);
    if (!code)
        code = directory_of(target, directory, error);
    if (code)
        return code;
    if (make_directory && mkdir(directory, 0755) == 0)
        (void)chmod(directory, 0755); /* whatever the umask: others are to read what is published there */
    else if (make_directory && errno != EEXIST)
        return ordo_error_errno(error, "%s", directory);
    return check_file(path, target, error);
}

int ordo_file_prepare_output(const char *path, struct ordo_error *error)
{
    char target[PATH_MAX];
    int code = follow(path, target, error);
    if (code)
        return code;
    if (!is_stream(target)) {
        code = check_file(path, target, error);
        return code ? code : check_owner(path, target, error);
    }
    int fd = descriptor_of(target), flags = fd < 0 ? 0 : fcntl(fd, F_GETFL);
    if (fd >= 0 && flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        return ordo_error_set(error, ORDO_E_SYSTEM, EBADF, "%s: is open for reading only", path);
    return flags >= 0 && (fd >= 0 || access(target, W_OK) == 0) ? ORDO_OK : ordo_error_errno(error, "%s", path);
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
    char target[PATH_MAX];
    int code = follow(path, target, error);
    if (!code)
        code = check_file(path, target, error);
    if (code)
        return code;
    staged->path = strdup(target);
    if (!staged->path || asprintf(&staged->beside, "%s" STAGED STAGED_LETTERS, target) < 0) {
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
    char directory[PATH_MAX], target[PATH_MAX];
    if (follow(path, target, NULL) || directory_of(target, directory, NULL))
        return;
    DIR *stream = opendir(directory);
    const char *base = basename(target);
    struct dirent *entry;
    struct stat info;
    while (stream && (entry = readdir(stream)))
        if (is_staged(entry->d_name, base) && fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid())
            (void)unlinkat(dirfd(stream), entry->d_name, 0);
    if (stream)
        (void)closedir(stream);
}

/* Into what is there and stays: a descriptor where it stands, a device, or a pipe that somebody reads. */
static int write_through(const char *path, const char *target, const void *bytes, size_t count,
                         struct ordo_error *error)
{
    int own = descriptor_of(target), fd = own >= 0 ? own : open(target, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENXIO)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENXIO, "%.160s: nobody reads this pipe: start its reader first",
                              path);
    /* Opening does not wait for a reader; writing may wait for it to read. */
    bool failed = fd < 0 || (own < 0 && fcntl(fd, F_SETFL, 0) != 0) || write_all(fd, bytes, count) != 0;
    int code = failed ? ordo_error_errno(error, "%s", path) : ORDO_OK;
    if (own < 0 && fd >= 0)
        (void)close(fd);
    return code;
}

int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error)
{
    struct ordo_staged_file staged;
    char target[PATH_MAX];
    int code = follow(path, target, error);
    if (code)
        return code;
    if (is_stream(target))
        return write_through(path, target, bytes, count, error);
    code = check_owner(path, target, error);
    if (!code)
        code = ordo_file_stage(&staged, path, bytes, count, mode_of(target, mode), error);
    return code ? code : ordo_file_finish(&staged, true, error);
}

/* Without a name where that can be, and else with one. */
static int open_beside(struct ordo_file_stream *file, const char *target)
{
    char directory[PATH_MAX];
    (void)directory_of(target, directory, NULL);
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file->path = strdup(target);
    if (fd >= 0 || !file->path)
        return fd;
    if (asprintf(&file->beside, "%s" STAGED STAGED_LETTERS, target) < 0)
        file->beside = NULL;
    return file->beside ? mkostemp(file->beside, O_CLOEXEC) : -1;
}

int ordo_file_stream_open(struct ordo_file_stream *file, const char *path, mode_t mode, struct ordo_error *error)
{
    char target[PATH_MAX];
    *file = (struct ordo_file_stream){.mode = mode};
    int code = ordo_file_prepare_output(path, error);
    if (!code)
        code = follow(path, target, error);
    if (code)
        return code;
    file->mode = mode_of(target, mode);
    int own = descriptor_of(target);
    int fd = own >= 0            ? fcntl(own, F_DUPFD_CLOEXEC, 3)
             : is_stream(target) ? open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
                                 : open_beside(file, target);
    file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file->stream)
        return ORDO_OK;
    code = ordo_error_errno(error, "%s", path);
    if (fd >= 0)
        (void)close(fd);
    free(file->path);
    free(file->beside);
    return code;
}

/* Gives the file a name beside the one that it replaces. */
static int name_beside(struct ordo_file_stream *file)
{
    char own[32];
    if (file->beside)
        return 0;
    (void)snprintf(own, sizeof own, "/proc/self/fd/%d", fileno(file->stream));
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        unsigned letters = ((unsigned)getpid() + attempt) % 1000000;
        if (asprintf(&file->beside, "%s" STAGED "%06u", file->path, letters) < 0) {
            file->beside = NULL;
            return -1;
        }
        if (linkat(AT_FDCWD, own, AT_FDCWD, file->beside, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        free(file->beside);
        file->beside = NULL;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static int put_in_place(struct ordo_file_stream *file)
{
    sigset_t held;
    if (fchmod(fileno(file->stream), file->mode) != 0 || fsync(fileno(file->stream)) != 0)
        return -1;
    hold_signals(&held);
    int failed = name_beside(file) || rename(file->beside, file->path) != 0, sys_errno = errno;
    if (!failed) {
        free(file->beside);
        file->beside = NULL;
        sync_directory(file->path);
    }
    (void)pthread_sigmask(SIG_SETMASK, &held, NULL);
    errno = sys_errno;
    return failed;
}

int ordo_file_stream_close(struct ordo_file_stream *file, bool commit, struct ordo_error *error)
{
    int code = ORDO_OK;
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);
    if (commit && (failed || (file->path && put_in_place(file))))
        code = ordo_error_errno(error, "%s", file->path ? file->path : "output");
    (void)fclose(file->stream);
    if (file->beside)
        (void)unlink(file->beside);
    free(file->path);
    free(file->beside);
    return code;
}
