#include "preload/kernel.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/vdso.h"

#if defined __aarch64__
#define GETTIME "__kernel_clock_gettime"
#define TIMEOFDAY "__kernel_gettimeofday"
#else
#define GETTIME "__vdso_clock_gettime"
#define TIMEOFDAY "__vdso_gettimeofday"
#endif

typedef int gettime_call(clockid_t clock, struct timespec *time);
typedef int timeofday_call(struct timeval *time, void *zone);

static gettime_call *vdso_gettime;
static timeofday_call *vdso_timeofday;

void preload_kernel_open(void)
{
    const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
    const void *found = preload_vdso_find(image, GETTIME);
    memcpy(&vdso_gettime, &found, sizeof found); /* C has no cast from an object to a function */
    found = preload_vdso_find(image, TIMEOFDAY);
    memcpy(&vdso_timeofday, &found, sizeof found);
}

/* Calls the kernel, and leaves errno as it was. */
static int call_kernel(long number, long first, const void *second)
{
    const int saved = errno;
    const int code = syscall(number, first, second) == 0 ? 0 : -errno;
    errno = saved;
    return code;
}

int preload_kernel_gettime(clockid_t clock, struct timespec *time)
{
    return vdso_gettime ? vdso_gettime(clock, time) : call_kernel(SYS_clock_gettime, clock, time);
}

int preload_kernel_timeofday(struct timeval *time, void *zone)
{
    return vdso_timeofday ? vdso_timeofday(time, zone) : call_kernel(SYS_gettimeofday, (long)time, zone);
}

int64_t preload_kernel_ns(clockid_t clock)
{
    struct timespec time;
    if (preload_kernel_gettime(clock, &time) != 0)
        return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int preload_kernel_wipe_on_fork(void *page, unsigned long bytes)
{
    return madvise(page, bytes, MADV_WIPEONFORK);
}

int preload_kernel_allows_counter(void)
{
#if defined PR_GET_TSC && (defined __x86_64__ || defined __i386__)
    int setting = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &setting) != 0 || setting == PR_TSC_ENABLE;
#else
    return 1;
#endif
}
