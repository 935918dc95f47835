/* A prefetch hint for a line that is about to be written. Neither order nor visibility depends on it. */
#ifndef ORDO_CC_FETCH_H
#define ORDO_CC_FETCH_H

/** Fetches a line for writing, so that several lines are fetched concurrently and a later store or exchange need not
 * wait for each. A thread that has fetched a line only for reading must fetch it again before it can write, if another
 * CPU has read it too; and without -mprfchw __builtin_prefetch on x86-64 fetches for reading only. Any address is
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
