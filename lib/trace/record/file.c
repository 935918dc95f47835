#include "trace/record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes the trace of an earlier run, and nothing else. */
static int make_room_for_trace(const char *path, struct ordo_error *error)
{
    unsigned char magic[8];
    struct stat status;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return ORDO_OK;
    if (fd < 0)
        return ordo_error_errno(error, "%.150s: choose another ORDO_TRACE_LOGFILE_NAME", path);
    int ours = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
               (status.st_size == 0 ||
                (read(fd, magic, sizeof magic) == sizeof magic && memcmp(magic, ORDO_TRACE_MAGIC, sizeof magic) == 0));
    (void)close(fd);
    if (!ours)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%.150s: there, and no trace of yours: choose another ORDO_TRACE_LOGFILE_NAME", path);
    return unlink(path) == 0 ? ORDO_OK : ordo_error_errno(error, "%.150s: its removal", path);
}

/* Writes all bytes. Returns 0, or an errno. */
static int write_all(int fd, const void *bytes, size_t count, uint64_t offset)
{
    const char *at = bytes;
    while (count > 0) {
        ssize_t written = pwrite(fd, at, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        at += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
    return 0;
}

int ordo_trace_file_create(struct ordo_trace_file *file, const char *prefix, struct ordo_trace_head *head,
                           struct ordo_error *error)
{
    const char *path = file->path;
    *file = (struct ordo_trace_file){.fd = -1};
    (void)snprintf(file->path, sizeof file->path, "%s.%d" ORDO_TRACE_SUFFIX, prefix, (int)head->rank);
    int code = make_room_for_trace(path, error);
    if (code)
        return code;
    file->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file->fd < 0)
        return ordo_error_errno(error, "%.150s", path);
    ordo_trace_head_seal(head);
    file->failed = write_all(file->fd, head, sizeof *head, 0);
    file->offset = sizeof *head;
    if (!file->failed)
        return ORDO_OK;
    errno = file->failed;
    code = ordo_error_errno(error, "%.150s", path);
    ordo_trace_file_abandon(file);
    return code;
}

void ordo_trace_file_abandon(struct ordo_trace_file *file)
{
    if (file->fd < 0)
        return;
    (void)unlink(file->path);
    (void)close(file->fd);
    file->fd = -1;
}

int ordo_trace_file_append(struct ordo_trace_file *file, enum ordo_trace_chunk_kind kind, const void *payload,
                           size_t bytes, uint32_t count, uint64_t lost)
{
    struct ordo_trace_chunk chunk = {
        .kind = kind, .bytes = (uint32_t)bytes, .count = count, .number = file->chunks, .lost = lost};
    if (file->failed)
        return ORDO_E_SYSTEM;
    ordo_trace_chunk_seal(&chunk, payload);
    /* The head is written last, so that a process killed between the two writes leaves no chunk that looks complete. */
    file->failed = write_all(file->fd, payload, bytes, file->offset + sizeof chunk);
    if (!file->failed)
        file->failed = write_all(file->fd, &chunk, sizeof chunk, file->offset);
    if (file->failed)
        return ORDO_E_SYSTEM;
    file->offset += sizeof chunk + bytes;
    file->chunks++;
    return ORDO_OK;
}

int ordo_trace_file_close(struct ordo_trace_file *file)
{
    int code = ordo_trace_file_append(file, ORDO_TRACE_CLOSED, NULL, 0, 0, file->lost);
    if (close(file->fd) != 0 && !file->failed)
        file->failed = errno;
    return code || file->failed ? ORDO_E_SYSTEM : ORDO_OK;
}
