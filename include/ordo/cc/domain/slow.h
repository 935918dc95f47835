/* The attribute of a function that runs rarely: the compiler keeps it out of its callers' code. */
#ifndef ORDO_CC_DOMAIN_SLOW_H
#define ORDO_CC_DOMAIN_SLOW_H

#define ORDO_CC_SLOW static __attribute__((noinline, cold, unused))

#endif
