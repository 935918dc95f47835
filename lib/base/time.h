/* Elapsed time, and sleeping: one wrapper of each system call. */
#ifndef ORDO_BASE_TIME_H
#define ORDO_BASE_TIME_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

/** Returns a clock of the kernel, in ns. Any thread may call it. Returns 0 if the system does not have this clock. */
static inline int64_t ordo_time_ns(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/** Returns CLOCK_MONOTONIC_RAW, in ns; this clock is neither set nor steered. */
static inline int64_t ordo_raw_ns(void)
{
    return ordo_time_ns(CLOCK_MONOTONIC_RAW);
}

/** Sleeps for `ns` nanoseconds, or not at all if `ns` is negative. A signal whose handler returns does not shorten the
 * sleep. */
static inline void ordo_sleep_ns(int64_t ns)
{
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

#endif
