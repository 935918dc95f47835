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

static int by_instant(const void *a, const void *b)
{
    const struct limit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* True if the slope from b to c is at least the slope from a to b. */
static bool bends_up(struct limit a, struct limit b, struct limit c)
{
    return (__int128)(b.level - a.level) * (c.at - b.at) <= (__int128)(c.level - b.level) * (b.at - a.at);
}

/* Adds a point to the upper convex hull of earlier points. The point is not before any of them. Returns the number of
 * points on the hull. */
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

/* Returns the point of the hull from which the slope to a later point is least. The search is binary, because along an
 * upper hull this slope first falls and then grows. */
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

/* Returns the least slope from a point of `below` to a later point of `above`; both are sorted by time. Only points on
 * the upper hull of the earlier points of `below` can give this slope: any other point is under a line between two hull
 * points, and from one of these two the slope is not larger. Each point is added to the hull once and removed at most
 * once, so the time is O(n log n). */
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

/* Returns the least slope that the visits allow, with the time running forwards (`direction` 1) or backwards (-1).
 * Times and levels are relative to the first visit. */
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
    qsort(above, (size_t)count, sizeof *above, by_instant);
    qsort(below, (size_t)count, sizeof *below, by_instant);
    return least_slope(above, below, count, room + 2 * count);
}

struct ordo_drift ordo_offset_drift(const struct ordo_visit *visits, int count, int64_t step_ticks)
{
    struct limit *room = malloc(3 * (size_t)count * sizeof *room);
    struct ordo_drift drift = {-INFINITY, INFINITY};
    if (!room)
        return drift;
    drift.max_ppb = steepest(visits, count, step_ticks, 1, room) * 1e9;
    /* If the time runs backwards, every slope changes its sign, and later points become earlier. */
    drift.min_ppb = -steepest(visits, count, step_ticks, -1, room) * 1e9;
    free(room);
    return drift;
}
