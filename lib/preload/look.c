#include "preload/look.h"

#include <ordo/clock.h>

#include "preload/kernel.h"

int preload_clock_id(enum preload_which which)
{
    static const int ids[PRELOAD_CLOCKS] = {[PRELOAD_MONOTONIC] = CLOCK_MONOTONIC,
                                            [PRELOAD_REALTIME] = CLOCK_REALTIME,
                                            [PRELOAD_BOOTTIME] = CLOCK_BOOTTIME,
                                            [PRELOAD_TAI] = CLOCK_TAI,
                                            [PRELOAD_RAW] = CLOCK_MONOTONIC_RAW};
    return ids[which];
}

uint64_t preload_look_narrowest(void)
{
    enum { READINGS = 16 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        const uint64_t before = ordo_clock_read();
        (void)preload_kernel_ns(CLOCK_MONOTONIC);
        const uint64_t ticks = ordo_clock_read() - before;
        if (ticks < least)
            least = ticks;
    }
    return least ? least : 1;
}

/* The readings of one attempt: the counter before the first clock and after each clock. */
struct readings {
    uint64_t before, after[PRELOAD_CLOCKS];
    int64_t ns[PRELOAD_CLOCKS];
    uint64_t done;
};

/* Reads the wanted clocks. Returns the ticks of the widest reading. */
static uint64_t read_wanted(uint64_t wanted, struct readings *readings)
{
    uint64_t widest = 0, at = ordo_clock_read();
    readings->before = at;
    readings->done = 0;
    for (int i = 0; i < PRELOAD_CLOCKS; i++) {
        if (i != PRELOAD_MONOTONIC && !(wanted >> i & 1))
            continue;
        readings->ns[i] = preload_kernel_ns(preload_clock_id((enum preload_which)i));
        readings->after[i] = ordo_clock_read();
        if (readings->ns[i] >= 0)
            readings->done |= UINT64_C(1) << i;
        /* A thread that migrates may see its counter go back by the boundary; the sight then counts as wide. */
        const uint64_t ticks = readings->after[i] - at;
        widest = ticks > widest ? ticks : widest;
        at = readings->after[i];
    }
    return widest;
}

/* The time that passes at most during `ticks`. */
static int64_t ticks_to_most_ns(uint64_t ticks, uint64_t rate)
{
    return preload_sight_of(0, ticks, 0, rate).high_ns;
}

/* The time that passes at least during `ticks`: the kernel's rate may differ from `rate` by an eighth. */
static int64_t ticks_to_least_ns(uint64_t ticks, uint64_t rate)
{
    return (int64_t)(uint64_t)((preload_ns32)ticks * (rate - rate / 8) >> 32);
}

/* Confines the offset of each clock that was read after CLOCK_MONOTONIC. Let m and x be the two times, and e the time
 * that passed between the moments at which the kernel took them. The offset is x - m - e. Both clocks have the same
 * fraction of a nanosecond, so the offset is a whole number.
 *
 *  e is at least the time between the end of m's reading and the end of the reading before x's, because x's begins there.
 *  e is at most the time between the beginning of m's reading and the end of x's.
 *
 * The thread may have moved to a CPU whose counter is behind or ahead by the boundary: it is subtracted from the first
 * number of ticks, and added to the second. The width is thus two readings, and not all readings since m's, as far as
 * the rate is known. */
static void confine_offsets(const struct readings *readings, uint64_t rate, uint64_t boundary_ticks,
                            struct preload_view *view)
{
    const uint64_t first = readings->after[PRELOAD_MONOTONIC];
    uint64_t begun = first;
    for (int i = PRELOAD_MONOTONIC + 1; i < PRELOAD_CLOCKS; i++) {
        if (!(readings->done >> i & 1) || preload_track_of((enum preload_which)i) != PRELOAD_STEERED)
            continue;
        const int64_t difference = readings->ns[i] - readings->ns[PRELOAD_MONOTONIC];
        const uint64_t least = begun - first > boundary_ticks ? begun - first - boundary_ticks : 0;
        const uint64_t most = readings->after[i] - readings->before + boundary_ticks;
        view->offset[i].high_ns = difference - ticks_to_least_ns(least, rate);
        view->offset[i].low_ns = difference - ticks_to_most_ns(most, rate);
        begun = readings->after[i];
    }
    view->offset[PRELOAD_MONOTONIC] = (struct preload_interval){0, 0};
}

static void confine_sights(const struct readings *readings, const uint64_t rate[PRELOAD_TRACKS],
                           struct preload_view *view)
{
    const uint64_t at = readings->after[PRELOAD_MONOTONIC];
    view->sight[PRELOAD_STEERED] =
        preload_sight_of(readings->before, at, readings->ns[PRELOAD_MONOTONIC], rate[PRELOAD_STEERED]);
    if (readings->done >> PRELOAD_RAW & 1) {
        const int64_t ns = readings->ns[PRELOAD_RAW];
        const int64_t most = ticks_to_most_ns(readings->after[PRELOAD_RAW] - at, rate[PRELOAD_STEADY]);
        view->sight[PRELOAD_STEADY] = (struct preload_sight){at, ns - most, ns + 1};
    }
}

/* Widens the sights, which one CPU has had, to those of all CPUs. */
static void widen_sights(uint64_t boundary_ticks, const uint64_t rate[PRELOAD_TRACKS], struct preload_view *view)
{
    for (int i = 0; i < PRELOAD_TRACKS; i++) {
        const int64_t ns = ticks_to_most_ns(boundary_ticks, rate[i]);
        view->sight[i].low_ns -= ns;
        view->sight[i].high_ns += ns;
    }
}

bool preload_look(uint64_t wanted, const uint64_t rate[PRELOAD_TRACKS], uint64_t boundary_ticks, uint64_t *narrowest,
                  struct preload_view *view)
{
    enum { ATTEMPTS = 4, WIDER = 3 };
    struct readings readings;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const uint64_t widest = read_wanted(wanted, &readings);
        if (!(readings.done >> PRELOAD_MONOTONIC & 1))
            return false;
        if (widest > WIDER * *narrowest)
            continue;
        const uint64_t ticks = readings.after[PRELOAD_MONOTONIC] - readings.before;
        if (ticks < *narrowest && ticks > 0)
            *narrowest = ticks;
        view->known = readings.done;
        confine_sights(&readings, rate, view);
        confine_offsets(&readings, rate[PRELOAD_STEERED], boundary_ticks, view);
        widen_sights(boundary_ticks, rate, view);
        return true;
    }
    *narrowest += *narrowest / 8 + 1;
    return false;
}
