#include "net/timed/agree.h"

/* Returns the number of intervals that contain the point. */
static int count_at(const struct ordo_interval *stated, int count, int64_t point)
{
    int number = 0;
    for (int i = 0; i < count; i++)
        number += stated[i].low <= point && point <= stated[i].high;
    return number;
}

/* True if the interval contains a point of S. The first such point is its own lower end, or the lower end of another
 * interval. */
static bool meets(const struct ordo_interval *stated, int count, int least, int i)
{
    for (int k = 0; k < count; k++)
        if (stated[k].low >= stated[i].low && stated[k].low <= stated[i].high &&
            count_at(stated, count, stated[k].low) >= least)
            return true;
    return false;
}

enum ordo_timed_agreement ordo_timed_agree(const struct ordo_interval *stated, int count, int liars,
                                           struct ordo_interval *hull, bool *accused)
{
    int least = count - liars;
    struct ordo_interval found = {INT64_MAX, INT64_MIN};
    if (least < 1)
        return ORDO_TIMED_TOO_FEW;
    for (int i = 0; i < count; i++) {
        if (stated[i].low < found.low && count_at(stated, count, stated[i].low) >= least)
            found.low = stated[i].low;
        if (stated[i].high > found.high && count_at(stated, count, stated[i].high) >= least)
            found.high = stated[i].high;
    }
    if (found.low > found.high)
        return ORDO_TIMED_CONTRADICTION;
    for (int i = 0; i < count; i++)
        accused[i] = !meets(stated, count, least, i);
    *hull = found;
    return ORDO_TIMED_AGREED;
}
