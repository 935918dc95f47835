/* Signals that end a measurement (calib/ordo-net). Each test is a process of its own. */
#include <criterion/criterion.h>
#include <signal.h>

#include "ordo-net/ending.h"

Test(ending, after_a_normal_end_one_signal_stops_the_cleanup)
{
    ending_heed();
    cr_assert(!ending_asked());
    ending_begin();
    cr_assert(!ending_asked_anew());
    (void)raise(SIGINT);
    cr_assert(ending_asked_anew());
}

Test(ending, the_first_signal_does_not_stop_the_cleanup)
{
    ending_heed();
    (void)raise(SIGTERM);
    cr_assert(ending_asked());
    ending_begin();
    cr_assert(!ending_asked_anew());
    (void)raise(SIGINT);
    cr_assert(ending_asked_anew());
}

Test(ending, a_second_signal_stops_the_cleanup)
{
    ending_heed();
    (void)raise(SIGINT);
    (void)raise(SIGINT);
    ending_begin();
    cr_assert(ending_asked_anew());
}
