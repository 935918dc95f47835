/* Preloaded: the clocks of the simulated machine of world.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

static struct timed_world still;
static const struct timed_world *shared = &still;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void join_world(void)
{
    const char *path = getenv("TIMED_WORLD");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = fd >= 0 ? mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    *(void **)&real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    if (map == MAP_FAILED || !real_gettime)
        abort();
    shared = map;
}

/* Reads the world; between two versions it reads again. */
static struct timed_world world_now(void)
{
    struct timed_world world;
    uint64_t before;
    do {
        before = __atomic_load_n(&shared->version, __ATOMIC_ACQUIRE); /* pairs with change_world */
        world = *shared;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    } while (before & 1 || before != __atomic_load_n(&shared->version, __ATOMIC_RELAXED));
    return world;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    struct timed_world world = world_now();
    int code = real_gettime(clock, now);
    int64_t ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        ns += world.step_ns;
    else if (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE)
        ns -= world.suspended_ns;
    else if (clock == CLOCK_MONOTONIC_RAW)
        ns = timed_world_raw(&world, ns);
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return code;
}
