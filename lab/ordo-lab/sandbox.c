#include "lab/ordo-lab/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/ordo-lab/keeper.h"

enum { TEXT = 400, LATE_MS = 8000 };

/* Passes complete lines on. Keeps the bytes after the last newline, and returns their number. */
static size_t cut_lines(char *text, size_t bytes, sandbox_line *line, void *context)
{
    char *begin = text, *end;
    while ((end = memchr(begin, '\n', bytes - (size_t)(begin - text)))) {
        *end = '\0';
        line(context, begin);
        begin = end + 1;
    }
    size_t left = bytes - (size_t)(begin - text);
    memmove(text, begin, left);
    return left;
}

/* Reads the report to its end. Returns false if the report has not ended by `until_ms`. */
static bool read_report(int report, int64_t until_ms, sandbox_line *line, void *context)
{
    char text[4096];
    size_t bytes = 0;
    for (;;) {
        struct pollfd ready = {.fd = report, .events = POLLIN};
        int64_t left_ms = until_ms - keeper_now_ms();
        if (left_ms <= 0)
            return false;
        if (poll(&ready, 1, (int)left_ms) <= 0)
            continue;
        ssize_t count = read(report, text + bytes, sizeof text - bytes);
        if (count <= 0)
            return true;
        bytes = cut_lines(text, bytes + (size_t)count, line, context);
        bytes = bytes == sizeof text ? 0 : bytes; /* drop a line that is too long to be a report */
    }
}

static int judge_daemon(int complaint, bool ended, const struct ordo_net_daemon *daemon, struct ordo_error *error)
{
    char text[TEXT];
    ssize_t count = ended ? read(complaint, text, sizeof text - 1) : 0;
    if (!ended)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s did not end in time, and was killed", daemon->program);
    if (count <= 0)
        return ORDO_OK;
    text[count - 1] = '\0'; /* every message ends with a newline; remove the last newline */
    for (char *newline; (newline = strchr(text, '\n'));)
        *newline = ';';
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s", text);
}

/* True if a program is in a folder of PATH. widen_path has added the folders of daemons, which are not in the PATH of
 * users. */
static bool is_here(const char *program)
{
    char path[4096], name[4400];
    (void)snprintf(path, sizeof path, "%s", getenv("PATH"));
    for (char *rest = path, *folder; (folder = strsep(&rest, ":"));) {
        (void)snprintf(name, sizeof name, "%s/%s", folder, program);
        if (access(name, X_OK) == 0)
            return true;
    }
    return false;
}

static int look_for(const char *program, const char *package, struct ordo_error *error)
{
    if (is_here(program))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MISSING, ENOENT, "%s: not found: install it, on Debian the package %s", program,
                          package);
}

static int widen_path(struct ordo_error *error)
{
    char path[4096];
    const char *now = getenv("PATH");
    (void)snprintf(path, sizeof path, "%s%s/usr/sbin:/sbin", now ? now : "", now && *now ? ":" : "");
    return setenv("PATH", path, 1) ? ordo_error_errno(error, "PATH") : ORDO_OK;
}

static int start_keeper(const struct sandbox_plan *plan, int *report, int *complaint, pid_t *keeper,
                        struct ordo_error *error)
{
    int reports[2], complaints[2];
    pid_t own = getpid();
    if (pipe2(reports, O_CLOEXEC))
        return ordo_error_errno(error, "a pipe");
    if (pipe2(complaints, O_CLOEXEC)) {
        (void)close(reports[0]);
        (void)close(reports[1]);
        return ordo_error_errno(error, "a pipe");
    }
    *keeper = fork();
    if (*keeper == 0)
        keeper_run(plan, own, (const int[KEEPER_PIPES]){reports[1], complaints[1]});
    (void)close(reports[1]);
    (void)close(complaints[1]);
    *report = reports[0];
    *complaint = complaints[0];
    if (*keeper > 0)
        return ORDO_OK;
    (void)close(*report);
    (void)close(*complaint);
    return ordo_error_errno(error, "a process");
}

int sandbox_run(const struct sandbox_plan *plan, sandbox_line *line, void *context, struct ordo_error *error)
{
    int report = -1, complaint = -1;
    pid_t keeper = -1;
    int code = widen_path(error);
    code = code ? code : look_for("ip", "iproute2", error);
    code = code ? code : look_for(plan->daemon->program, plan->daemon->package, error);
    code = code ? code : start_keeper(plan, &report, &complaint, &keeper, error);
    if (code)
        return code;
    bool ended = read_report(report, keeper_now_ms() + (int64_t)(plan->seconds * 1000) + LATE_MS, line, context);
    (void)kill(keeper, SIGKILL); /* the keeper has ended, or must end now */
    (void)waitpid(keeper, NULL, 0);
    code = judge_daemon(complaint, ended, plan->daemon, error);
    (void)close(report);
    (void)close(complaint);
    return code;
}
