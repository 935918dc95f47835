/* [K15] In a collective with a root, some ranks wait and others do not. A rank that had to wait for another leaves one
 *       message after the other has entered, so its bound is off by the time of this message; a bound without a wait is
 *       also off by the time for which a rank was late.
 *       - If ranks waited on both sides, half of the gap between the tightest bounds above and below is off by at most
 *         half of the difference between the times of two messages in opposite directions. The slope is that with
 *         the widest gap: two clocks drift evenly over a short time, and a wrong slope narrows the gap at one end
 *         (Duda, Harrus, Haddad and Bernard, Estimating global time in distributed systems, 1987). Over a long time the
 *         offset bends. The time is halved until the bend is within the gap.
 *       - If ranks waited on one side only, for example because the root is always the last to enter, the other side is
 *         too loose. The bounds of the side with waits are used then, less a message, for which the shortest call of
 *         the trace stands. If the messages pass several ranks, this is too little, by less than they take.
 *       - If one side has no bounds at all, the offset can be any number beyond the other side. The rank is then refused
 *         (refuse_rank of correct/messages.c), unless a message bounds it.
 *       - A rank waited if its call took at least twice as long as the shortest call.
 *       The bounds are taken from likely times of the other ranks, so they prove nothing. The likely offset is moved
 *       into the proved bounds, and is used if they are wider than the gap ([I4] of method/interval.c).
 */
#include "trace/correct/rooted.h"

#include <math.h>
#include <stdlib.h>

#include "trace/sync/gap.h"

enum { ROOTED_CALLS = 2048, ROOTED_LOOK_AT = 64, ROOTED_LEAST = 8, ROOTED_POINTS = 24 };

/* Bounds of one rank's offset, in the order of times. */
struct rooted_bounds {
    struct ordo_likely *high, *low;
    int highs, lows;
    struct ordo_likely *waits; /* likely offsets by the parts that probably waited */
    int waits_high, waits_low; /* how many of them come from bounds above and below */
};

/* True if the call of a part lasted at least twice the duration of the shortest call: it probably waited. */
static bool has_waited(const struct ordo_collectives *all, const struct ordo_part *part)
{
    return part->begin_ns != INT64_MIN && part->end_ns - part->begin_ns >= 2 * all->shortest_ns;
}

/* A bound of one part. `waits`: its waiter probably waited. */
struct rooted_bound {
    struct ordo_likely at;
    bool is_there, waits;
};

/* Places a reading in global time. Returns false if the clock is unknown or if a time is more than 36 years from 0, so
 * that no difference overflows. */
static bool place_reading(struct ordo_clocks *clocks, const struct ordo_part *other, int64_t reading_ns, int64_t own_ns,
                          int64_t *global_ns)
{
    const int64_t most = INT64_MAX / 8;
    struct ordo_event_stamp stamp;
    if (!ordo_clocks_stamp(clocks, other->rank, reading_ns, &stamp))
        return false;
    *global_ns = stamp.global_ns;
    return *global_ns >= -most && *global_ns <= most && own_ns >= -most && own_ns <= most;
}

/* Tightens the bounds of a part by another part, if the clock of the other rank is known. */
static void bound_by_part(const struct ordo_collectives *all, struct ordo_clocks *clocks, const struct ordo_part *part,
                          const struct ordo_part *other, struct rooted_bound *high, struct rooted_bound *low)
{
    int64_t global_ns;
    if (ordo_collectives_wait(all, other, part) &&
        place_reading(clocks, other, other->begin_ns, part->end_ns, &global_ns)) {
        int64_t offset_ns = part->end_ns - global_ns;
        if (!high->is_there || offset_ns < high->at.offset_ns)
            *high = (struct rooted_bound){{part->end_ns, offset_ns}, true, has_waited(all, part)};
    }
    if (ordo_collectives_wait(all, part, other) &&
        place_reading(clocks, other, other->end_ns, part->begin_ns, &global_ns)) {
        int64_t offset_ns = part->begin_ns - global_ns;
        if (!low->is_there || offset_ns > low->at.offset_ns)
            *low = (struct rooted_bound){{part->begin_ns, offset_ns}, true, has_waited(all, other)};
    }
}

/* Adds a likely offset by a bound whose waiter waited. */
static void add_waited(struct rooted_bounds *bounds, const struct rooted_bound *bound, int64_t message_ns)
{
    if (bound->waits)
        bounds->waits[bounds->waits_high + bounds->waits_low] =
            (struct ordo_likely){bound->at.at_ns, bound->at.offset_ns + message_ns};
}

/* Returns the root's part of a collective, whose parts are in the order of ranks; NULL if there is none. */
static const struct ordo_part *part_of_root(const struct ordo_collectives *all, const struct ordo_part *part)
{
    size_t low = part->first, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->all[middle].first == part->first && all->all[middle].rank < part->root)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < all->count && all->all[low].first == part->first && all->all[low].rank == part->root;
    return found ? &all->all[low] : NULL;
}

/* Adds the tightest bounds that a part gets from the parts of ranks whose clocks are known. */
static void bound_part(const struct ordo_collectives *all, struct ordo_clocks *clocks, const struct ordo_part *part,
                       struct rooted_bounds *bounds)
{
    struct rooted_bound high = {.is_there = false}, low = high;
    size_t end = all->count - part->first < ROOTED_LOOK_AT ? all->count : part->first + ROOTED_LOOK_AT;
    const struct ordo_part *root = part_of_root(all, part); /* it may be beyond the first parts */
    if (root && root->rank != part->rank)
        bound_by_part(all, clocks, part, root, &high, &low);
    for (size_t i = part->first; i < end && all->all[i].first == part->first; i++)
        if (all->all[i].rank != part->rank)
            bound_by_part(all, clocks, part, &all->all[i], &high, &low);
    if (high.is_there)
        bounds->high[bounds->highs++] = high.at;
    if (low.is_there)
        bounds->low[bounds->lows++] = low.at;
    add_waited(bounds, &high, -all->shortest_ns);
    bounds->waits_high += high.waits;
    add_waited(bounds, &low, all->shortest_ns);
    bounds->waits_low += low.waits;
}

