/* The kernel's clocks, naps, and other system calls of the program, in virtual time. */
#include "lab/cores/wrap/time.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab/cores/run/place.h"
#include "lab/cores/run/schedule.h"

#define PS_PER_S UINT64_C(1000000000000)
#define BEGIN_S 1000             /* first value of the clocks */
#define TICK_PS (PS_PER_S / 250) /* of the coarse clocks */

enum { POW_INSTRUCTIONS = 100 };

static unsigned hurry = 1;

int hooked_clock_gettime(clockid_t clock, struct timespec *now);
int hooked_nanosleep(const struct timespec *nap, struct timespec *left);
int hooked_clock_nanosleep(clockid_t clock, int flags, const struct timespec *nap, struct timespec *left);
int hooked_select(int count, fd_set *reads, fd_set *writes, fd_set *exceptions, struct timeval *nap);
int hooked_poll(struct pollfd *files, nfds_t count, int nap_ms);
int hooked_sched_yield(void);
double hooked_pow(double base, double exponent);
long hooked_syscall(long number, ...);
FILE *hooked_fopen(const char *path, const char *mode);

uint64_t cores_time_ps(const struct timespec *time)
{
    return time->tv_sec < BEGIN_S ? 0 : (uint64_t)(time->tv_sec - BEGIN_S) * PS_PER_S + (uint64_t)time->tv_nsec * 1000;
}

void cores_time_hurry(unsigned divisor)
{
    hurry = divisor;
}

int hooked_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!cores.cpu)
        return clock_gettime(clock, now);
    if (clock == CLOCK_THREAD_CPUTIME_ID)
        cores_place_measure();
    bool coarse = clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
    cores_drain(false);
    cores_spend(coarse ? 0 : 2 * cores.machine->clock_ps);
    cores_turn(cores.cpu->front_ps);
    uint64_t ps = cores.cpu->front_ps;
    if (coarse)
        ps -= ps % TICK_PS;
    *now = (struct timespec){.tv_sec = BEGIN_S + (time_t)(ps / PS_PER_S), .tv_nsec = (long)(ps % PS_PER_S / 1000)};
    return 0;
}

int hooked_nanosleep(const struct timespec *nap, struct timespec *left)
{
    (void)left;
    uint64_t ps = (uint64_t)nap->tv_sec * PS_PER_S + (uint64_t)nap->tv_nsec * 1000;
    cores_spend(cores.machine->call_ps);
    cores_sleep_until(cores.cpu->front_ps + ps / hurry);
    return 0;
}

int hooked_clock_nanosleep(clockid_t clock, int flags, const struct timespec *nap, struct timespec *left)
{
    (void)clock;
    if (!(flags & TIMER_ABSTIME))
        return hooked_nanosleep(nap, left);
    cores_spend(cores.machine->call_ps);
    cores_sleep_until(cores_time_ps(nap));
    return 0;
}

int hooked_sched_yield(void)
{
    cores_spend(cores.machine->call_ps);
    cores_yield();
    return 0;
}

/* The programs select and poll without files, as naps. */
int hooked_select(int count, fd_set *reads, fd_set *writes, fd_set *exceptions, struct timeval *nap)
{
    if (count || !cores.cpu)
        return select(count, reads, writes, exceptions, nap);
    struct timespec time = {nap->tv_sec, nap->tv_usec * 1000};
    return hooked_nanosleep(&time, NULL);
}

int hooked_poll(struct pollfd *files, nfds_t count, int nap_ms)
{
    if (count || nap_ms < 0 || !cores.cpu)
        return poll(files, count, nap_ms);
    struct timespec time = {nap_ms / 1000, nap_ms % 1000 * 1000000L};
    return hooked_nanosleep(&time, NULL);
}

/* Draws of skewed keys call pow; the C library's own code has no hooks. */
double hooked_pow(double base, double exponent)
{
    if (cores.cpu)
        cores_spend(POW_INSTRUCTIONS * cores.instruction_ps);
    return pow(base, exponent);
}

static long membarrier_call(int command)
{
    cores_spend(cores.machine->call_ps);
    if (command == MEMBARRIER_CMD_PRIVATE_EXPEDITED || command == MEMBARRIER_CMD_GLOBAL)
        cores_fence_all();
    return command == MEMBARRIER_CMD_QUERY ? MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_GLOBAL : 0;
}

long hooked_syscall(long number, ...)
{
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_membarrier && cores.cpu)
        return membarrier_call((int)arguments[0]);
    return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

/* The kernel's accounts of the running thread and of the CPUs are not those of the simulated machine. */
FILE *hooked_fopen(const char *path, const char *mode)
{
    if (cores.cpu && strncmp(path, "/proc/", strlen("/proc/")) == 0) {
        errno = ENOENT;
        return NULL;
    }
    return fopen(path, mode);
}
