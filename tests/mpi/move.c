/* A scheduler that moves threads. Preloaded, it starts the program on its lowest CPU. Whenever a thread has slept, or has been
 * allowed to run on several CPUs, it goes on on the highest of them. Afterwards it may run on the same CPUs as before. */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

typedef int set_affinity(pid_t, size_t, const cpu_set_t *);

static set_affinity *own_set_affinity(void)
{
    set_affinity *found;
    *(void **)&found = dlsym(RTLD_NEXT, "sched_setaffinity");
    return found;
}

static void move_to_end(int step)
{
    cpu_set_t all, one;
    int cpu = step > 0 ? 0 : CPU_SETSIZE - 1;
    if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < 2)
        return;
    while (!CPU_ISSET(cpu, &all))
        cpu += step;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    (void)own_set_affinity()(0, sizeof one, &one);
    (void)own_set_affinity()(0, sizeof all, &all);
}

__attribute__((constructor)) static void start_on_lowest(void)
{
    move_to_end(1);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    int (*sleep)(const struct timespec *, struct timespec *);
    *(void **)&sleep = dlsym(RTLD_NEXT, "nanosleep");
    int code = sleep(time, left);
    move_to_end(-1);
    return code;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *cpus)
{
    int code = own_set_affinity()(thread, size, cpus);
    move_to_end(-1);
    return code;
}
