/* Reads and changes the simulated machine of world.h.
 *
 *     reader begin|drift PPB|step NS|suspend NS      changes $TIMED_WORLD; begin makes it
 *     reader read PAGE READINGS EVERY-US             reads the page, and compares each reading with the truth
 *     reader ahead NS COMMAND...                     runs the command in a time namespace, where CLOCK_MONOTONIC and
 *                                                          CLOCK_BOOTTIME are NS ahead
 *     reader enter PAGE                              opens the page, enters such a namespace, and reads: no reading may
 *                                                          be known and wrong
 *     reader cached PAGE                             makes a page of the counter, and suspends this machine: each next
 *                                                          reading must be unknown
 *
 * `read` prints the counts, and exits with 1 if a reading did not contain the truth. It runs until it has made
 * the readings whose time was known. */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ordo/now.h>

#include "net/timed/page.h"
#include "world.h"

#if !defined CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

static int64_t true_ns(clockid_t clock)
{
    struct timespec now = {0};
    (void)syscall(SYS_clock_gettime, clock, &now); /* not the machine's */
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int change_world(const char *what, int64_t value)
{
    int fd = open(getenv("TIMED_WORLD"), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    struct timed_world *world;
    if (fd < 0 || ftruncate(fd, sizeof *world))
        return 70;
    world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (world == MAP_FAILED)
        return 70;
    /* Release, pairs with world_now: the members are those of the new version. */
    __atomic_store_n(&world->version, world->version + 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    int64_t real_ns = true_ns(CLOCK_MONOTONIC_RAW);
    int64_t raw_ns = strcmp(what, "begin") == 0 ? real_ns : timed_world_raw(world, real_ns);
    world->base_ns = raw_ns;
    world->from_ns = real_ns;
    if (strcmp(what, "drift") == 0)
        world->ppb = value;
    if (strcmp(what, "step") == 0)
        world->step_ns += value;
    if (strcmp(what, "suspend") == 0) { /* the last `value` ns were a suspend: the machine's programs stood still */
        world->suspended_ns += value;
        world->base_ns -= value;
    }
    __atomic_store_n(&world->version, world->version + 1, __ATOMIC_RELEASE); /* pairs with world_now */
    return 0;
}

struct counts {
    long known, unknown, outside, statuses[8];
    int64_t widest_ns;
};

static void check_reading(const struct ordo_now_handle *h, struct counts *counts)
{
    int64_t before_ns = true_ns(CLOCK_MONOTONIC), after_ns;
    struct ordo_now_interval now = ordo_now(h);
    after_ns = true_ns(CLOCK_MONOTONIC);
    counts->statuses[now.status & 7]++;
    if (now.status != ORDO_NOW_VALID && now.status != ORDO_NOW_SUPERSEDED) {
        counts->unknown++;
        return;
    }
    counts->known++;
    if (now.latest_ns - now.earliest_ns > counts->widest_ns)
        counts->widest_ns = now.latest_ns - now.earliest_ns;
    if (before_ns <= now.latest_ns && now.earliest_ns <= after_ns)
        return;
    if (counts->outside++ < 5)
        printf("outside: truth [%" PRId64 ", %" PRId64 "], page %" PRId64 " ns later, %" PRId64
               " ns earlier, slot %" PRIu64 " of file %" PRIu64 "\n",
               before_ns, after_ns, now.earliest_ns - after_ns, before_ns - now.latest_ns, h->head->count,
               h->generation);
}

static int read_page(const char *page, long readings, long every_us)
{
    struct ordo_now_handle h = {0};
    struct counts counts = {0};
    struct timespec pause = {every_us / 1000000, every_us % 1000000 * 1000};
    while (counts.known < readings) {
        for (int i = 0; i < 16; i++)
            check_reading(&h, &counts);
        if (ordo_now(&h).status != ORDO_NOW_VALID && ordo_now_refresh(&h, page, NULL))
            (void)poll(NULL, 0, 1);
        if (every_us)
            (void)nanosleep(&pause, NULL);
    }
    printf("readings %ld, outside %ld, unknown %ld, widest %.3f ms;", counts.known, counts.outside, counts.unknown,
           1e-6 * (double)counts.widest_ns);
    for (int i = 0; i < 7; i++)
        printf(" %s %ld", ordo_now_word(i), counts.statuses[i]);
    printf("\n");
    ordo_now_close(&h);
    return counts.outside > 0;
}

/* Makes a time namespace for children whose clocks are `ns` ahead. */
static int make_namespace(int64_t ns)
{
    FILE *offsets;
    if (unshare(CLONE_NEWTIME) || !(offsets = fopen("/proc/self/timens_offsets", "we")))
        return perror("time namespace"), 77;
    int64_t seconds = ns / 1000000000 - (ns % 1000000000 < 0), rest = ns - seconds * 1000000000;
    fprintf(offsets, "monotonic %" PRId64 " %" PRId64 "\nboottime %" PRId64 " %" PRId64 "\n", seconds, rest, seconds,
            rest);
    return fclose(offsets) ? 77 : 0;
}

static int run_ahead(int64_t ns, char **command)
{
    int status = make_namespace(ns);
    if (status)
        return status;
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)execvp(command[0], command);
        _exit(127);
    }
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}

/* The child of a program that holds the page enters other namespaces: forwards, back, and by less than a tick. */
static int enter_namespaces(const char *page)
{
    static const int64_t ahead_ns[] = {3000000000, 137, 1000, 4000000, 1000000000000};
    struct ordo_now_handle h;
    struct ordo_error error;
    struct counts counts = {0};
    int status;
    if (ordo_now_open(&h, page, &error))
        return fprintf(stderr, "%s\n", error.text), 70;
    for (size_t i = 0; i < sizeof ahead_ns / sizeof *ahead_ns; i++) {
        check_reading(&h, &counts);
        pid_t child = fork(); /* only a process without threads can enter */
        if (child == 0) {
            if (make_namespace(ahead_ns[i]))
                _exit(77);
            pid_t inside = fork();
            if (inside == 0) {
                struct ordo_now_interval now = ordo_now(&h);
                printf("%" PRId64 " ns ahead: %s\n", ahead_ns[i], ordo_now_word(now.status));
                (void)fflush(stdout);
                _exit(now.earliest_ns != INT64_MIN || now.latest_ns != INT64_MAX);
            }
            (void)waitpid(inside, &status, 0);
            _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 70);
        }
        (void)waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
    }
    return counts.outside > 0 || counts.known == 0;
}

