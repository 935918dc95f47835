/* The consequences of a finding: the record is withdrawn, and a calibration is requested. */
#include "ordo/watch/want.h"

#include <math.h>
#include <stdio.h>

#include "ordo/watch/mark.h"

void watch_drop_pending(struct watch *watch)
{
    ordo_calibration_free(watch->pending);
    watch->pending = NULL;
}

void watch_want(struct watch *watch, bool force, double growth_ppb, const char *reason)
{
    struct wanted *wanted = &watch->wanted;
    watch_drop_pending(watch);
    wanted->force |= force;
    wanted->growth_ppb = fmax(wanted->growth_ppb, fabs(growth_ppb));
    wanted->any = true;
    wanted->at_ns = 0;
    if (reason != wanted->reason)
        (void)snprintf(wanted->reason, sizeof wanted->reason, "%.150s", reason);
}

void watch_withdraw(struct watch *watch)
{
    watch->usable = false;
    if (!held_any(&watch->held) || watch->held.withdrawn)
        return;
    watch->held.withdrawn = true;
    watch_keep_unmarked(watch, false, held_take_fd(&watch->held), &watch->held.view.head);
    watch_mark(watch);
    watch_withdraw_kernel_clock(watch);
}

void watch_disrupt(struct watch *watch)
{
    watch_drop_pending(watch);
    watch_withdraw(watch);
}
