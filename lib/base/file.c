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
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of a new version is the file's own name, STAGED, and random letters. */
#define STAGED ".staged-"
#define STAGED_LETTERS "XXXXXX"

const char *ordo_file_remedy(int sys_errno)
{
    return sys_errno == EACCES         ? ": copy it to where you may read it"
           : sys_errno == ELOOP        ? ": name the file itself"
           : sys_errno == ENAMETOOLONG ? ": name it by a shorter path"
                                       : "";
}

/* Refuses to replace a file of another user, except root, for the reason for which a link of another user is not
 * followed (place.h). */
static int check_owner(const char *path, const struct ordo_file_place *place, struct ordo_error *error)
{
    struct stat info;
    if (ordo_place_stat(place, "", &info) != 0 || info.st_uid == geteuid() || info.st_uid == 0)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_SYSTEM, EPERM,
                          "%.120s: is a file of another user (%lu), and is not replaced: name another", path,
                          (unsigned long)info.st_uid);
}

/* Returns the mode of the file that will be replaced; `mode` if there is no such file. */
static mode_t mode_of(const struct ordo_file_place *place, mode_t mode)
{
    struct stat info;
    return ordo_place_stat(place, "", &info) == 0 && S_ISREG(info.st_mode) ? info.st_mode & 0777 : mode;
}

static int refuse_folder(const struct ordo_file_place *place, int sys_errno, struct ordo_error *error)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", place->path);
    return ordo_place_refuse(dirname(folder), sys_errno, error);
}

int ordo_file_prepare_at(const char *path, const struct ordo_file_place *place, struct ordo_error *error)
{
    struct stat info;
    if (strlen(place->name) + strlen(STAGED STAGED_LETTERS) > NAME_MAX)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENAMETOOLONG, "%.60s...: the name is too long: name a shorter one",
                              path);
    if (faccessat(place->folder, ".", W_OK | X_OK, 0) != 0)
        return refuse_folder(place, errno, error);
    if (place->descriptor >= 0 || (ordo_place_stat(place, "", &info) == 0 && !S_ISREG(info.st_mode)))
        return ordo_error_set(error, ORDO_E_SYSTEM, EEXIST, "%.160s: exists and is not a regular file: name another",
                              path);
    return ORDO_OK;
}

/* True if the file at the place is written to directly, and not replaced. */
static bool is_stream(const struct ordo_file_place *place)
{
    struct stat info;
    return place->descriptor >= 0 ||
           (ordo_place_stat(place, "", &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)));
}

int ordo_file_prepare(const char *path, bool make_directory, struct ordo_error *error)
{
    struct ordo_file_place place;
    int code = ordo_place_find(path, make_directory ? ORDO_PLACE_MAKE_FOLDER : 0, &place, error);
    if (code)
        return code;
    code = ordo_file_prepare_at(path, &place, error);
    ordo_place_leave(&place);
    return code;
}

