#include "calibrate/watch/walk.h"

#include <stddef.h>
#include <stdlib.h>

#include <ordo/clock.h>

#include "base/time.h"
#include "calibrate/watch/hop.h"

int ordo_walk_take(const unsigned *cpus, int count, struct ordo_stop *stops)
{
    int made = 0;
    for (int i = 0; i <= count && count > 0; i++) {
        struct ordo_stop *stop = &stops[made];
        stop->cpu = cpus[i % count];
        if (!ordo_hop_to(stop->cpu))
            continue;
        stop->arrived_ticks = ordo_clock_read();
        stop->raw_ns = ordo_raw_ns();
        stop->left_ticks = ordo_clock_read();
        made++;
    }
    return made;
}

static const struct ordo_stop *stop_of(const struct ordo_stop *stops, int count, unsigned cpu)
{
    for (int i = 0; stops && i < count; i++)
        if (stops[i].cpu == cpu)
            return &stops[i];
    return NULL;
}

static int64_t delay(const struct ordo_stop *stop)
{
    return (int64_t)(stop->left_ticks - stop->arrived_ticks);
}

/* Returns by how much this CPU's clock moved against CLOCK_MONOTONIC_RAW between two stops, in ticks. RAW was read at any
 * moment of a stop, and its readings are whole nanoseconds. */
static struct ordo_interval movement(const struct ordo_stop *now, const struct ordo_stop *before, double tick_hz)
{
    int64_t passed = (int64_t)((double)(now->raw_ns - before->raw_ns) * tick_hz / 1e9);
    int64_t rounding = (int64_t)(tick_hz / 1e9) + 1;
    return (struct ordo_interval){(int64_t)(now->arrived_ticks - before->left_ticks) - passed - rounding,
                                  (int64_t)(now->left_ticks - before->arrived_ticks) - passed + rounding};
}

/* Returns the stop of the same CPU as stops[i] in the walk before, or NULL. */
static const struct ordo_stop *earlier_stop(const struct ordo_stop *stops, int i, const struct ordo_stop *before,
                                            int before_count)
{
    if (before && i < before_count && before[i].cpu == stops[i].cpu)
        return &before[i];
    return stop_of(before, before_count, stops[i].cpu);
}

/* Sets the movement of the clock of stops[i]. False if it is unknown, or wider than `widest`: a delayed stop agrees with every
 * movement, so it says nothing. */
static bool find_movement(const struct ordo_stop *stops, int i, const struct ordo_stop *before, int before_count,
                          double tick_hz, int64_t widest, struct ordo_interval *by)
{
    const struct ordo_stop *earlier = earlier_stop(stops, i, before, before_count);
    if (!earlier)
        return false;
    *by = movement(&stops[i], earlier, tick_hz);
    return by->high - by->low <= widest;
}

/* True if at least two clocks, and more than half of those with a known movement, can have moved as `by`. */
static bool is_common(struct ordo_interval by, const struct ordo_stop *stops, int count, const struct ordo_stop *before,
                      int before_count, double tick_hz, int64_t widest)
{
    int agree = 0, known = 0;
    for (int i = 0; i < count; i++) {
        struct ordo_interval other;
        if (!find_movement(stops, i, before, before_count, tick_hz, widest, &other))
            continue;
        struct ordo_interval both = ordo_interval_intersect(by, other);
        agree += both.low <= both.high;
        known++;
    }
    return agree >= 2 && 2 * agree > known;
}

/* Returns how most clocks have moved, which is due to an error of `tick_hz`: the narrowest movement of a CPU that is that of
 * more than half of them. 0 if there is no such movement. The last stop of a walk is on the CPU of the first one, and is left
 * out. */
static struct ordo_interval common_movement(const struct ordo_stop *stops, int count, const struct ordo_stop *before,
                                            int before_count, double tick_hz, int64_t widest)
{
    struct ordo_interval common = {0, 0};
    int64_t width = INT64_MAX;
    if (count > 1 && stops[count - 1].cpu == stops[0].cpu)
        count--;
    for (int i = 0; i < count; i++) {
        struct ordo_interval by;
        if (find_movement(stops, i, before, before_count, tick_hz, widest, &by) && by.high - by.low < width &&
            is_common(by, stops, count, before, before_count, tick_hz, widest)) {
            common = by;
            width = by.high - by.low;
        }
    }
    return common;
}