static int by_rooted_time(const void *a, const void *b)
{
    const struct ordo_likely *x = a, *y = b;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

/* Returns the number of bounds before a time. */
static int before_time(const struct ordo_likely *all, int count, int64_t at_ns)
{
    int low = 0;
    for (int high = count; low < high;) {
        int middle = low + (high - low) / 2;
        if (all[middle].at_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns by how much the offset may leave a straight line over a time. */
static double bend_of(const struct ordo_declared *declared, double over_ns)
{
    const double minute_ns = 6e10;
    return 2e-9 * declared->max_wander_ppb * fmax(over_ns / minute_ns, 1) * over_ns / 8;
}

/* Adds the edges of the gap as samples: the middle is then the likely offset, and half of the gap its spread. */
static void add_gap(const struct ordo_gap *gap, int64_t from_ns, int64_t until_ns, struct ordo_likely *likely,
                    int *count)
{
    for (int i = 0; i < ROOTED_POINTS; i++) {
        int64_t at_ns = from_ns + (until_ns - from_ns) / ROOTED_POINTS * i;
        double middle = gap->height_ns + gap->slope * (double)(at_ns - gap->at_ns), half = fabs(gap->width_ns) / 2;
        likely[(*count)++] = (struct ordo_likely){at_ns, gap->base_ns + llround(middle - half)};
        likely[(*count)++] = (struct ordo_likely){at_ns, gap->base_ns + llround(middle + half)};
    }
}

/* Finds the gap of a time; of both halves of it if the offset may bend too much. */
static void add_line(const struct rooted_bounds *of, const struct ordo_declared *declared, struct ordo_likely *likely,
                     int *count)
{
    const struct ordo_likely *high = of->high, *low = of->low;
    int64_t from_ns = high[0].at_ns < low[0].at_ns ? high[0].at_ns : low[0].at_ns;
    int64_t high_ns = high[of->highs - 1].at_ns, low_ns = low[of->lows - 1].at_ns;
    int64_t until_ns = high_ns > low_ns ? high_ns : low_ns, middle_ns = from_ns + (until_ns - from_ns) / 2;
    struct ordo_gap gap = ordo_gap_find(high, of->highs, low, of->lows, ordo_band_limit(declared));
    int highs = before_time(high, of->highs, middle_ns), lows = before_time(low, of->lows, middle_ns);
    bool divides = highs >= ROOTED_LEAST && lows >= ROOTED_LEAST && of->highs - highs >= ROOTED_LEAST &&
                   of->lows - lows >= ROOTED_LEAST;
    if (!divides || bend_of(declared, (double)(until_ns - from_ns)) <= gap.width_ns) {
        add_gap(&gap, from_ns, until_ns, likely, count);
        return;
    }
    add_line(&(struct rooted_bounds){.high = of->high, .low = of->low, .highs = highs, .lows = lows}, declared, likely,
             count);
    struct rooted_bounds later = {
        .high = of->high + highs, .low = of->low + lows, .highs = of->highs - highs, .lows = of->lows - lows};
    add_line(&later, declared, likely, count);
}

/* Collects the bounds of some calls of a rank, and makes the samples from them. Returns their number. */
static int make_samples(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                        const struct ordo_declared *declared, struct rooted_bounds *bounds)
{
    size_t from = all->begins[rank], end = all->begins[rank + 1], step = (end - from) / ROOTED_CALLS + 1;
    int count = 0;
    for (size_t i = from; i < end; i += step)
        bound_part(all, clocks, &all->all[all->of_rank[i]], bounds);
    if ((bounds->waits_high > 0) != (bounds->waits_low > 0)) {
        count = bounds->waits_high + bounds->waits_low;
        qsort(bounds->waits, (size_t)count, sizeof *bounds->waits, by_rooted_time);
    } else if (bounds->highs > 0 && bounds->lows > 0) {
        qsort(bounds->high, (size_t)bounds->highs, sizeof *bounds->high, by_rooted_time);
        qsort(bounds->low, (size_t)bounds->lows, sizeof *bounds->low, by_rooted_time);
        add_line(bounds, declared, bounds->waits, &count);
    }
    return count;
}

/* [K15] */
int ordo_rooted_likely(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                       const struct ordo_declared *declared, struct ordo_likely **likely)
{
    size_t calls = rank < all->ranks ? all->begins[rank + 1] - all->begins[rank] : 0;
    size_t most = calls < ROOTED_CALLS ? calls : ROOTED_CALLS, samples = (most / ROOTED_LEAST + 1) * 2 * ROOTED_POINTS;
    struct rooted_bounds bounds = {.high = malloc((most + 1) * sizeof *bounds.high),
                                   .low = malloc((most + 1) * sizeof *bounds.low),
                                   .waits = malloc(samples * sizeof *bounds.waits)};
    int count = bounds.high && bounds.low && bounds.waits ? 0 : -1;
    if (count == 0 && calls > 0)
        count = make_samples(all, clocks, rank, declared, &bounds);
    free(bounds.high);
    free(bounds.low);
    *likely = bounds.waits;
    if (count < 0) {
        free(bounds.waits);
        *likely = NULL;
    }
    return count;
}