static int check_stream(const char *path, const struct ordo_file_place *place, struct ordo_error *error)
{
    int fd = place->descriptor, flags = fd < 0 ? 0 : fcntl(fd, F_GETFL);
    if (fd >= 0 && flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        return ordo_error_set(error, ORDO_E_SYSTEM, EBADF, "%s: is open for reading only", path);
    return flags >= 0 && (fd >= 0 || faccessat(place->folder, place->name, W_OK, 0) == 0)
               ? ORDO_OK
               : ordo_error_errno(error, "%s", path);
}

static int check_output(const char *path, const struct ordo_file_place *place, struct ordo_error *error)
{
    if (is_stream(place))
        return check_stream(path, place, error);
    int code = ordo_file_prepare_at(path, place, error);
    return code ? code : check_owner(path, place, error);
}

int ordo_file_prepare_output(const char *path, struct ordo_error *error)
{
    struct ordo_file_place place;
    int code = ordo_place_find(path, 0, &place, error);
    if (code)
        return code;
    code = check_output(path, &place, error);
    ordo_place_leave(&place);
    return code;
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

/* Syncs the folder, because the rename itself must survive a crash. If a file system cannot sync a directory, there is
 * nothing to sync. */
static void sync_folder(const struct ordo_file_place *place)
{
    int fd = ordo_place_open_folder(place);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

/* Blocks all signals except those that the program's own faults raise. */
static void hold_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    sigset_t outside;
    (void)sigfillset(&outside);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)sigdelset(&outside, faults[i]);
    (void)pthread_sigmask(SIG_SETMASK, &outside, before);
}

/* Creates a file in the folder of the place, with an unpredictable name: the place's name and random letters. Returns a
 * descriptor, or -1 with errno. */
static int create_beside(const struct ordo_file_place *place, char beside[NAME_MAX + 1])
{
    enum { TRIES = 100 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    for (int i = 0; i < TRIES; i++) {
        unsigned char bits[sizeof STAGED_LETTERS - 1];
        if (getrandom(bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits)
            return -1;
        int length = snprintf(beside, NAME_MAX + 1, "%s" STAGED, place->name);
        for (size_t at = 0; at < sizeof bits; at++)
            beside[(size_t)length + at] = letters[bits[at] % (sizeof letters - 1)];
        beside[(size_t)length + sizeof bits] = '\0';
        int fd = openat(place->folder, beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Removes the new version, and ends `staged`. */
static void drop(struct ordo_staged_file *staged)
{
    (void)pthread_sigmask(SIG_SETMASK, &staged->held, NULL);
    if (staged->found)
        ordo_place_leave(&staged->own);
}

static int write_beside(const struct ordo_staged_file *staged, int fd, const void *bytes, size_t count, mode_t mode)
{
    int failed = fd < 0 || write_all(fd, bytes, count) != 0 || fchmod(fd, mode) != 0 || fsync(fd) != 0;
    int sys_errno = errno;
    if (fd >= 0 && close(fd) != 0 && !failed) {
        failed = 1;
        sys_errno = errno;
    }
    if (failed && fd >= 0)
        (void)unlinkat(staged->place->folder, staged->beside, 0);
    errno = sys_errno;
    return failed;
}

int ordo_file_stage_at(struct ordo_staged_file *staged, const struct ordo_file_place *place, const void *bytes,
                       size_t count, mode_t mode, struct ordo_error *error)
{
    int code = ordo_file_prepare_at(place->path, place, error);
    if (code)
        return code;
    staged->place = place;
    staged->found = false;
    hold_signals(&staged->held);
    int fd = create_beside(place, staged->beside);
    if (write_beside(staged, fd, bytes, count, mode) == 0)
        return ORDO_OK;
    (void)ordo_error_errno(error, "%s", place->path);
    drop(staged);
    return ORDO_E_SYSTEM;
}

int ordo_file_stage(struct ordo_staged_file *staged, const char *path, const void *bytes, size_t count, mode_t mode,
                    struct ordo_error *error)
{
    int code = ordo_place_find(path, 0, &staged->own, error);
    if (code)
        return code;
    code = ordo_file_prepare_at(path, &staged->own, error);
    if (!code)
        code = ordo_file_stage_at(staged, &staged->own, bytes, count, mode, error);
    staged->found = !code;
    if (code)
        ordo_place_leave(&staged->own);
    return code;
}

int ordo_file_finish(struct ordo_staged_file *staged, bool commit, struct ordo_error *error)
{
    const struct ordo_file_place *place = staged->place;
    int code = ORDO_OK;
    if (commit && renameat(place->folder, staged->beside, place->folder, place->name) != 0) {
        code = ordo_error_errno(error, "%s", place->path);
        commit = false;
    }
    if (commit)
        sync_folder(place);
    else
        (void)unlinkat(place->folder, staged->beside, 0);
    drop(staged);
    return code;
}

/* True if `name` is the name of a new version of `base`. */
static bool is_staged(const char *name, const char *base)
{
    size_t length = strlen(base);
    return strncmp(name, base, length) == 0 && strncmp(name + length, STAGED, strlen(STAGED)) == 0 &&
           strlen(name + length) == strlen(STAGED STAGED_LETTERS);
}

void ordo_file_sweep_at(const struct ordo_file_place *place)
{
    int fd = ordo_place_open_folder(place);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    struct stat info;
    while (stream && (entry = readdir(stream)))
        if (is_staged(entry->d_name, place->name) && fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid())
            (void)unlinkat(fd, entry->d_name, 0);
    if (stream)
        (void)closedir(stream);
    else if (fd >= 0)
        (void)close(fd);
}

void ordo_file_sweep(const char *path)
{
    struct ordo_file_place place;
    if (ordo_place_find(path, 0, &place, NULL))
        return;
    ordo_file_sweep_at(&place);
    ordo_place_leave(&place);
}

/* Opens a device or a pipe. Fails if a regular file has replaced it meanwhile. */
static int open_stream(const struct ordo_file_place *place, int flags)
{
    struct stat info;
    int fd = ordo_place_open(place, "", O_WRONLY | O_NOCTTY | flags, 0);
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

/* Writes directly to a descriptor at its position, to a device, or to a pipe that has a reader. */
static int write_through(const char *path, const struct ordo_file_place *place, const void *bytes, size_t count,
                         struct ordo_error *error)
{
    int own = place->descriptor, fd = own >= 0 ? own : open_stream(place, O_NONBLOCK);
    if (fd < 0 && errno == ENXIO)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENXIO, "%.160s: nobody reads this pipe: start its reader first",
                              path);
    /* Opening does not wait for a reader of the pipe; writing may wait until the reader reads. */
    bool failed = fd < 0 || (own < 0 && fcntl(fd, F_SETFL, 0) != 0) || write_all(fd, bytes, count) != 0;
    int code = failed ? ordo_error_errno(error, "%s", path) : ORDO_OK;
    if (own < 0 && fd >= 0)
        (void)close(fd);
    return code;
}

static int replace_at(const char *path, const struct ordo_file_place *place, const void *bytes, size_t count,
                      mode_t mode, struct ordo_error *error)
{
    struct ordo_staged_file staged;
    if (is_stream(place))
        return write_through(path, place, bytes, count, error);
    int code = check_owner(path, place, error);
    if (!code)
        code = ordo_file_prepare_at(path, place, error);
    if (!code)
        code = ordo_file_stage_at(&staged, place, bytes, count, mode_of(place, mode), error);
    return code ? code : ordo_file_finish(&staged, true, error);
}

int ordo_file_replace(const char *path, const void *bytes, size_t count, mode_t mode, struct ordo_error *error)
{
    struct ordo_file_place place;
    int code = ordo_place_find(path, 0, &place, error);
    if (code)
        return code;
    code = replace_at(path, &place, bytes, count, mode, error);
    ordo_place_leave(&place);
    return code;
}

/* Creates the new file: without a name if the file system supports this, otherwise with a name. */
static int open_beside(struct ordo_file_stream *file)
{
    int fd = openat(file->place.folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file->replaces = true;
    if (fd < 0)
        fd = create_beside(&file->place, file->beside);
    return fd;
}

static int open_output(struct ordo_file_stream *file)
{
    int own = file->place.descriptor;
    return own >= 0                  ? fcntl(own, F_DUPFD_CLOEXEC, 3)
           : is_stream(&file->place) ? open_stream(&file->place, 0)
                                     : open_beside(file);
}

int ordo_file_stream_open(struct ordo_file_stream *file, const char *path, mode_t mode, struct ordo_error *error)
{
    *file = (struct ordo_file_stream){.mode = mode};
    int code = ordo_place_find(path, 0, &file->place, error);
    if (code)
        return code;
    code = check_output(path, &file->place, error);
    file->mode = mode_of(&file->place, mode);
    int fd = code ? -1 : open_output(file);
    file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file->stream)
        return ORDO_OK;
    if (!code)
        code = ordo_error_errno(error, "%s", path);
    if (fd >= 0)
        (void)close(fd);
    if (*file->beside)
        (void)unlinkat(file->place.folder, file->beside, 0);
    ordo_place_leave(&file->place);
    return code;
}

/* Gives the file a name in the folder of the file that it replaces. */
static int name_beside(struct ordo_file_stream *file)
{
    char own[32];
    if (*file->beside)
        return 0;
    (void)snprintf(own, sizeof own, "/proc/self/fd/%d", fileno(file->stream));
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        unsigned letters = ((unsigned)getpid() + attempt) % 1000000;
        (void)snprintf(file->beside, sizeof file->beside, "%.241s" STAGED "%06u", file->place.name, letters);
        if (linkat(AT_FDCWD, own, file->place.folder, file->beside, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        file->beside[0] = '\0';
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static int put_in_place(struct ordo_file_stream *file)
{
    int folder = file->place.folder;
    sigset_t held;
    if (fchmod(fileno(file->stream), file->mode) != 0 || fsync(fileno(file->stream)) != 0)
        return -1;
    hold_signals(&held);
    int failed = name_beside(file) || renameat(folder, file->beside, folder, file->place.name) != 0, sys_errno = errno;
    if (!failed) {
        file->beside[0] = '\0';
        sync_folder(&file->place);
    }
    (void)pthread_sigmask(SIG_SETMASK, &held, NULL);
    errno = sys_errno;
    return failed;
}

int ordo_file_stream_close(struct ordo_file_stream *file, bool commit, struct ordo_error *error)
{
    int code = ORDO_OK;
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);
    if (commit && (failed || (file->replaces && put_in_place(file))))
        code = ordo_error_errno(error, "%s", file->replaces ? file->place.path : "output");
    (void)fclose(file->stream);
    if (*file->beside)
        (void)unlinkat(file->place.folder, file->beside, 0);
    ordo_place_leave(&file->place);
    return code;
}
