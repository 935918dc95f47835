#include "measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common/child.h"
#include "preload.h"

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double children_cpu_s(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Makes the file of the counts, and maps it. Its path goes into `path`. NULL with errno on failure. */
static struct preload_tally *make_tally(char path[PRELOAD_PATH])
{
    const char *folder = getenv("TMPDIR");
    struct preload_tally *tally = MAP_FAILED;
    if ((size_t)snprintf(path, PRELOAD_PATH, "%s/ordo-run.XXXXXX", folder && *folder == '/' ? folder : "/tmp") >=
        PRELOAD_PATH) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (ftruncate(fd, sizeof *tally) == 0)
        tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const int saved = errno;
    (void)close(fd);
    if (tally == MAP_FAILED) {
        (void)unlink(path);
        errno = saved;
        return NULL;
    }
    tally->magic = PRELOAD_TALLY_MAGIC;
    return tally;
}

/* Adds up the lanes. Processes that are still running may go on counting. */
static void add_lanes(const struct preload_tally *tally, struct run_measured *measured)
{
    measured->processes = __atomic_load_n(&tally->processes, __ATOMIC_RELAXED);
    for (int lane = 0; lane < PRELOAD_LANES; lane++)
        for (int f = 0; f < PRELOAD_FUNCTIONS; f++)
            for (int c = 0; c < PRELOAD_COUNTED; c++)
                measured->count[f][c] += __atomic_load_n(&tally->lanes[lane].count[f][c], __ATOMIC_RELAXED);
}

int run_measure(const char *library, char **words, struct run_measured *measured)
{
    struct preload_settings settings;
    (void)preload_settings_read(NULL, &settings);
    struct preload_tally *tally = make_tally(settings.count);
    *measured = (struct run_measured){0};
    if (!tally)
        return -2;
    if (!preload_into_environment(library, &settings)) {
        const int saved = errno;
        (void)unlink(settings.count);
        errno = saved;
        return -2;
    }
    const double begin = now_s(), cpu = children_cpu_s();
    measured->status = cli_run_child(words);
    const int saved = errno;
    measured->seconds = now_s() - begin;
    measured->cpu_seconds = children_cpu_s() - cpu;
    add_lanes(tally, measured);
    (void)munmap(tally, sizeof *tally);
    (void)unlink(settings.count);
    errno = saved;
    return measured->status < 0 ? -1 : 0;
}

uint64_t run_readings_of(const struct run_measured *measured, int which)
{
    uint64_t sum = 0;
    for (int f = 0; f < PRELOAD_FUNCTIONS; f++)
        sum += measured->count[f][which];
    return sum;
}

struct run_share run_share_of(const struct run_measured *measured, const struct run_cost *cost)
{
    struct run_share share = {0};
    for (int i = 0; i < PRELOAD_CLOCKS; i++) {
        share.kernel_s += (double)run_readings_of(measured, i) * cost->kernel_ns[i] * 1e-9;
        share.counter_s += (double)run_readings_of(measured, i) * cost->counter_ns[i] * 1e-9;
    }
    if (measured->cpu_seconds > 0) {
        share.kernel_part = share.kernel_s / measured->cpu_seconds;
        share.saved_part = cost->served ? (share.kernel_s - share.counter_s) / measured->cpu_seconds : 0;
    }
    return share;
}

const char *run_clock_name(int which)
{
    static const char *const names[PRELOAD_COUNTED] = {"monotonic", "realtime", "boottime", "tai", "raw", "other"};
    return names[which];
}
