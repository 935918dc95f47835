#include "offset/interval.h"

#include <math.h>

struct ordo_interval ordo_offset_of_visit(const struct ordo_visit *visit)
{
    return (struct ordo_interval){-visit->delta_ba, visit->delta_ab};
}

struct ordo_interval ordo_offset_intersect(const struct ordo_visit *visits, int count)
{
    struct ordo_interval all = ordo_offset_of_visit(&visits[0]);
    for (int i = 1; i < count; i++) {
        struct ordo_interval one = ordo_offset_of_visit(&visits[i]);
        all.low = one.low > all.low ? one.low : all.low;
        all.high = one.high < all.high ? one.high : all.high;
    }
    return all;
}

struct ordo_drift ordo_offset_drift(const struct ordo_visit *visits, int count, int64_t step_ticks)
{
    struct ordo_drift drift = {-INFINITY, INFINITY};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double apart_ticks = (double)(int64_t)(visits[i].at_ab - visits[j].at_ba);
            double room_ticks = (double)(visits[i].delta_ab + visits[j].delta_ba + 2 * step_ticks);
            double bound_ppb = room_ticks / apart_ticks * 1e9;
            if (apart_ticks > 0 && bound_ppb < drift.max_ppb)
                drift.max_ppb = bound_ppb;
            if (apart_ticks < 0 && bound_ppb > drift.min_ppb)
                drift.min_ppb = bound_ppb;
        }
    return drift;
}
