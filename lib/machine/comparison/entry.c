/* Finds whether a reading enters the kernel, without a guess from its cost. A filter traps the system calls that read
 * clocks, for one thread, and each trap sends a signal to that thread. The filter ends with the thread. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "machine/comparison/cost.h"

const char *ordo_entry_name(enum ordo_entry entry)
{
    static const char *const names[] = {NULL, "user", "system"};
    return names[entry];
}

struct watched {
    const struct ordo_clock_source *const *sources;
    int count;
    enum ordo_entry *entries;
};

static volatile sig_atomic_t traps;

static void on_trap(int signal)
{
    (void)signal;
    traps = 1; /* the trapped call is not made, and its result does not matter */
}

#define TRAP(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)

static int install(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_clock_gettime
        TRAP(SYS_clock_gettime),
#endif
#ifdef SYS_gettimeofday
        TRAP(SYS_gettimeofday),
#endif
#ifdef SYS_time
        TRAP(SYS_time),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void *watch(void *argument)
{
    struct watched *watched = argument;
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGSYS);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    if (install() != 0)
        return NULL;
    for (int i = 0; i < watched->count; i++) {
        traps = 0;
        (void)ordo_clock_source_call(watched->sources[i]);
        watched->entries[i] = traps ? ORDO_ENTRY_SYSTEM : ORDO_ENTRY_USER;
    }
    return NULL;
}

void ordo_clock_entries(const struct ordo_clock_source *const *sources, int count, enum ordo_entry *entries)
{
    struct sigaction action = {.sa_handler = on_trap}, before;
    struct watched watched = {sources, count, entries};
    pthread_t thread;
    for (int i = 0; i < count; i++)
        entries[i] = ORDO_ENTRY_UNKNOWN;
    if (sigaction(SIGSYS, &action, &before) != 0)
        return;
    if (pthread_create(&thread, NULL, watch, &watched) == 0)
        (void)pthread_join(thread, NULL);
    (void)sigaction(SIGSYS, &before, NULL);
}
