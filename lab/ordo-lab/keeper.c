#include "lab/ordo-lab/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOP_MS = 2000 };

/* Writes one line about an error, and ends this process of the sandbox. */
_Noreturn static void give_up(int complaint, const char *format, ...) __attribute__((format(printf, 2, 3)));

_Noreturn static void give_up(int complaint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vdprintf(complaint, format, arguments);
    va_end(arguments);
    (void)dprintf(complaint, "\n");
    _exit(EXIT_FAILURE);
}

/* Lets this process die with its parent, or at once if the parent has ended already. */
static void die_with(pid_t parent, int complaint)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
        give_up(complaint, "the process that started the daemons has ended");
}

static void write_to(const char *path, const char *text, int complaint)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text) || close(file))
        give_up(complaint, "%s: %s", path, strerror(errno));
}

/* Enters new namespaces. A user that is not root becomes root of a user namespace of its own. */
static void enter_namespaces(int complaint)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    char map[64];
    if (unshare(CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | (user ? CLONE_NEWUSER : 0)))
        give_up(complaint, "namespaces are not allowed here: unshare: %s; run as root, or outside of a container",
                strerror(errno));
    if (user == 0)
        return;
    write_to("/proc/self/setgroups", "deny", complaint);
    (void)snprintf(map, sizeof map, "0 %u 1", (unsigned)user);
    write_to("/proc/self/uid_map", map, complaint);
    (void)snprintf(map, sizeof map, "0 %u 1", (unsigned)group);
    write_to("/proc/self/gid_map", map, complaint);
}

static void configure_daemon(const struct sandbox_plan *plan, bool server, int complaint)
{
    const char *path = server ? ORDO_NET_DAEMON_FOLDER "/server.conf" : ORDO_NET_DAEMON_FOLDER "/client.conf";
    FILE *file = fopen(path, "we");
    if (!file)
        give_up(complaint, "%s: %s", path, strerror(errno));
    plan->daemon->configure(file, server, plan->log2_rate);
    if (fclose(file))
        give_up(complaint, "%s: %s", path, strerror(errno));
}

static void make_folder(const struct sandbox_plan *plan, int complaint)
{
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("ordo-lab", "/run", "tmpfs", 0, "mode=755") ||
        mkdir(ORDO_NET_DAEMON_FOLDER, 0755))
        give_up(complaint, "namespaces are not allowed here: a folder of their own in /run: %s", strerror(errno));
    configure_daemon(plan, true, complaint);
    configure_daemon(plan, false, complaint);
}

/* Runs ip(8), and passes on its error messages. */
static void ip(int complaint, const char *const *arguments)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(complaint, STDERR_FILENO);
        (void)execvp("ip", (char *const *)arguments);
        give_up(complaint, "ip: %s: install it, on Debian the package iproute2", strerror(errno));
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        give_up(complaint, "namespaces are not allowed here: ip %s failed", arguments[1]);
}

#define IP(complaint, ...) ip(complaint, (const char *const[]){"ip", __VA_ARGS__, NULL})

static void bring_up(const char *end, const char *address, int complaint)
{
    char with_mask[40];
    (void)snprintf(with_mask, sizeof with_mask, "%s/24", address);
    IP(complaint, "link", "set", "lo", "up");
    IP(complaint, "address", "add", with_mask, "dev", end);
    IP(complaint, "link", "set", end, "up");
}

