#include "preload/record.h"

#include <ordo/ordo.h>

#include "preload/kernel.h"
#include "preload/settings.h"

/* True if a message between any two CPUs certainly takes longer than their clocks differ, in both directions.
 *
 * The delta of a direction is the smallest difference, over all runs, between the reader's clock and the time that the
 * writer sent over a cache line. So a delta is the latency of the fastest message plus the offset of the clocks. Let
 * l and m be these latencies for the two directions of a pair, and s the offset: the deltas are l + s and m - s. A
 * message that takes x makes the later reading smaller only if x < -s, that is x < l - delta. This check demands that
 * each delta is at least a quarter of the sum l + m of both deltas. Then such a message would have to be faster than
 * the fastest of all measured messages by a quarter of a round trip. A cache line that a program reads is transferred in
 * the same way as the measured one, and a thread that migrates needs a message between the CPUs too. */
static bool messages_are_slower(const int64_t *deltas, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const int64_t there = deltas[i * count + j], back = deltas[j * count + i];
            if (there == ORDO_DELTA_UNMEASURED || back == ORDO_DELTA_UNMEASURED || there <= 0 || back <= 0 ||
                there < (there + back) / 4 || back < (there + back) / 4)
                return false;
        }
    return true;
}

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
           messages_are_slower(deltas, count);
}

/* Sets the time at which the record ends. The clock of the record's end, CLOCK_BOOTTIME, advances with CLOCK_MONOTONIC
 * unless the machine is suspended; after a suspend the counter is not trusted anyway. */
static int set_end(struct preload_warrant *warrant, const struct ordo_record *head)
{
    struct ordo_record_moment moment;
    const int64_t now_ns = preload_kernel_ns(1); /* CLOCK_MONOTONIC in Linux's ABI */
    if (now_ns < 0 || ordo_record_now(&moment) != 0)
        return ORDO_E_SYSTEM;
    const uint64_t left = head->void_after_ns - (uint64_t)moment.uptime_ns;
    warrant->void_monotonic_ns = left < (uint64_t)(INT64_MAX - now_ns) ? now_ns + (int64_t)left : INT64_MAX;
    return ORDO_OK;
}

/* Checks that the record holds here and now, on all CPUs of this thread. The set of CPUs is static, because a thread's
 * stack may be small. */
static int check_record(const struct ordo_record_view *view, struct ordo_error *error)
{
    static struct ordo_record_set allowed;
    int code = ordo_record_holds(view, error);
    if (!code && (view->head.flags & ORDO_FLAG_PARTIAL))
        return ordo_record_refuse(error, ORDO_E_UNMEASURED, 0, "a boundary for all CPUs of the record");
    if (!code)
        code = ordo_record_allowed(&allowed, error);
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
