/* A program whose readings of the clock are known, for tests of `ordo run`. It is compiled for glibc, for musl and
 * statically, so it uses only functions that all of them have.
 *
 *     run-reads count N        reads each of five clocks N times, and gettimeofday and timespec_get
 *     run-reads monotone MS    reads in a thread, a forked child, a signal handler, and across all; 0: no reading is smaller
 *     run-reads within MS      reads in two threads; 0: no reading is smaller than an earlier one of the same thread
 *     run-reads same MS        compares with the kernel's own answer; prints the largest difference in ns
 *     run-reads served         prints if the preload is loaded, and if it serves
 *     run-reads errors         unknown ids, NULL: prints results and errno
 *     run-reads until FILE     reads until FILE exists; exit 0: readings were served before, and are not 1 ms after it
 *     run-reads again FILE     reads until FILE exists; exit 0: readings were served before, and are within 20 s after it */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preload/vdso.h"

static const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI};
enum { IDS = sizeof ids / sizeof *ids };

static int64_t ns_of(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static int64_t read_ns(clockid_t id)
{
    struct timespec time;
    return clock_gettime(id, &time) == 0 ? ns_of(&time) : -1;
}

/* The kernel's own answer, from the vDSO: faster than a system call, so that the differences of served readings show. */
static int64_t kernel_ns(clockid_t id)
{
    static int (*vdso)(clockid_t, struct timespec *);
    struct timespec time;
    if (!vdso) {
        const void *found = preload_vdso_find((const void *)getauxval(AT_SYSINFO_EHDR), "__vdso_clock_gettime");
        memcpy(&vdso, &found, sizeof found);
    }
    if (vdso ? vdso(id, &time) != 0 : syscall(SYS_clock_gettime, id, &time) != 0)
        return -1;
    return ns_of(&time);
}

static int count(long n)
{
    struct timeval day;
    struct timespec time;
    for (long i = 0; i < n; i++) {
        for (int c = 0; c < IDS; c++)
            (void)read_ns(ids[c]);
        (void)gettimeofday(&day, NULL);
        (void)timespec_get(&time, TIME_UTC);
        (void)read_ns(CLOCK_PROCESS_CPUTIME_ID);
    }
    return 0;
}

static _Atomic int64_t largest;
static _Atomic int smaller, over;

/* Reads once. The largest reading before it must not be larger. */
static void read_once(void)
{
    int64_t before = atomic_load(&largest);
    const int64_t ns = read_ns(CLOCK_MONOTONIC);
    if (ns < before)
        atomic_store(&smaller, 1);
    while (before < ns && !atomic_compare_exchange_weak(&largest, &before, ns)) {
    }
}

static void on_alarm(int number)
{
    (void)number;
    for (int i = 0; i < 50; i++)
        read_once();
}

static void *read_all(void *unused)
{
    while (!atomic_load(&over))
        read_once();
    return unused;
}

/* A child of a fork begins with the line of its parent. */
static void read_in_child(int vforked)
{
    const int64_t before = read_ns(CLOCK_MONOTONIC);
    int status;
    const pid_t pid = vforked ? vfork() : fork();
    if (pid == 0) {
        int64_t last = before;
        for (int i = 0; i < (vforked ? 3 : 20000); i++) {
            const int64_t ns = read_ns(CLOCK_MONOTONIC);
            if (ns < last)
                _exit(1);
            last = ns;
        }
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        atomic_store(&smaller, 2);
}

static int monotone(long ms)
{
    pthread_t threads[3];
    struct itimerval often = {{0, 700}, {0, 700}};
    const int64_t end = kernel_ns(CLOCK_MONOTONIC) + ms * 1000000;
    (void)signal(SIGALRM, on_alarm);
    (void)setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, read_all, NULL) != 0)
            return 70;
    for (int i = 0; kernel_ns(CLOCK_MONOTONIC) < end; i++) {
        read_in_child(i % 2);
        for (int j = 0; j < 1000; j++)
            read_once();
    }
    atomic_store(&over, 1);
    for (int i = 0; i < 3; i++)
        (void)pthread_join(threads[i], NULL);
    printf("%s\n", smaller == 0 ? "monotone" : smaller == 1 ? "smaller" : "smaller in a child");
    return smaller != 0;
}

static void *read_own(void *until)
{
    static const char back;
    int64_t last[IDS] = {0};
    while (kernel_ns(CLOCK_MONOTONIC) < *(int64_t *)until)
        for (int i = 0; i < 1000; i++) {
            const int c = i % 2 ? 0 : i / 2 % 2 ? 2 : 3; /* not those that can be set */
            const int64_t ns = read_ns(ids[c]);
            if (ns < last[c])
                return (void *)&back;
            last[c] = ns;
        }
    return NULL;
}

