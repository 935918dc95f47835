/* The step of a clock in ns, computed from the head of a binary trace. The code is compiled into the test, which calls
 * internal functions of the reader. */
#include <criterion/criterion.h>

#include "trace/form/binary.c"

/* Expects for every step of the clock that the next step comes at most step_of() ns after the reading in ns. Computes
 * in fractions of a ns. */
static void hold(uint64_t hz, uint64_t granule_ticks)
{
    struct ordo_trace_head head = {.granule_ticks = granule_ticks};
    ordo_trace_rate(&head, hz);
    int64_t step_ns = step_of(&head);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t ticks = (i * 7919 + 1) * granule_ticks;
        unsigned __int128 next = (unsigned __int128)(ticks + granule_ticks) * head.ns_mult;
        unsigned __int128 bound = (unsigned __int128)(uint64_t)(ordo_trace_local_ns(&head, ticks) + step_ns)
                                  << head.ns_shift;
        cr_assert(next <= bound, "%llu Hz, a step of %llu ticks: %lld ns are too few after tick %llu",
                  (unsigned long long)hz, (unsigned long long)granule_ticks, (long long)step_ns,
                  (unsigned long long)ticks);
    }
    cr_assert_leq(step_ns, (int64_t)((__int128)granule_ticks * 1000000000 / hz) + 2);
}

Test(trace_step, the_next_tick_comes_within_the_step)
{
    const uint64_t rates[] = {24000000, 2100000000, 2994374000, 1000000007, 62500000};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (uint64_t granule_ticks = 1; granule_ticks < 600; granule_ticks += 37)
            hold(rates[i], granule_ticks);
}

Test(trace_step, a_clock_in_nanoseconds_keeps_its_step)
{
    struct ordo_trace_head head = {.granule_ticks = 500};
    ordo_trace_rate(&head, 1000000000);
    cr_expect_eq(step_of(&head), 500);
    head.granule_ticks = 0;
    cr_expect_eq(step_of(&head), 0);
    head.granule_ticks = UINT64_MAX;
    cr_expect_eq(step_of(&head), 1000000000);
}
