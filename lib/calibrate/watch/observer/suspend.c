/* Observes a suspend, during which CLOCK_BOOTTIME advances and CLOCK_MONOTONIC does not. The observer of the rate
 * (rate.c) reads the clocks. */
#include <stdio.h>

#include "calibrate/watch/observe.h"

/* The duration of the shortest suspend; readers use the same limit (ordo_record_was_suspended). */
enum { SHORTEST_SUSPEND_NS = 1000000 };

static bool judge_suspend(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                          double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    if (!before->clocks_read || !now->clocks_read || before->clocks.raw_ns < 0 || now->clocks.raw_ns < 0)
        return false;
    int64_t slept_ns = now->clocks.suspended_low_ns - before->clocks.suspended_high_ns;
    if (slept_ns <= SHORTEST_SUSPEND_NS)
        return false;
    finding->event = "suspend";
    finding->follow = ORDO_FOLLOW_DISRUPT;
    (void)snprintf(finding->text, sizeof finding->text, "the machine was suspended for %.3f s", (double)slept_ns / 1e9);
    return true;
}

const struct ordo_observer ordo_observer_suspend = {.name = "suspend", .judge = judge_suspend};
