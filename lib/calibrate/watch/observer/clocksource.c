/* Observes the kernel's current clock source, its list of clock sources, and its log. If the list or the log shows a
 * new fault of the counter, this is the kernel's own verdict. */
#include <stdio.h>
#include <string.h>

#include "calibrate/watch/observe.h"

static void look_at_clocksource(struct ordo_sight *sight)
{
    struct ordo_trust_follower asked;
    struct ordo_trust_follower *follower = sight->follower ? sight->follower : &asked;
    if (!sight->follower)
        ordo_trust_follow_begin(&asked);
    ordo_trust_follow(follower, &sight->verdict);
    (void)snprintf(sight->clocksource, sizeof sight->clocksource, "%.31s", follower->evidence.current);
    if (!sight->follower)
        ordo_trust_follow_end(&asked);
}

static bool judge_clocksource(const struct ordo_sight *base, const struct ordo_sight *before,
                              const struct ordo_sight *now, double tick_hz, struct ordo_finding *finding)
{
    (void)base, (void)tick_hz;
    bool rejected = !ordo_trust_allows(now->verdict.trust) && ordo_trust_allows(before->verdict.trust);
    bool changed = before->clocksource[0] && now->clocksource[0] && strcmp(before->clocksource, now->clocksource) != 0;
    if (!rejected && !changed)
        return false;
    finding->event = "clocksource";
    finding->follow = rejected ? ORDO_FOLLOW_DISRUPT : ORDO_FOLLOW_RENEW;
    if (rejected)
        (void)snprintf(finding->text, sizeof finding->text, ORDO_CLOCK_NAME " is %s: %.160s",
                       ordo_trust_word(now->verdict.trust), now->verdict.reason);
    else
        (void)snprintf(finding->text, sizeof finding->text, "the kernel's clock source changed from %.31s to %.31s",
                       before->clocksource, now->clocksource);
    return true;
}

const struct ordo_observer ordo_observer_clocksource = {
    .name = "clocksource", .look = look_at_clocksource, .judge = judge_clocksource};
