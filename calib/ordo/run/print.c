#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "measure.h"
#include "json/builder.h"

static void print_clock_readings(const struct run_measured *measured, const struct run_cost *cost, int which)
{
    const uint64_t readings = run_readings_of(measured, which);
    if (readings == 0)
        return;
    printf("%-10s %14" PRIu64 " %12.0f", run_clock_name(which), readings,
           measured->seconds > 0 ? (double)readings / measured->seconds : 0);
    if (which == PRELOAD_OTHER)
        printf(" %9s %9s\n", "-", "not served");
    else if (cost->served)
        printf(" %9.1f %9.1f\n", cost->kernel_ns[which], cost->counter_ns[which]);
    else
        printf(" %9.1f %9s\n", cost->kernel_ns[which], "-");
}

void run_print_measured(const struct run_measured *measured, const struct run_cost *cost,
                        const struct run_verdict *verdict)
{
    const char *reason = verdict->reason;
    const struct run_share share = run_share_of(measured, cost);
    printf("%.2f s, %.2f s of CPU time, %" PRIu64 " program%s counted\n", measured->seconds, measured->cpu_seconds,
           measured->processes, measured->processes == 1 ? "" : "s");
    printf("%-10s %14s %12s %9s %9s\n", "clock", "readings", "per second", "kernel ns", "counter ns");
    for (int i = 0; i < PRELOAD_COUNTED; i++)
        print_clock_readings(measured, cost, i);
    if (!reason && verdict->effective != verdict->order)
        printf("the order is %s, because the record does not suffice for %s\n", preload_order_word(verdict->effective),
               preload_order_word(verdict->order));
    if (share.kernel_part > 1) {
        printf("the CPU time is not known: programs that were counted still run\n");
        return;
    }
    printf("readings take %.1f%% of the CPU time", 100 * share.kernel_part);
    if (reason)
        printf("; the counter cannot be used: %s\n", reason);
    else if (share.saved_part > 0)
        printf("; 'ordo run' would save %.1f%% of it\n", 100 * share.saved_part);
    else
        printf("; 'ordo run' would save nothing\n");
}

static struct ordo_json clock_object(const struct run_measured *measured, const struct run_cost *cost, int which)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "clock", run_clock_name(which));
    ordo_json_put_int(&object, "clock_gettime", (int64_t)measured->count[PRELOAD_GETTIME][which]);
    ordo_json_put_int(&object, "gettimeofday", (int64_t)measured->count[PRELOAD_TIMEOFDAY][which]);
    ordo_json_put_int(&object, "timespec_get", (int64_t)measured->count[PRELOAD_TIMESPEC][which]);
    const bool served = which != PRELOAD_OTHER;
    ordo_json_put(&object, "kernel_ns", served ? ordo_json_real(cost->kernel_ns[which]) : ordo_json_null());
    ordo_json_put(&object, "counter_ns",
                  served && cost->served ? ordo_json_real(cost->counter_ns[which]) : ordo_json_null());
    return object;
}

int run_print_measured_json(const struct run_measured *measured, const struct run_cost *cost,
                            const struct run_verdict *verdict)
{
    const struct run_share share = run_share_of(measured, cost);
    const char *reason = verdict->reason;
    struct ordo_json document = ordo_json_document("ordo-run/1"), clocks = ordo_json_array();
    for (int i = 0; i < PRELOAD_COUNTED; i++)
        ordo_json_add(&clocks, clock_object(measured, cost, i));
    ordo_json_put_int(&document, "exit_status", measured->status);
    ordo_json_put_int(&document, "programs", (int64_t)measured->processes);
    ordo_json_put_real(&document, "elapsed_s", measured->seconds);
    ordo_json_put_real(&document, "cpu_s", measured->cpu_seconds);
    ordo_json_put(&document, "clocks", clocks);
    ordo_json_put_text(&document, "order", preload_order_word(verdict->order));
    ordo_json_put(&document, "effective_order",
                  reason ? ordo_json_null() : ordo_json_text(preload_order_word(verdict->effective)));
    ordo_json_put_bool(&document, "usable", !reason);
    ordo_json_put_text(&document, "reason", reason ? reason : "");
    const bool known = share.kernel_part <= 1; /* else programs that were counted still run */
    ordo_json_put(&document, "kernel_share", known ? ordo_json_real(share.kernel_part) : ordo_json_null());
    ordo_json_put(&document, "saved_share", known && !reason ? ordo_json_real(share.saved_part) : ordo_json_null());
    return ordo_json_write(&document, stdout);
}
