/* The CPUs that are online, and those that the cgroup allows. One that comes may count from anywhere, even if it was there
 * before. */
#include <stdio.h>
#include <string.h>

#include "calibrate/watch/observe.h"

static void look(struct ordo_sight *sight)
{
    if (ordo_record_read_text("/sys/devices/system/cpu/online", sight->online, sizeof sight->online) < 0)
        sight->online[0] = '\0';
    sight->online[strcspn(sight->online, "\n")] = '\0';
}

static bool judge(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                  double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    bool online = strcmp(before->online, now->online) != 0, allowed = strcmp(before->allowed, now->allowed) != 0;
    if (!online && !allowed)
        return false;
    finding->event = "cpus";
    finding->follow = ORDO_FOLLOW_RENEW;
    (void)snprintf(finding->text, sizeof finding->text, "the CPUs that are %s changed from %.60s to %.60s",
                   online ? "online" : "allowed", online ? before->online : before->allowed,
                   online ? now->online : now->allowed);
    return true;
}

const struct ordo_observer ordo_observer_cpus = {.name = "cpus", .look = look, .judge = judge};
