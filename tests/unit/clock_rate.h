/* The rate of this machine's clock. Records that a test opens must contain it, because readers compare the clock with
 * the recorded rate. */
#ifndef TESTS_UNIT_CLOCK_RATE_H
#define TESTS_UNIT_CLOCK_RATE_H

#include <criterion/criterion.h>
#include <unistd.h>

#include "machine/counter/counter.h"

static double clock_rate_hz(void)
{
    struct ordo_record_moment first, last;
    cr_assert_eq(ordo_moment_take(&first), 0);
    (void)usleep(20000);
    cr_assert_eq(ordo_moment_take(&last), 0);
    return (double)(last.before_ticks - first.before_ticks) * 1e9 / (double)(last.raw_ns - first.raw_ns);
}

#endif
