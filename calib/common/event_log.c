#include "event_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/place.h"

enum { ROOM = sizeof(((struct event_log *)0)->waiting) / sizeof(char *) };

struct ordo_json event_begin(struct ordo_json document, const char *event, const char *words)
{
    struct timespec now, boot;
    struct tm parts;
    char date[32], text[64];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)clock_gettime(CLOCK_BOOTTIME, &boot);
    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &parts));
    (void)snprintf(text, sizeof text, "%s.%06ldZ", date, now.tv_nsec / 1000);
    ordo_json_put_text(&document, "time", text);
    ordo_json_put_int(&document, "boottime_ns", (int64_t)boot.tv_sec * 1000000000 + boot.tv_nsec);
    ordo_json_put_text(&document, "event", event);
    ordo_json_put_text(&document, "text", words);
    return document;
}

void event_log_open(struct event_log *log, const char *path)
{
    *log = (struct event_log){.path = path, .fd = path ? -1 : STDOUT_FILENO};
}

/* True if the log's path still leads to the open file. The log may have been rotated, or its file system may have been
 * unmounted and mounted again. */
static bool is_current(const struct event_log *log)
{
    struct stat here, there;
    return log->fd >= 0 && fstat(log->fd, &here) == 0 && stat(log->path, &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
}

static bool is_full(const struct event_log *log)
{
    struct stat info;
    return log->fd >= 0 && fstat(log->fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= EVENT_LOG_BYTES;
}

static int open_at(struct event_log *log, const struct ordo_file_place *place, struct ordo_error *error)
{
    struct stat info;
    if (log->fd >= 0)
        (void)close(log->fd);
    log->fd = ordo_place_open(place, "", O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0644);
    if (log->fd < 0)
        return ordo_error_errno(error, "%s", log->path);
    if (fstat(log->fd, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode) && !S_ISFIFO(info.st_mode)) {
        (void)close(log->fd);
        log->fd = -1;
        return ordo_error_set(error, ORDO_E_SYSTEM, EEXIST, "%.160s: is not a file to log to", log->path);
    }
    log->sent = 0; /* a new file begins with a complete line */
    return ORDO_OK;
}

/* Renames the log to FILE.1 and begins a new log. Without this, the log could fill the disk. */
static int rotate(struct event_log *log, const struct ordo_file_place *place, struct ordo_error *error)
{
    char older[NAME_MAX + 1];
    if (snprintf(older, sizeof older, "%s.1", place->name) > NAME_MAX)
        errno = ENAMETOOLONG;
    else if (renameat(place->folder, place->name, place->folder, older) == 0)
        return open_at(log, place, error);
    return ordo_error_set(error, ORDO_E_SYSTEM, errno,
                          "%.100s: is full, and cannot be renamed to %.60s: %.40s: rotate it", log->path, older,
                          strerror(errno));
}

static int reopen(struct event_log *log, struct ordo_error *error)
{
    struct ordo_file_place place;
    bool current = !log->path || is_current(log);
    if (current && (!log->path || log->sent > 0 || !is_full(log)))
        return ORDO_OK;
    int code = ordo_place_find(log->path, ORDO_PLACE_NO_LINK, &place, error);
    if (code)
        return code;
    if (!current)
        code = open_at(log, &place, error);
    if (!code && is_full(log) && log->sent == 0)
        code = rotate(log, &place, error);
    ordo_place_leave(&place);
    return code;
}

/* Writes like write(2), but fails with EAGAIN instead of blocking. stdout may be a pipe that is not read. It may also
 * be shared with other processes, so O_NONBLOCK must not be set on it. A pipe that is ready for writing takes at least
 * PIPE_BUF bytes. */
static ssize_t write_at_once(int fd, const char *bytes, size_t count)
{
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    int ready = poll(&room, 1, 0); /* a pending signal makes it fail with EINTR, also without a time to wait */
    if (ready <= 0) {
        errno = ready == 0 ? EAGAIN : errno;
        return -1;
    }
    return write(fd, bytes, count < PIPE_BUF ? count : PIPE_BUF);
}

static int write_first(struct event_log *log, struct ordo_error *error)
{
    char *line = log->waiting[0];
    size_t length = strlen(line);
    while (log->sent < length) {
        ssize_t written = write_at_once(log->fd, line + log->sent, length - log->sent);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return ordo_error_errno(error, "%s", log->path ? log->path : "stdout");
        log->sent += (size_t)written;
    }
    free(line);
    log->sent = 0;
    memmove(log->waiting, log->waiting + 1, (size_t)--log->count * sizeof *log->waiting);
    return ORDO_OK;
}

/* Writes the waiting lines. A full disk may have cut off a line in the middle; its rest is then written to the same
 * file as its beginning, even if the path leads to another file by then. */
int event_log_flush(struct event_log *log, struct ordo_error *error)
{
    if (log->sent > 0 && log->fd >= 0)
        (void)write_first(log, error);
    int code = log->count > 0 ? reopen(log, error) : ORDO_OK;
    while (!code && log->count > 0)
        code = write_first(log, error);
    log->failed = code != ORDO_OK;
    return code;
}

/* Returns the event as a line with a newline, malloc'ed; NULL if out of memory. */
static char *render_event(struct ordo_json *event)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    int failed = stream ? ordo_json_write_line(event, stream) : -1;
    if (!stream)
        ordo_json_drop(event);
    if (stream && (fclose(stream) != 0 || failed)) {
        free(text);
        text = NULL;
    }
    return text;
}

int event_log_put(struct event_log *log, struct ordo_json *event, struct ordo_error *error)
{
    char *line = render_event(event);
    if (!line)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%.100s: out of memory", log->path ? log->path : "stdout");
    if (log->count == ROOM) {
        free(log->waiting[1]); /* index 1: the line at index 0 may be partly written */
        memmove(log->waiting + 1, log->waiting + 2, (ROOM - 2) * sizeof *log->waiting);
        log->count--;
        log->dropped++;
    }
    log->waiting[log->count++] = line;
    return event_log_flush(log, error);
}

void event_log_close(struct event_log *log)
{
    (void)event_log_flush(log, NULL);
    for (int i = 0; i < log->count; i++)
        free(log->waiting[i]);
    if (log->path && log->fd >= 0)
        (void)close(log->fd);
}
