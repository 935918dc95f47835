#include "calibrate/watch/observe.h"

#include <stddef.h>
#include <string.h>

void ordo_sight_take(struct ordo_sight *sight)
{
    for (const struct ordo_observer *const *at = ordo_observers; *at; at++)
        if ((*at)->look)
            (*at)->look(sight);
}

void ordo_sight_keep(struct ordo_sight *now, const struct ordo_sight *before)
{
    if (!now->online[0]) {
        memcpy(now->online, before->online, sizeof now->online);
        now->online_checksum = before->online_checksum;
    }
    if (!now->allowed[0]) {
        memcpy(now->allowed, before->allowed, sizeof now->allowed);
        now->allowed_checksum = before->allowed_checksum;
    }
    if (!now->clocksource[0])
        memcpy(now->clocksource, before->clocksource, sizeof now->clocksource);
    if (!now->vmclock) {
        now->vmclock = before->vmclock;
        now->vmclock_marker = before->vmclock_marker;
    }
    if (!now->clocks_read) {
        now->clocks_read = before->clocks_read;
        now->clocks = before->clocks;
    }
}