/* Replaces this process with a daemon that lacks the capability to set a clock. */
_Noreturn static void become(const struct ordo_net_daemon *daemon, const char *const *arguments, int output,
                             int complaint)
{
    const char *all[ORDO_NET_DAEMON_ARGUMENTS + 2] = {daemon->program};
    for (int i = 0; i < ORDO_NET_DAEMON_ARGUMENTS && arguments[i]; i++)
        all[i + 1] = arguments[i];
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (prctl(PR_CAPBSET_DROP, CAP_SYS_TIME) || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        give_up(complaint, "%s: %s", daemon->program, strerror(errno));
    (void)execvp(daemon->program, (char *const *)all);
    give_up(complaint, "%s: %s", daemon->program, strerror(errno));
}

static void wait_for_byte(int pipe, int complaint)
{
    char byte;
    if (read(pipe, &byte, 1) != 1)
        give_up(complaint, "namespaces are not allowed here: the second network was not made");
}

static void send_byte(int pipe, int complaint)
{
    if (write(pipe, "", 1) != 1)
        give_up(complaint, "a pipe: %s", strerror(errno));
}

/* Runs as the client: makes its network, signals this on `made`, waits for its end of the cable, and becomes the
 * daemon. */
_Noreturn static void be_client(const struct sandbox_plan *plan, int made, int joined, const int *pipes)
{
    if (unshare(CLONE_NEWNET))
        give_up(pipes[KEEPER_COMPLAINT], "namespaces are not allowed here: unshare: %s", strerror(errno));
    send_byte(made, pipes[KEEPER_COMPLAINT]);
    wait_for_byte(joined, pipes[KEEPER_COMPLAINT]);
    bring_up(ORDO_NET_DAEMON_CLIENT, ORDO_NET_DAEMON_CLIENT_IP, pipes[KEEPER_COMPLAINT]);
    become(plan->daemon, plan->daemon->client, pipes[KEEPER_REPORT], pipes[KEEPER_COMPLAINT]);
}

static pid_t start_client(const struct sandbox_plan *plan, const int *pipes)
{
    int made[2], joined[2];
    char number[24];
    if (pipe2(made, O_CLOEXEC) || pipe2(joined, O_CLOEXEC))
        give_up(pipes[KEEPER_COMPLAINT], "a pipe: %s", strerror(errno));
    pid_t client = fork();
    if (client == 0) {
        (void)close(made[0]);
        (void)close(joined[1]);
        be_client(plan, made[1], joined[0], pipes);
    }
    (void)close(made[1]);
    (void)close(joined[0]);
    wait_for_byte(made[0], pipes[KEEPER_COMPLAINT]);
    (void)snprintf(number, sizeof number, "%d", (int)client);
    IP(pipes[KEEPER_COMPLAINT], "link", "add", ORDO_NET_DAEMON_SERVER, "type", "veth", "peer", "name",
       ORDO_NET_DAEMON_CLIENT, "netns", number);
    bring_up(ORDO_NET_DAEMON_SERVER, ORDO_NET_DAEMON_SERVER_IP, pipes[KEEPER_COMPLAINT]);
    send_byte(joined[1], pipes[KEEPER_COMPLAINT]);
    return client;
}

static pid_t start_server(const struct sandbox_plan *plan, const int *pipes)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t server = fork();
    if (server == 0)
        become(plan->daemon, plan->daemon->server, nowhere, pipes[KEEPER_COMPLAINT]);
    (void)close(nowhere);
    return server;
}

int64_t keeper_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Waits until a child ends, at most until `until_ms`. Returns the child; 0 if no child has ended. SIGCHLD must be
 * blocked. */
static pid_t child_until(int64_t until_ms)
{
    sigset_t child;
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    for (;;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        int64_t left_ms = until_ms - keeper_now_ms();
        if (ended > 0 || left_ms <= 0)
            return ended > 0 ? ended : 0;
        const struct timespec left = {left_ms / 1000, left_ms % 1000 * 1000000};
        (void)sigtimedwait(&child, NULL, &left);
    }
}

/* Copies the report of a daemon that reports into a file to `report`. Does nothing for a daemon that reports on its
 * output, because its output is `report`. */
static void hand_over(const struct ordo_net_daemon *daemon, int report)
{
    char bytes[4096];
    ssize_t count;
    int file = daemon->report ? open(daemon->report, O_RDONLY | O_CLOEXEC) : -1;
    while (file >= 0 && (count = read(file, bytes, sizeof bytes)) > 0)
        if (write(report, bytes, (size_t)count) != count)
            return;
}

/* Runs as the first process of the namespaces, which end with this process. */
_Noreturn static void be_first(const struct sandbox_plan *plan, const int *pipes)
{
    sigset_t child;
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    make_folder(plan, pipes[KEEPER_COMPLAINT]);
    pid_t client = start_client(plan, pipes), server = start_server(plan, pipes);
    pid_t ended = child_until(keeper_now_ms() + (int64_t)(plan->seconds * 1000));
    if (ended > 0)
        (void)dprintf(pipes[KEEPER_COMPLAINT], "%s ended before its time, as a %s\n", plan->daemon->program,
                      ended == client ? "client" : "server");
    (void)kill(client, SIGTERM);
    (void)kill(server, SIGTERM);
    int64_t until_ms = keeper_now_ms() + STOP_MS;
    for (int left = ended > 0 ? 1 : 2; left > 0 && child_until(until_ms) > 0; left--)
        continue;
    hand_over(plan->daemon, pipes[KEEPER_REPORT]);
    _exit(EXIT_SUCCESS);
}

_Noreturn void keeper_run(const struct sandbox_plan *plan, pid_t parent, const int *pipes)
{
    die_with(parent, pipes[KEEPER_COMPLAINT]);
    enter_namespaces(pipes[KEEPER_COMPLAINT]);
    die_with(parent,
             pipes[KEEPER_COMPLAINT]); /* again, because the change of credentials has cleared the death signal */
    pid_t first = fork();
    if (first == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL))
            give_up(pipes[KEEPER_COMPLAINT], "prctl: %s", strerror(errno));
        be_first(plan, pipes);
    }
    if (first < 0)
        give_up(pipes[KEEPER_COMPLAINT], "namespaces are not allowed here: fork: %s", strerror(errno));
    while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
        continue;
    _exit(EXIT_SUCCESS);
}
