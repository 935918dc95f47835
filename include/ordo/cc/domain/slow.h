/* Attributes of functions. A function that runs rarely is kept out of its callers' code. A function that runs in the loop of a
 * search is always a part of its caller's code; without the attribute, compilers call it. */
#ifndef ORDO_CC_DOMAIN_SLOW_H
#define ORDO_CC_DOMAIN_SLOW_H

#define ORDO_CC_SLOW static __attribute__((noinline, cold, unused))
#define ORDO_CC_FAST static inline __attribute__((always_inline))

#endif
