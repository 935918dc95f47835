/* Keeps withdrawn records until they are marked DISRUPTED. A file may be temporarily unwritable (a read-only file
 * system, too many open files, no memory); the refuted record must not stay VALID because of that. */
#include "ordo/watch/mark.h"

#include <limits.h>
#include <unistd.h>

#include "calibrate/record/publish.h"
#include "ordo/kernel.h"
#include "ordo/watch/say.h"

enum { MOST = sizeof(((struct watch *)0)->unmarked) / sizeof(struct unmarked) };

static void forget_record(struct unmarked *unmarked)
{
    if (unmarked->any && unmarked->fd >= 0)
        (void)close(unmarked->fd);
    *unmarked = (struct unmarked){.any = false};
}

void watch_forget_unmarked(struct watch *watch)
{
    for (int i = 0; i < MOST; i++)
        forget_record(&watch->unmarked[i]);
}

/* If the list is full, drops the oldest record, for which marking was attempted most often. */
void watch_keep_unmarked(struct watch *watch, bool kernels, int fd, const struct ordo_record *head)
{
    struct unmarked *list = watch->unmarked;
    if (list[MOST - 1].any) {
        forget_record(&list[0]);
        memmove(list, list + 1, (MOST - 1) * sizeof *list);
        list[MOST - 1].any = false;
    }
    int at = 0;
    while (list[at].any)
        at++;
    list[at] = (struct unmarked){.any = true, .kernels = kernels, .fd = fd, .head = *head};
}

static void tell_marked(struct watch *watch, const struct unmarked *unmarked)
{
    if (!unmarked->kernels) {
        watch->metrics.disruptions++;
        return;
    }
    struct event event =
        event_of("kernel-clock", "%s.monotonic: withdrawn with the counter's, and measured anew", watch->path);
    watch_say(watch, &event);
    watch->kernel_ns = 0;
}

static int mark_record(struct watch *watch, const struct unmarked *unmarked, struct ordo_error *error)
{
    char path[PATH_MAX];
    uint32_t clock = unmarked->kernels ? ORDO_CLOCK_MONOTONIC : ORDO_CLOCK_ID;
    int code = ordo_record_path_of(clock, watch->path, path, sizeof path, error);
    return code ? code : ordo_record_disrupt_at(unmarked->fd, path, &unmarked->head, error);
}

/* Withdraws the record. The kernel's clock may be based on the counter that was proved wrong, so programs must not use
 * it before it was measured anew. */
void watch_withdraw_kernel_clock(struct watch *watch)
{
    struct ordo_record head;
    int fd, code = kernel_clock_reach(watch->path, &head, &fd);
    watch->kernel_unread = code == ORDO_E_SYSTEM;
    if (code)
        return;
    watch_keep_unmarked(watch, true, fd, &head);
    watch_mark(watch);
}

void watch_mark(struct watch *watch)
{
    struct ordo_error error = {0};
    struct unmarked *list = watch->unmarked;
    int left = 0, failed = ORDO_OK;
    if (watch->kernel_unread)
        watch_withdraw_kernel_clock(watch);
    for (int i = 0; i < MOST && list[i].any; i++) {
        int code = mark_record(watch, &list[i], &error);
        if (code == ORDO_E_SYSTEM) {
            failed = code;
            list[left++] = list[i];
            continue;
        }
        if (code == ORDO_OK)
            tell_marked(watch, &list[i]);
        forget_record(&list[i]);
    }
    for (int i = left; i < MOST; i++)
        list[i].any = false;
    watch_trouble(watch, &watch->mark_trouble, failed, &error);
}
