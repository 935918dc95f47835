#include "base/visit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void ordo_visit_merge(struct ordo_visit *visit, const struct ordo_visit *later)
{
    if (later->delta_ab < visit->delta_ab) {
        visit->delta_ab = later->delta_ab;
        visit->at_ab = later->at_ab;
    }
    if (later->delta_ba < visit->delta_ba) {
        visit->delta_ba = later->delta_ba;
        visit->at_ba = later->at_ba;
    }
    visit->ceiling_ab = ordo_max(visit->ceiling_ab, later->ceiling_ab);
    visit->ceiling_ba = ordo_max(visit->ceiling_ba, later->ceiling_ba);
}

struct ordo_interval ordo_offset_of_visit(const struct ordo_visit *visit)
{
    return (struct ordo_interval){-visit->delta_ba, visit->delta_ab};
}

struct ordo_interval ordo_offset_intersect(const struct ordo_visit *visits, int count)
{
    struct ordo_interval all = ordo_offset_of_visit(&visits[0]);
    for (int i = 1; i < count; i++)
        all = ordo_interval_intersect(all, ordo_offset_of_visit(&visits[i]));
    return all;
}

/* The limit that a visit sets in one direction: the offset is at most, or at least, `level` when clock a shows `at`. */
struct limit {
    int64_t at, level;
};

static int by_time(const void *a, const void *b)
{
    const struct limit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* True if the way from a over b to c bends upwards, or is straight. */
static bool bends_up(struct limit a, struct limit b, struct limit c)
{
    return (__int128)(b.level - a.level) * (c.at - b.at) <= (__int128)(c.level - b.level) * (b.at - a.at);
}

/* Adds a point that is not before the others to their upper convex hull; returns the number of points on it. */
static int wrap(struct limit *hull, int size, struct limit point)
{
    if (size > 0 && hull[size - 1].at == point.at) {
        if (hull[size - 1].level >= point.level)
            return size;
        size--;
    }
    while (size > 1 && bends_up(hull[size - 2], hull[size - 1], point))
        size--;
    hull[size] = point;
    return size + 1;
}

/* Returns the point of the hull from which the way to a later point rises least: along a hull, which bends down, the
 * slope falls and then grows. */
static struct limit touch(const struct limit *hull, int size, struct limit later)
{
    int low = 0, high = size - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (bends_up(hull[middle], hull[middle + 1], later))
            high = middle;
        else
            low = middle + 1;
    }
    return hull[low];
}

/* Returns the least slope from a point of `below` to a later one of `above`; both are sorted by time. Only points on
 * the upper hull of the earlier points of `below` can have it: any other is under a line between two of these, so the
 * way from one of the two is no steeper. Each point is put on the hull once and taken off at most once: O(n log n). */
static double least_slope(const struct limit *above, const struct limit *below, int count, struct limit *hull)
{
    double least = INFINITY;
    for (int i = 0, next = 0, size = 0; i < count; i++) {
        for (; next < count && below[next].at < above[i].at; next++)
            size = wrap(hull, size, below[next]);
        if (size == 0)
            continue;
        struct limit from = touch(hull, size, above[i]);
        least = fmin(least, (double)(above[i].level - from.level) / (double)(above[i].at - from.at));
    }
    return least;
}

/* Returns the same with the time running forwards (1) or backwards (-1); times and levels are relative to the first
 * visit. */
static double steepest(const struct ordo_visit *visits, int count, int64_t step_ticks, int direction,
                       struct limit *room)
{
    struct limit *above = room, *below = room + count;
    for (int i = 0; i < count; i++) {
        const struct ordo_visit *visit = &visits[i];
        above[i] = (struct limit){direction * (int64_t)(visit->at_ab - visits[0].at_ab),
                                  visit->delta_ab - visits[0].delta_ab + step_ticks};
        below[i] = (struct limit){direction * (int64_t)(visit->at_ba - visits[0].at_ab),
                                  -visit->delta_ba - visits[0].delta_ab - step_ticks};
    }
    qsort(above, (size_t)count, sizeof *above, by_time);
    qsort(below, (size_t)count, sizeof *below, by_time);
    return least_slope(above, below, count, room + 2 * count);
}

struct ordo_drift ordo_offset_drift(const struct ordo_visit *visits, int count, int64_t step_ticks)
{
    struct limit *room = malloc(3 * (size_t)count * sizeof *room);
    struct ordo_drift drift = {-INFINITY, INFINITY};
    if (!room)
        return drift;
    drift.max_ppb = steepest(visits, count, step_ticks, 1, room) * 1e9;
    /* Backwards in time every slope has the other sign, and later points are earlier. */
    drift.min_ppb = -steepest(visits, count, step_ticks, -1, room) * 1e9;
    free(room);
    return drift;
}
