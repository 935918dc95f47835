#include "preload/record.h"

#include <ordo/ordo.h>

#include "preload/kernel.h"
#include "preload/messages.h"
#include "preload/settings.h"

static size_t count_covered(const struct ordo_record_view *view)
{
    size_t count = 0;
    for (size_t cpu = 0; cpu < view->cpus_bytes * 8; cpu++)
        count += (size_t)ordo_record_covers(view, cpu);
    return count;
}

static bool is_ordered(const struct ordo_record_view *view)
{
    const size_t count = count_covered(view);
    const void *deltas;
    size_t bytes;
    if (count == 1)
        return true;
    return ordo_record_part(view, ORDO_PART_MATRIX, &deltas, &bytes) == ORDO_OK && bytes / 8 == count * count &&
           preload_messages_are_slower(deltas, count, view->head.flags & ORDO_FLAG_HYPERVISOR ? 3 : 2);
}

/* Sets the time at which the record ends. The clock of the record's end, CLOCK_BOOTTIME, advances with CLOCK_MONOTONIC
 * unless the machine is suspended; after a suspend the counter is not trusted anyway. */
static int set_end(struct preload_warrant *warrant, const struct ordo_record *head)
{
    struct ordo_record_moment moment;
    const int64_t now_ns = preload_kernel_ns(1); /* CLOCK_MONOTONIC in Linux's ABI */
    if (now_ns < 0 || ordo_record_now(&moment) != 0)
        return ORDO_E_SYSTEM;
    if ((uint64_t)moment.uptime_ns > head->void_after_ns) /* it expired after check_record */
        return ORDO_E_EXPIRED;
    const uint64_t left = head->void_after_ns - (uint64_t)moment.uptime_ns;
    warrant->void_monotonic_ns = left < (uint64_t)(INT64_MAX - now_ns) ? now_ns + (int64_t)left : INT64_MAX;
    return ORDO_OK;
}

/* Checks that the record holds here and now, on all CPUs of this thread. The set of CPUs is static, because a thread's
 * stack may be small. */
static int check_record(const struct ordo_record_view *view, struct ordo_error *error)
{
    static struct ordo_record_set allowed;
    static bool known; /* a new record must cover the CPUs of the start, not those of the thread that opens it */
    int code = ordo_record_holds(view, error);
    if (!code && (view->head.flags & ORDO_FLAG_PARTIAL))
        return ordo_record_refuse(error, ORDO_E_UNMEASURED, 0, "a boundary for all CPUs of the record");
    if (!code && !known)
        code = ordo_record_allowed(&allowed, error);
    known |= !code;
    return code ? code : ordo_record_check_set(view, &allowed, error);
}

static int check_boundary(const struct ordo_record *head, int64_t most_ns, struct ordo_error *error)
{
    const uint64_t ns = ordo_record_ticks_to_ns(head->boundary_ticks, head->tick_hz);
    char object[100];
    if (ns <= (uint64_t)most_ns)
        return ORDO_OK;
    if (error)
        (void)snprintf(object, sizeof object, "boundary of %llu ns, above --max-boundary", (unsigned long long)ns);
    return ordo_record_refuse(error, ORDO_E_BOUNDARY, 0, error ? object : "");
}

static int take_record(struct preload_warrant *warrant, const struct preload_settings *settings,
                       struct ordo_error *error)
{
    struct ordo_record_view view;
    int code = ordo_record_parse(warrant->record, warrant->record_bytes, &view);
    if (code)
        return ordo_record_refuse(error, code, 0, settings->record);
    code = check_record(&view, error);
    if (!code)
        code = check_boundary(&view.head, settings->max_boundary_ns, error);
    if (!code)
        code = set_end(warrant, &view.head);
    warrant->boundary_ticks = view.head.boundary_ticks;
    warrant->tick_hz = view.head.tick_hz;
    warrant->ordered = !code && is_ordered(&view);
    return code;
}

int preload_warrant_open(struct preload_warrant *warrant, const struct preload_settings *settings,
                         struct ordo_error *error)
{
    struct preload_warrant opened = {0};
    size_t bytes = 0;
    int code = ordo_record_map(settings->record, &opened.record, &bytes, error);
    if (code)
        return code;
    opened.record_bytes = bytes;
    code = take_record(&opened, settings, error);
    if (code)
        preload_warrant_close(&opened);
    else
        *warrant = opened;
    return code;
}

enum preload_standing preload_warrant_judge(const struct preload_warrant *warrant, int64_t monotonic_ns)
{
    const struct ordo handle = {.not_boundary = 1, .record = warrant->record};
    const int status = ordo_status(&handle);
    if (status != ORDO_STATUS_VALID && status != ORDO_STATUS_SUPERSEDED)
        return PRELOAD_WITHDRAWN;
    return status == ORDO_STATUS_SUPERSEDED || monotonic_ns > warrant->void_monotonic_ns ? PRELOAD_REPLACED
                                                                                         : PRELOAD_STANDS;
}

void preload_warrant_close(struct preload_warrant *warrant)
{
    if (warrant->record)
        (void)munmap((void *)(uintptr_t)warrant->record, (size_t)warrant->record_bytes);
    warrant->record = NULL;
}
