/* Signals that end a measurement (calib/ordo-net). Each test is a process of its own. */
#include <criterion/criterion.h>
#include <signal.h>

#include "ordo-net/ending.h"

Test(ending, one_signal_ends_the_cleanup_after_a_normal_end)
{
    ending_heed();
    cr_assert(!ending_asked());
    ending_begin();
    cr_assert(!ending_asked_anew());
    (void)raise(SIGINT);
    cr_assert(ending_asked_anew());
}

Test(ending, the_signal_that_ended_the_measurement_does_not_end_the_cleanup)
{
    ending_heed();
    (void)raise(SIGTERM);
    cr_assert(ending_asked());
    ending_begin();
    cr_assert(!ending_asked_anew());
    (void)raise(SIGINT);
    cr_assert(ending_asked_anew());
}

Test(ending, two_signals_end_the_cleanup_too)
{
    ending_heed();
    (void)raise(SIGINT);
    (void)raise(SIGINT);
    ending_begin();
    cr_assert(ending_asked_anew());
}
