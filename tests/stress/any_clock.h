/* The clock for the stamp "any" in these tests: the clock of skewed_clock.h, or with TESTS_KERNEL the kernel's clock,
 * which is not skewed. NULL for all other stamps. */
#ifndef TESTS_STRESS_ANY_CLOCK_H
#define TESTS_STRESS_ANY_CLOCK_H

#include <ordo/any.h>

static inline const struct ordo *any_clock(void)
{
#if defined ORDO_STAMP_ANY && defined TESTS_KERNEL
    static const struct ordo_any clock = ORDO_ANY_INIT(1, 1000000000, ORDO_ANY_KERNEL);
    return &clock.handle;
#elif defined ORDO_STAMP_ANY
    static const struct ordo_any clock = ORDO_ANY_INIT(1, 1000000000, ORDO_ANY_COUNTER);
    return &clock.handle;
#else
    return NULL;
#endif
}

#endif
