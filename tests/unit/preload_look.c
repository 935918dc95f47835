/* The preload's sights of the kernel's clocks, with a kernel that is slow and a thread that moves between two CPUs. */
#include <criterion/criterion.h>

#include "base/random.h"
#include "preload/kernel.h"
#include "preload/line.h"
#include "preload/look.h"
#include "preload/pace.h"

#include <ordo/clock.h>

enum { ANSWER = 24000, BOUNDARY = 400, STEP = 20, TRIES = 2000 }; /* ticks; 10 us at 2.4 GHz */

/* The machine: the counter of CPU 1 is ahead by the boundary. CLOCK_MONOTONIC advances by `rate` a tick; the offsets of
 * the others are constant. */
static struct {
    uint64_t true_time, rate, random;
    int cpu;
    int64_t offset_ns[PRELOAD_CLOCKS];
    bool moves; /* the thread goes to another CPU in the middle of answers */
} kernel;

static uint64_t skew_of(int cpu)
{
    return cpu ? BOUNDARY : 0;
}

uint64_t model_clock(void)
{
    kernel.true_time += STEP;
    return kernel.true_time - STEP + skew_of(kernel.cpu);
}

static uint64_t nominal_rate(void)
{
    return preload_rate_of_hz(2400000000);
}

/* Takes ANSWER ticks, and reads the clock at any moment of them, often at the first or the last. */
int64_t preload_kernel_ns(clockid_t clock)
{
    const uint64_t random = ordo_random_next(&kernel.random), any = random / 4 % (ANSWER + 1);
    const uint64_t part = random % 4 == 0 ? 0 : random % 4 == 1 ? ANSWER : any;
    int which = 0;
    while (preload_clock_id((enum preload_which)which) != clock)
        which++;
    kernel.true_time += part;
    const int64_t ns = preload_ns_of((preload_ns32)kernel.true_time * kernel.rate) + kernel.offset_ns[which];
    kernel.true_time += ANSWER - part;
    if (kernel.moves)
        kernel.cpu = (int)(random >> 32 & 1);
    return ns;
}

static void begin_kernel(int64_t rate_part, bool moves)
{
    const uint64_t rate = nominal_rate();
    kernel.true_time = 1000000000;
    kernel.rate = rate_part ? rate + (uint64_t)((int64_t)rate / rate_part) : rate;
    kernel.random = 1;
    kernel.moves = moves;
    kernel.offset_ns[PRELOAD_REALTIME] = 1700000000123456789;
    kernel.offset_ns[PRELOAD_BOOTTIME] = 77;
    kernel.offset_ns[PRELOAD_TAI] = 1700000037123456789;
}

/* Looks often. Returns the width of the widest interval of an offset, in ns. Each must contain the true offset. */
static int64_t widest_offset(void)
{
    static const enum preload_which shifted[] = {PRELOAD_REALTIME, PRELOAD_BOOTTIME, PRELOAD_TAI};
    const uint64_t rates[PRELOAD_TRACKS] = {nominal_rate(), nominal_rate()};
    uint64_t narrowest = ANSWER;
    int64_t widest = 0;
    for (int try = 0; try < TRIES; try++) {
        struct preload_view view;
        cr_assert(preload_look(UINT64_MAX, rates, BOUNDARY, &narrowest, &view));
        for (int i = 0; i < 3; i++) {
            const struct preload_interval *offset = &view.offset[shifted[i]];
            const int64_t truth = kernel.offset_ns[shifted[i]], width = offset->high_ns - offset->low_ns;
            cr_assert(offset->low_ns <= truth && truth <= offset->high_ns, "clock %d: [%lld, %lld]", shifted[i],
                      (long long)(offset->low_ns - truth), (long long)(offset->high_ns - truth));
            widest = width > widest ? width : widest;
        }
    }
    return widest;
}

/* CLOCK_TAI is read last, so its interval is the widest: its own answer of 10 us and the one of CLOCK_MONOTONIC, and the
 * eighths by which the rate may differ. */
Test(preload_look, an_offset_is_known_within_less_than_three_answers)
{
    begin_kernel(0, false);
    const int64_t widest = widest_offset();
    cr_assert(widest < 28000, "%lld ns", (long long)widest);
}

Test(preload_look, a_true_offset_is_in_its_interval_while_the_thread_moves_between_cpus)
{
    begin_kernel(0, true);
    const int64_t widest = widest_offset();
    cr_assert(widest < 28000 + BOUNDARY, "%lld ns", (long long)widest);
}

Test(preload_look, a_true_offset_is_in_its_interval_while_the_kernels_rate_differs_by_an_eighth)
{
    begin_kernel(8, true);
    (void)widest_offset();
    begin_kernel(-8, true);
    (void)widest_offset();
}

Test(preload_look, the_sights_of_monotonic_and_raw_contain_both_clocks)
{
    const uint64_t rates[PRELOAD_TRACKS] = {nominal_rate(), nominal_rate()};
    uint64_t narrowest = ANSWER;
    begin_kernel(0, true);
    for (int try = 0; try < TRIES; try++) {
        struct preload_view view;
        cr_assert(preload_look(UINT64_MAX, rates, BOUNDARY, &narrowest, &view));
        for (int i = 0; i < PRELOAD_TRACKS; i++) {
            const struct preload_sight *sight = &view.sight[i];
            for (int cpu = 0; cpu < 2; cpu++) {
                const int64_t ns = preload_ns_of((preload_ns32)(sight->at - skew_of(cpu)) * kernel.rate);
                cr_assert(sight->low_ns <= ns && ns <= sight->high_ns, "track %d", i);
            }
        }
    }
}
