/* The record of the kernel's clock, next to the counter's record. The watcher makes this record if there is no valid
 * one; mark.c withdraws it with the counter's. The watcher does not watch the pairs of the kernel's clock, because the
 * kernel watches that clock itself. */
#include "ordo/watch/kernel.h"

#include <stdlib.h>

#include "base/time.h"
#include "ordo/kernel.h"
#include "ordo/recalibrate.h"
#include "ordo/watch/observe.h"
#include "ordo/watch/renew.h"
#include "ordo/watch/say.h"

#define LOOK_NS 10000000000
#define LONGEST_DELAY_NS 600000000000

static void tell_kernel_clock(struct watch *watch, const struct kernel_clock *found)
{
    struct event event = found->measured
                             ? event_of("kernel-clock", "%.200s: generation %llu, boundary %llu ns", found->path,
                                        (unsigned long long)found->generation, (unsigned long long)found->boundary_ns)
                             : event_of("kernel-clock",
                                        "no calibration of the kernel's clock: %.180s; tried again in "
                                        "%.0f s",
                                        found->reason, (double)watch->kernel_delay_ns / 1e9);
    watch_say(watch, &event);
}

/* Keeps watching during a calibration of the kernel's clock. A finding is about the counter, so it does not end this
 * calibration. */
static int on_kernel_progress(void *context, const struct ordo_calibrate_progress *progress)
{
    struct watch *watch = context;
    (void)progress;
    (void)watch_meanwhile(watch);
    return watch->stop;
}

static void renew_kernel_clock(struct watch *watch)
{
    struct ordo_calibrate_options options = {.progress = on_kernel_progress, .progress_context = watch};
    struct kernel_clock found;
    char *list = NULL, *present = NULL;
    int64_t cpu_ns = watch_cpu_ns();
    if (watch_choose(watch, &options, &list, &present) == ORDO_OK)
        kernel_clock_renew(&options, watch->path, true, &found);
    else
        found = (struct kernel_clock){.reason = "out of memory"};
    free(list);
    free(present);
    watch->calibrating_ns += watch_cpu_ns() - cpu_ns;
    watch->kernel_unread &= !found.measured; /* the unreadable record was replaced */
    watch->kernel_delay_ns = found.measured                                  ? LOOK_NS
                             : 2 * watch->kernel_delay_ns < LONGEST_DELAY_NS ? 2 * watch->kernel_delay_ns
                                                                             : LONGEST_DELAY_NS;
    if (!watch->stop)
        tell_kernel_clock(watch, &found);
}

void watch_look_at_kernel_clock(struct watch *watch)
{
    int64_t now_ns = ordo_raw_ns();
    if (now_ns < watch->kernel_ns || !ordo_record_clock_is_kernels(ORDO_CLOCK_MONOTONIC))
        return;
    if (watch->kernel_delay_ns < LOOK_NS)
        watch->kernel_delay_ns = LOOK_NS;
    int code = kernel_clock_judge(watch->path);
    if (code == ORDO_E_RATE) /* its handles must learn of the fault */
        (void)kernel_clock_withdraw(watch->path);
    if (recalibrate_mends(code))
        renew_kernel_clock(watch);
    watch->kernel_ns = ordo_raw_ns() + watch->kernel_delay_ns;
}
