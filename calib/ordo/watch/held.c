#include "ordo/watch/held.h"

#include <stdlib.h>

#include "base/error.h"
#include "calibrate/record/publish.h"

static int list_held_cpus(struct held *held, struct ordo_error *error)
{
    size_t most = held->view.cpus_bytes * 8;
    held->cpus = calloc(most, sizeof *held->cpus);
    if (!held->cpus)
        return ordo_error_errno(error, "watch");
    for (size_t cpu = 0; cpu < most; cpu++)
        if (ordo_record_covers(&held->view, cpu))
            held->cpus[held->count++] = (unsigned)cpu;
    return ORDO_OK;
}

static int copy(struct held *held, const char *path, struct ordo_error *error)
{
    const void *map;
    size_t count;
    int code = ordo_record_map(path, &map, &count, error);
    if (code)
        return code;
    held->bytes = malloc(count);
    if (held->bytes)
        memcpy(held->bytes, map, count);
    (void)munmap((void *)(uintptr_t)map, count);
    if (!held->bytes)
        return ordo_error_errno(error, "watch");
    code = ordo_record_parse(held->bytes, count, &held->view);
    return code ? ordo_record_refuse(error, code, 0, path) : ORDO_OK;
}

int held_load(struct held *held, const char *path, struct ordo_error *error)
{
    struct held fresh = {0};
    struct stat info = {0};
    (void)stat(path, &info); /* first, so that the next check notices a file replaced meanwhile */
    fresh.fd = ordo_record_reach(path);
    fresh.within_reach = fresh.fd >= 0;
    int code = copy(&fresh, path, error);
    if (!code)
        code = ordo_record_applies(&fresh.view, error);
    if (code == ORDO_E_CPUS) /* the record may be meant for processes on other CPUs */
        code = ORDO_OK;
    if (!code)
        code = list_held_cpus(&fresh, error);
    if (code) {
        held_drop(&fresh);
        return code;
    }
    fresh.device = info.st_dev;
    fresh.inode = info.st_ino;
    held_drop(held);
    *held = fresh;
    return ORDO_OK;
}

bool held_any(const struct held *held)
{
    return held->bytes != NULL;
}

int held_look(struct held *held, const char *path)
{
    struct ordo_record now;
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? ORDO_E_MISSING : ORDO_E_SYSTEM;
    bool read = fstat(fd, &info) == 0 && pread(fd, &now, sizeof now, 0) == sizeof now;
    (void)close(fd);
    if (!read)
        return ORDO_E_SYSTEM;
    if (info.st_dev != held->device || info.st_ino != held->inode || now.checksum != held->view.head.checksum)
        return ORDO_E_SUPERSEDED;
    held->view.head.seen = now.seen; /* readers use `seen`, which other processes update */
    return now.status == ORDO_RECORD_DISRUPTED ? ORDO_E_DISRUPTED : ORDO_OK;
}

int held_take_fd(struct held *held)
{
    int fd = held->within_reach ? held->fd : -1;
    held->within_reach = false;
    return fd;
}

void held_drop(struct held *held)
{
    if (held->within_reach)
        (void)close(held->fd);
    free(held->bytes);
    free(held->cpus);
    *held = (struct held){0};
}
