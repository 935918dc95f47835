#include "net/offset/samples.h"

void ordo_net_points_sort(struct ordo_net_point *points, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct ordo_net_point point = points[i];
        size_t place = i;
        for (; place > 0 && points[place - 1].at_ps > point.at_ps; place--)
            points[place] = points[place - 1];
        points[place] = point;
    }
}
