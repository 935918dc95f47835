#include "trace/otf2/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, BUFFER = 1 << 21, PIPE = 1 << 20 };

/* Sends everything that was put into the buffer. Ends the process if there is no receiver. */
static void flush(struct ordo_process_out *out)
{
    for (size_t at = 0; at < out->filled;) {
        ssize_t put = write(out->fd, out->buffer + at, out->filled - at);
        if (put < 0 && errno != EINTR)
            _exit(1);
        at += put > 0 ? (size_t)put : 0;
    }
    out->filled = 0;
}

static void append(struct ordo_process_out *out, const char *bytes, size_t count)
{
    while (count > 0) { /* `bytes` may be NULL if there are none */
        size_t room = sizeof out->buffer - out->filled, part = count < room ? count : room;
        memcpy(out->buffer + out->filled, bytes, part);
        out->filled += part;
        bytes += part;
        count -= part;
        if (out->filled == sizeof out->buffer)
            flush(out);
    }
}

void ordo_process_send(struct ordo_process_out *out, uint32_t kind, const void *first, size_t first_bytes,
                       const void *second, size_t second_bytes)
{
    static const char zeros[8];
    struct ordo_process_head head = {kind, (uint32_t)(first_bytes + second_bytes)};
    append(out, (const char *)&head, sizeof head);
    append(out, first, first_bytes);
    append(out, second, second_bytes);
    append(out, zeros, -(first_bytes + second_bytes) & 7);
}

void ordo_process_tell(struct ordo_process_out *out, uint32_t kind)
{
    ordo_process_send(out, kind, NULL, 0, NULL, 0);
    flush(out);
}

/* The libraries print to stderr, and a crash would leave a core. Files are many: an archive has two for each location.
 */
static void prepare(pid_t parent)
{
    struct rlimit files;
    const struct rlimit no_core = {0, 0};
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    for (int fd = 0; nowhere >= 0 && fd <= 2; fd++)
        (void)dup2(nowhere, fd);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

void ordo_process_limit(uint64_t bytes)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    struct rlimit data;
    if (getrlimit(RLIMIT_DATA, &data) != 0)
        return;
    data.rlim_cur = bytes < all ? bytes : all;
    data.rlim_cur = data.rlim_cur < data.rlim_max ? data.rlim_cur : data.rlim_max;
    (void)setrlimit(RLIMIT_DATA, &data);
#else
    (void)bytes;
#endif
}

static void work_apart(int fd, pid_t parent, ordo_process_work *work, const void *context)
{
    static struct ordo_process_out out;
    prepare(parent);
    out.fd = fd;
    out.filled = 0;
    ordo_process_limit(UINT64_MAX);
    work(&out, context);
    flush(&out);
    _exit(0);
}

int ordo_process_start(struct ordo_process *process, ordo_process_work *work, const void *context,
                       struct ordo_error *error)
{
    int ends[2];
    pid_t parent = getpid();
    *process = (struct ordo_process){.buffer = malloc(BUFFER)};
    if (!process->buffer || pipe2(ends, O_CLOEXEC) != 0) {
        free(process->buffer);
        return ordo_error_errno(error, "a process to read with");
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE);
    process->pid = fork();
    if (process->pid == 0)
        work_apart(ends[1], parent, work, context);
    (void)close(ends[1]);
    process->fd = ends[0];
    if (process->pid > 0)
        return ORDO_OK;
    (void)ordo_error_errno(error, "a process to read with");
    process->pid = 0;
    ordo_process_stop(process);
    return ORDO_E_SYSTEM;
}

/* Waits for the end of the process. Returns its status. */
static int reap(struct ordo_process *process)
{
    int status = 0;
    while (process->pid > 0 && waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        ;
    process->pid = 0;
    return status;
}

void ordo_process_stop(struct ordo_process *process)
{
    if (!process->buffer)
        return;
    if (process->pid > 0)
        (void)kill(process->pid, SIGKILL);
    (void)reap(process);
    (void)close(process->fd);
    free(process->buffer);
    process->buffer = NULL;
}

static int gone(struct ordo_process *process, const char *object, struct ordo_error *error)
{
    int status = reap(process);
    if (WIFSIGNALED(status))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%s: the OTF2 library died of it (%s): a file is damaged: write the archive again",
                              object, strsignal(WTERMSIG(status)));
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: the OTF2 library gave up: write the archive again", object);
}

/* Reads from the pipe until there are `bytes` bytes. Returns 1, or a negative code. */
static int need(struct ordo_process *process, const char *object, size_t bytes, struct ordo_error *error)
{
    if (process->filled - process->at >= bytes)
        return 1;
    memmove(process->buffer, process->buffer + process->at, process->filled - process->at);
    process->filled -= process->at;
    process->at = 0;
    while (process->filled < bytes) {
        struct pollfd ready = {process->fd, POLLIN, 0};
        int polled = poll(&ready, 1, PATIENCE_MS);
        if (polled == 0)
            return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                                  "%s: the OTF2 library has not answered for a minute: write the archive again",
                                  object);
        ssize_t got = polled < 0 ? -1 : read(process->fd, process->buffer + process->filled, BUFFER - process->filled);
        if (got == 0)
            return gone(process, object, error);
        if (got < 0 && errno != EINTR)
            return ordo_error_errno(error, "%s", object);
        process->filled += got > 0 ? (size_t)got : 0;
    }
    return 1;
}

int ordo_process_receive(struct ordo_process *process, const char *object, struct ordo_process_head *head,
                         const char **bytes, struct ordo_error *error)
{
    int code = need(process, object, sizeof *head, error);
    if (code != 1)
        return code;
    memcpy(head, process->buffer + process->at, sizeof *head);
    if (head->bytes > ORDO_PROCESS_RECORD_MOST)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: has a record of %u bytes: write it again", object,
                              head->bytes);
    size_t size = sizeof *head + ((head->bytes + (size_t)7) & ~(size_t)7);
    code = need(process, object, size, error);
    if (code != 1)
        return code;
    *bytes = process->buffer + process->at + sizeof *head;
    process->at += size;
    return 1;
}