/* Adds a slot that matches the machine's clocks now. */
static int add_slot(struct ordo_timed_page *page, const struct ordo_timed_clock *clock, bool anew)
{
    struct ordo_error error;
    struct ordo_now_slot slot = {.anchor_ticks = ordo_timed_clock_ticks(clock), .rate = 1, .sources = 1};
    slot.void_ticks = slot.anchor_ticks + 3600 * clock->tick_hz;
    return ordo_timed_wall_read(clock, &slot.wall_ns) ? ordo_timed_page_add(page, clock, "", &slot, anew, &error) : -1;
}

/* Tests the remembered tick [T2], which only a page of the counter uses. */
static int test_cached(const char *path)
{
    static struct ordo_timed_clock clock = {
        .id = ORDO_CLOCK_ID, .tick_hz = 1000000000, .tick_ns_32 = UINT64_C(1) << 32};
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    struct ordo_error error;
    int wrong = 0;
    memset(clock.cpus, 0xff, sizeof clock.cpus);
    if (ordo_timed_page_open(&page, path, 4096, &error) || add_slot(&page, &clock, true) ||
        ordo_now_open(&h, path, &error))
        return fprintf(stderr, "%s\n", error.text), 70;
    for (int i = 0; i < 1000 && !wrong; i++) {
        for (int k = 0; k < i % 7; k++) /* remembers a tick, or not */
            wrong += ordo_now(&h).status != ORDO_NOW_VALID;
        (void)change_world("suspend", 1 + i * 1000);
        wrong += ordo_now(&h).status != ORDO_NOW_MOVED;
        wrong += add_slot(&page, &clock, false) != 0 || ordo_now(&h).status != ORDO_NOW_VALID;
    }
    ordo_now_close(&h);
    ordo_timed_page_close(&page);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "read") == 0)
        return read_page(argv[2], atol(argv[3]), atol(argv[4]));
    if (argc > 3 && strcmp(argv[1], "ahead") == 0)
        return run_ahead(atoll(argv[2]), argv + 3);
    if (argc == 3 && strcmp(argv[1], "enter") == 0)
        return enter_namespaces(argv[2]);
    if (argc == 3 && strcmp(argv[1], "cached") == 0)
        return test_cached(argv[2]);
    if (argc == 2 || argc == 3)
        return change_world(argv[1], argc == 3 ? atoll(argv[2]) : 0);
    return 64;
}
