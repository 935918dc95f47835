/* Observations of everything besides the pairs. */
#include "ordo/watch/observe.h"

#include "base/time.h"
#include "calibrate/record/publish.h"
#include "calibrate/watch/hop.h"
#include "ordo/watch/mark.h"
#include "ordo/watch/rounds.h"
#include "ordo/watch/say.h"
#include "ordo/watch/signals.h"
#include "ordo/watch/want.h"

#define SECOND_NS 1000000000
#define BASE_NS                                                                                                        \
    60000000000 /* the rate is judged over this time; the record is refreshed this often while its clock runs well */

/* Notes in the record that its counter ran well until now; readers then no longer allow for earlier errors of its
 * rate. */
static void refresh(struct watch *watch, const struct ordo_sight *now)
{
    if (watch->usable && now->clocks_read && ordo_record_check_rate(&watch->held.view.head, &now->clocks))
        (void)ordo_record_refresh(watch->path, &watch->held.view.head, &now->clocks, NULL);
}

/* Acts on a finding. True if a calibration is needed. */
static bool follow_finding(struct watch *watch, const struct ordo_finding *finding)
{
    if (finding->follow == ORDO_FOLLOW_DISRUPT)
        watch_disrupt(watch);
    struct event event = event_of(finding->event, "%s", finding->text);
    watch_say(watch, &event);
    if (finding->follow == ORDO_FOLLOW_NOTHING)
        return false;
    watch_want(watch, false, 0, finding->text);
    return true;
}

bool watch_observe(struct watch *watch)
{
    struct ordo_sight now = {.vmclock_path = watch->options->vmclock, .follower = &watch->trust};
    struct ordo_finding finding;
    bool found = false, wanted = false;
    now.allowed_checksum = ordo_hop_release(now.allowed, sizeof now.allowed);
    if (held_any(&watch->held))
        (void)ordo_hop_to(watch->held.cpus[0]); /* read the same CPU's clock each time */
    ordo_sight_take(&now);
    if (watch->sighted)
        ordo_sight_keep(&now, &watch->last);
    double tick_hz = held_any(&watch->held) ? (double)watch->held.view.head.tick_hz : 0;
    for (const struct ordo_observer *const *at = ordo_observers; watch->sighted && tick_hz > 0 && *at; at++)
        if ((*at)->judge(&watch->base, &watch->last, &now, tick_hz, &finding)) {
            wanted |= follow_finding(watch, &finding);
            found = true;
        }
    int64_t now_ns = ordo_raw_ns();
    if (!watch->sighted || found || now_ns - watch->base_ns > BASE_NS) {
        watch->base = now;
        watch->base_ns = now_ns;
        if (!found)
            refresh(watch, &now);
    }
    watch->last = now;
    watch->sighted = true;
    watch->observed_ns = now_ns;
    return wanted;
}

bool watch_meanwhile(struct watch *watch)
{
    notify_send(&watch->notify, "WATCHDOG=1");
    watch_heed_signals(watch, 0);
    if (watch->stop)
        return true;
    if (ordo_raw_ns() - watch->observed_ns >= SECOND_NS) {
        watch_mark(watch);
        if (watch_observe(watch))
            return true;
    }
    return watch_glance(watch);
}
