/* The attribute of a function that runs rarely: it stays out of its caller's code, and out of the way. */
#ifndef ORDO_CC_DOMAIN_SLOW_H
#define ORDO_CC_DOMAIN_SLOW_H

#define ORDO_CC_SLOW static __attribute__((noinline, cold, unused))

#endif
