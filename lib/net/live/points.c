#include "net/live/points.h"

#include <stdlib.h>

static const int64_t absurd_ns = INT64_C(100000000000);

static bool append_point(struct ordo_net_point **points, size_t *count, size_t *room, struct ordo_net_point point)
{
    if (*count == *room) {
        size_t larger = *room ? 2 * *room : 64;
        struct ordo_net_point *moved = realloc(*points, larger * sizeof *moved);
        if (!moved)
            return false;
        *points = moved;
        *room = larger;
    }
    (*points)[(*count)++] = point;
    return true;
}

static bool near(int64_t stamp_ns, int64_t base_ns)
{
    int64_t distance_ns;
    return !__builtin_sub_overflow(stamp_ns, base_ns, &distance_ns) && llabs(distance_ns) < absurd_ns;
}

/* Adds the point of a probe: stamp b minus stamp a, at the instant of stamp a. */
static bool add_point(struct ordo_net_points *points, const struct ordo_net_bases *bases, int64_t a_ns, int64_t b_ns,
                      bool there)
{
    struct ordo_net_samples *samples = &points->samples;
    if (!near(a_ns, bases->a_ns) || !near(b_ns, bases->b_ns))
        return true;
    int64_t at_ns = a_ns - bases->a_ns, delta_ns = b_ns - bases->b_ns - at_ns;
    struct ordo_net_point point = {at_ns * 1000, delta_ns * 1000};
    return there ? append_point(&samples->forward, &samples->forwards, &points->room_there, point)
                 : append_point(&samples->reverse, &samples->reverses, &points->room_back, point);
}

static bool kept_distance(int64_t left_ns, int64_t left_after_ns, int64_t came_ns, int64_t came_after_ns,
                          int64_t tolerance_ns)
{
    int64_t left_apart_ns, came_apart_ns, longer_ns;
    return !__builtin_sub_overflow(left_after_ns, left_ns, &left_apart_ns) &&
           !__builtin_sub_overflow(came_after_ns, came_ns, &came_apart_ns) &&
           !__builtin_sub_overflow(came_apart_ns, left_apart_ns, &longer_ns) && longer_ns >= -tolerance_ns &&
           longer_ns <= tolerance_ns;
}

bool ordo_net_points_add(struct ordo_net_points *all, struct ordo_net_points *pure, const struct ordo_net_pair *pair,
                         const struct ordo_net_bases *bases, int64_t tolerance_ns)
{
    const struct ordo_net_exchange *x = &pair->of[0], *y = &pair->of[1];
    unsigned fine = x->flags & y->flags;
    bool added = true;
    for (const struct ordo_net_exchange *one = x; one <= y; one++) {
        if (one->flags & ORDO_NET_THERE)
            added = added && add_point(all, bases, one->sent_ns, one->received_ns, true);
        if (one->flags & ORDO_NET_BACK)
            added = added && add_point(all, bases, one->back_ns, one->returned_ns, false);
    }
    if ((fine & ORDO_NET_THERE_FINE) &&
        kept_distance(x->sent_ns, y->sent_ns, x->received_ns, y->received_ns, tolerance_ns))
        added = added && add_point(pure, bases, x->sent_ns, x->received_ns, true);
    if ((fine & ORDO_NET_BACK_FINE) &&
        kept_distance(x->returned_ns, y->returned_ns, x->back_ns, y->back_ns, tolerance_ns))
        added = added && add_point(pure, bases, x->back_ns, x->returned_ns, false);
    return added;
}

void ordo_net_points_finish(struct ordo_net_points *points)
{
    ordo_net_points_sort(points->samples.forward, points->samples.forwards);
    ordo_net_points_sort(points->samples.reverse, points->samples.reverses);
}

void ordo_net_points_empty(struct ordo_net_points *points)
{
    points->samples.forwards = points->samples.reverses = 0;
}

void ordo_net_points_free(struct ordo_net_points *points)
{
    free(points->samples.forward);
    free(points->samples.reverse);
    *points = (struct ordo_net_points){0};
}
