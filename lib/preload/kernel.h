/* The kernel's own answers, without the C library's functions, which this library replaces. Async-signal-safe. */
#ifndef ORDO_PRELOAD_KERNEL_H
#define ORDO_PRELOAD_KERNEL_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/** Finds the functions in the vDSO. Without them, or without this call, every answer is a system call. */
void preload_kernel_open(void);

/** Asks for a clock. Returns 0 or -errno. */
int preload_kernel_gettime(clockid_t clock, struct timespec *time);

/** Asks for the time of day. Returns 0 or -errno. */
int preload_kernel_timeofday(struct timeval *time, void *zone);

/** Returns the time of a clock in ns; -1 if the kernel has no such clock. */
int64_t preload_kernel_ns(clockid_t clock);

/** Makes memory zero in the child of a fork. Returns 0 if the kernel promises this. */
int preload_kernel_wipe_on_fork(void *page, unsigned long bytes);

/** True if this thread may read the counter (PR_SET_TSC). */
int preload_kernel_allows_counter(void);

#endif
