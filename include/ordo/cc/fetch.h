/* A hint for the cache, for what is about to be written. No order, and nothing to see, rests on it. */
#ifndef ORDO_CC_FETCH_H
#define ORDO_CC_FETCH_H

/** Asks for a line to write, so that several come at once, and a store or an exchange need not wait for each. Whoever
 * fetched a line only to read it has to ask again before it may write, if another CPU has read it too; and without
 * -mprfchw that is all that __builtin_prefetch does on x86-64. The address may be any. */
static inline void ordo_fetch_to_write(const void *line)
{
#if defined __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

#endif
