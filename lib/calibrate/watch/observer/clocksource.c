/* The kernel's clock source. That the counter is taken off the list is the kernel's own verdict on it. */
#include <stdio.h>
#include <string.h>

#include "calibrate/watch/observe.h"
#include "machine/counter/counter.h"

static void look(struct ordo_sight *sight)
{
    struct ordo_trust trust;
    ordo_trust_read(&trust);
    (void)snprintf(sight->clocksource, sizeof sight->clocksource, "%.31s", trust.kernel_current);
    sight->counter_rejected = trust.kernel_rejects;
}

static bool judge(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                  double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    bool rejected = now->counter_rejected && !before->counter_rejected;
    if (!rejected && strcmp(before->clocksource, now->clocksource) == 0)
        return false;
    finding->event = "clocksource";
    finding->follow = rejected ? ORDO_FOLLOW_DISRUPT : ORDO_FOLLOW_RENEW;
    (void)snprintf(finding->text, sizeof finding->text, "the kernel's clock source changed from %.31s to %.31s%s",
                   before->clocksource, now->clocksource, rejected ? ", and it rejects " ORDO_CLOCK_NAME : "");
    return true;
}

const struct ordo_observer ordo_observer_clocksource = {.name = "clocksource", .look = look, .judge = judge};
