/* Reads and changes the simulated machine of timed_world.h.
 *
 *     timed-reader begin|drift PPB|step NS|suspend NS      changes $TIMED_WORLD; begin makes it
 *     timed-reader read PAGE READINGS EVERY-US             reads the page, and compares each reading with the truth
 *     timed-reader moved PAGE                              exits with 0 if a reading says MOVED
 *
 * `read` prints the counts, and exits with 1 if a reading did not contain the truth. It runs until it has made
 * the readings whose time was known. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ordo/now.h>

#include "timed_world.h"

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
    struct ordo_now now = ordo_now(h);
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

/* Opens the page, waits for a line of stdin, and reads once. */
static int expect_moved(const char *page)
{
    struct ordo_now_handle h;
    struct ordo_error error;
    if (ordo_now_open(&h, page, &error))
        return fprintf(stderr, "%s\n", error.text), 70;
    puts("open");
    (void)fflush(stdout);
    (void)getchar();
    struct ordo_now now = ordo_now(&h);
    printf("%s\n", ordo_now_word(now.status));
    return now.status != ORDO_NOW_MOVED;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "read") == 0)
        return read_page(argv[2], atol(argv[3]), atol(argv[4]));
    if (argc == 3 && strcmp(argv[1], "moved") == 0)
        return expect_moved(argv[2]);
    if (argc == 2 || argc == 3)
        return change_world(argv[1], argc == 3 ? atoll(argv[2]) : 0);
    return 64;
}
