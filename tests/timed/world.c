/* Preloaded: the clocks of the simulated machine of world.h. In every second period of SWING_NS the monotonic clock is
 * $TIMED_SWING nanoseconds ahead, if that is set: the clock of a reference that contradicts itself. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

enum { SWING_NS = 60000000 };

static struct timed_world still;
static const struct timed_world *shared = &still;
static int (*real_gettime)(clockid_t, struct timespec *);
static int64_t swing_ns;

__attribute__((constructor)) static void join_world(void)
{
    const char *path = getenv("TIMED_WORLD"), *swing = getenv("TIMED_SWING");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = fd >= 0 ? mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    *(void **)&real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    if (map == MAP_FAILED || !real_gettime)
        abort();
    shared = map;
    swing_ns = swing ? atoll(swing) : 0;
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
        ns += (ns / SWING_NS % 2) * swing_ns - world.suspended_ns;
    else if (clock == CLOCK_MONOTONIC_RAW)
        ns = timed_world_raw(&world, ns);
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return code;
}
