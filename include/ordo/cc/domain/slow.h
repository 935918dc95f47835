/* The attributes of functions that run rarely, and are kept out of their callers' code, and of functions that run in the
 * loops of searches, and are always a part of it: left alone, compilers call the latter. */
#ifndef ORDO_CC_DOMAIN_SLOW_H
#define ORDO_CC_DOMAIN_SLOW_H

#define ORDO_CC_SLOW static __attribute__((noinline, cold, unused))
#define ORDO_CC_FAST static inline __attribute__((always_inline))

#endif
