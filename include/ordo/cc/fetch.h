/* A prefetch hint for a line that is about to be written. Neither order nor visibility depends on it. */
#ifndef ORDO_CC_FETCH_H
#define ORDO_CC_FETCH_H

/** Fetches a cache line for writing. Several lines are fetched concurrently, so that later stores or exchanges need not
 * wait for one line after the other. A line that was fetched only for reading must be fetched again before a write if
 * another CPU has read it too. On x86-64 without -mprfchw, __builtin_prefetch fetches for reading only. Any address is
 * allowed. */
static inline void ordo_fetch_to_write(const void *line)
{
#if defined __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

#endif
