/* The change that the observer detects, and its consequence. Here: if the counter ran backwards, the record is
 * withdrawn. */
#include <stdio.h>

#include "calibrate/watch/observe.h"

static bool judge_NAME(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                       double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    if (!before->clocks_read || !now->clocks_read || now->clocks.after_ticks >= before->clocks.before_ticks)
        return false;
    finding->event = "NAME";
    finding->follow = ORDO_FOLLOW_DISRUPT;
    (void)snprintf(finding->text, sizeof finding->text, "%s: ran backwards", ORDO_CLOCK_NAME);
    return true;
}

const struct ordo_observer ordo_observer_NAME = {.name = "NAME", .judge = judge_NAME};