/* The promise of the order `durations`. */
static int within(long ms)
{
    int64_t until_ns = kernel_ns(CLOCK_MONOTONIC) + ms * 1000000;
    pthread_t thread;
    void *other;
    if (pthread_create(&thread, NULL, read_own, &until_ns) != 0)
        return 70;
    const void *own = read_own(&until_ns);
    (void)pthread_join(thread, &other);
    printf("%s\n", own || other ? "smaller" : "monotone");
    return own || other;
}

/* gettimeofday with a time zone is not less than one without that ended before. */
static int zones(long count)
{
    struct timeval without, with;
    struct timezone zone;
    long back = 0;
    for (long i = 0; i < count; i++) {
        (void)gettimeofday(&without, NULL);
        (void)gettimeofday(&with, &zone);
        back += with.tv_sec < without.tv_sec || (with.tv_sec == without.tv_sec && with.tv_usec < without.tv_usec);
    }
    printf("%ld back\n", back);
    return back != 0;
}

/* The difference of a reading from the kernel's two answers around it. */
static int64_t difference(clockid_t id)
{
    const int64_t low = kernel_ns(id), ns = read_ns(id), high = kernel_ns(id);
    return ns < low ? ns - low : ns > high ? ns - high : 0;
}

static int same(long ms)
{
    int64_t most[IDS] = {0};
    const int64_t end = kernel_ns(CLOCK_MONOTONIC) + ms * 1000000;
    while (kernel_ns(CLOCK_MONOTONIC) < end)
        for (int c = 0; c < IDS; c++) {
            const int64_t d = llabs(difference(ids[c]));
            if (d > most[c])
                most[c] = d;
        }
    for (int c = 0; c < IDS; c++)
        printf("%d %lld\n", (int)ids[c], (long long)most[c]);
    return 0;
}

/* Of the preload: the number of lines that were made; it grows while readings are served. */
extern uint64_t ordo_clock_lines(void) __attribute__((weak));

static uint64_t lines_made(void)
{
    return ordo_clock_lines ? ordo_clock_lines() : 0;
}

/* Reads for a while. Returns the number of lines that were made meanwhile. */
static uint64_t read_for(int64_t ns)
{
    const int64_t end = kernel_ns(CLOCK_MONOTONIC) + ns;
    const uint64_t before = lines_made();
    while (kernel_ns(CLOCK_MONOTONIC) < end)
        (void)read_ns(CLOCK_MONOTONIC);
    return lines_made() - before;
}

/* Before FILE exists, readings are served. A millisecond after that, no line is made any more. */
static int until(const char *file)
{
    uint64_t first = 0;
    while (access(file, F_OK) != 0)
        first += read_for(1000000);
    (void)read_for(1000000);
    const uint64_t then = read_for(50000000);
    printf("%d lines, then %d\n", (int)first, (int)then);
    return first == 0 ? 2 : then != 0;
}

static int again(const char *file)
{
    uint64_t first = 0, then = 0;
    while (access(file, F_OK) != 0)
        first += read_for(1000000);
    for (int i = 0; i < 20000 && then == 0; i++)
        then = read_for(1000000);
    printf("%d lines, then %d\n", (int)first, (int)then);
    return first == 0 ? 2 : then == 0;
}

static int served(void)
{
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, "libordo-clock.so") != NULL;
    printf("%s, %s\n", found ? "loaded" : "not loaded", read_for(20000000) > 1 ? "served" : "the kernel's");
    return 0;
}

static void print_result(const char *what, int result)
{
    printf("%s %d %s\n", what, result, result ? strerror(errno) : "");
}

static int errors(void)
{
    struct timespec time;
    struct timeval day;
    struct timezone zone;
    struct timeval *volatile none = NULL; /* the header of glibc allows no NULL */
    errno = 0;
    print_result("unknown", clock_gettime(99, &time));
    print_result("negative", clock_gettime(-77, &time));
    print_result("coarse", clock_gettime(CLOCK_MONOTONIC_COARSE, &time));
    print_result("cpu", clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time));
    print_result("zone", gettimeofday(&day, &zone));
    print_result("no time", gettimeofday(none, NULL));
    printf("base %d %d\n", timespec_get(&time, TIME_UTC), timespec_get(&time, 77));
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *value = argc > 2 ? argv[2] : "0";
    if (strcmp(what, "count") == 0)
        return count(atol(value));
    if (strcmp(what, "monotone") == 0)
        return monotone(atol(value));
    if (strcmp(what, "within") == 0)
        return within(atol(value));
    if (strcmp(what, "zones") == 0)
        return zones(atol(value));
    if (strcmp(what, "same") == 0)
        return same(atol(value));
    if (strcmp(what, "until") == 0)
        return until(value);
    if (strcmp(what, "again") == 0)
        return again(value);
    if (strcmp(what, "served") == 0)
        return served();
    return strcmp(what, "errors") == 0 ? errors() : 64;
}
