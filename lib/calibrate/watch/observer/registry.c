#include "calibrate/watch/observe.h"

#include <stddef.h>

void ordo_sight_take(struct ordo_sight *sight)
{
    for (const struct ordo_observer *const *at = ordo_observers; *at; at++)
        if ((*at)->look)
            (*at)->look(sight);
}
