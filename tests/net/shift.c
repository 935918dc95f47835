/* A library to preload: the process reads CLOCK_REALTIME shifted by the ns in the file $NET_SHIFT, which a test may change
 * at any moment, as if its host had been moved. The kernel's stamps and CLOCK_MONOTONIC stay as they are. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t *shift_ns;

__attribute__((constructor)) static void map_shift(void)
{
    const char *path = getenv("NET_SHIFT");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *shift_ns, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED)
        shift_ns = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (failed || !shift_ns || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
        return failed;
    int64_t ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec +
                 __atomic_load_n(shift_ns, __ATOMIC_RELAXED); /* pairs with the test's write, which is one word */
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return 0;
}