/* Returns by how many ticks this CPU's clock has certainly moved between two stops, forward or back, beyond the common movement.
 * 0 if a stop is missing. */
static int64_t moved(const struct ordo_stop *now, const struct ordo_stop *before, double tick_hz,
                     struct ordo_interval common)
{
    if (!now || !before)
        return 0;
    struct ordo_interval by = movement(now, before, tick_hz);
    return by.low > common.high ? by.low - common.high : by.high < common.low ? common.low - by.high : 0;
}

bool ordo_walk_moved_apart(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, uint64_t most_ticks)
{
    struct ordo_interval common = {INT64_MIN, INT64_MAX};
    for (int i = 0; i < count; i++) {
        const struct ordo_stop *earlier = earlier_stop(stops, i, before, before_count);
        if (earlier)
            common = ordo_interval_intersect(common, movement(&stops[i], earlier, tick_hz));
    }
    return common.low > common.high && (uint64_t)common.low - (uint64_t)common.high > most_ticks;
}

int64_t ordo_walk_delay(const struct ordo_stop *stops, int count)
{
    int64_t longest = 0;
    for (int i = 0; i < count; i++)
        if (delay(&stops[i]) > longest)
            longest = delay(&stops[i]);
    return longest;
}

unsigned ordo_walk_culprit(const struct ordo_stop *stops, int count, const struct ordo_stop *before, int before_count,
                           double tick_hz, unsigned ahead, unsigned behind, int64_t by_ticks)
{
    const struct ordo_stop *a = stop_of(stops, count, ahead), *b = stop_of(stops, count, behind);
    struct ordo_interval common = common_movement(stops, count, before, before_count, tick_hz, by_ticks / 2);
    int64_t a_moved = moved(a, stop_of(before, before_count, ahead), tick_hz, common);
    int64_t b_moved = moved(b, stop_of(before, before_count, behind), tick_hz, common);
    if (!a || !b || llabs(a_moved - b_moved) > by_ticks / 2)
        return a_moved > b_moved ? ahead : behind;
    /* If a clock jumped ahead, the hop from the previous CPU appears long; if it fell behind, the hop to the next CPU
     * appears long. */
    if (a == stops && stops[count - 1].cpu == ahead)
        a = &stops[count - 1]; /* the walk returned to its first CPU */
    int64_t into_a = a > stops ? (int64_t)(a->arrived_ticks - a[-1].left_ticks) : 0;
    int64_t from_b = b + 1 < stops + count ? (int64_t)(b[1].arrived_ticks - b->left_ticks) : 0;
    return into_a >= from_b ? ahead : behind;
}

static int64_t hop(const struct ordo_stop *stops, int i)
{
    return (int64_t)(stops[i + 1].arrived_ticks - stops[i].left_ticks);
}

struct ordo_interval ordo_walk_interval(const struct ordo_stop *stops, int count, int i)
{
    struct ordo_interval offset = {0, hop(stops, i)};
    for (int other = 0; other + 1 < count; other++)
        offset.low -= other == i ? 0 : hop(stops, other);
    return offset;
}

bool ordo_walk_judge(const struct ordo_stop *stops, int count, uint64_t boundary_ticks, struct ordo_excess *excess)
{
    int64_t most = boundary_ticks < INT64_MAX ? (int64_t)boundary_ticks : INT64_MAX;
    bool found = false;
    for (int i = 0; i + 1 < count; i++) {
        int64_t delta = hop(stops, i);
        if (delta >= -most || stops[i].cpu == stops[i + 1].cpu)
            continue;
        most = -delta; /* keeps the largest excess */
        found = true;
        *excess = (struct ordo_excess){stops[i].cpu, stops[i + 1].cpu, -delta};
    }
    return found;
}
