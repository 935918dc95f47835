/* lttng-clock: LTTng's user-space tracer on the clock of Ordo.
 *
 * Compiled with LTTNG_CLOCK_PLUGIN this is a clock plug-in: the tracer of any program loads it if LTTNG_UST_CLOCK_PLUGIN
 * names it, and then stamps events with the hardware clock that the boundary record vouches for. The trace says so: its
 * clock is called "ordo", and its description has the boundary, so that a program that merges the streams of the CPUs
 * knows which events are certainly in order. A program without a record keeps the tracer's own clock, with a line that
 * says why: a trace never claims an unmeasured boundary.
 *
 *     lttng create; lttng enable-event --userspace 'lttng_ust_tracef:*'; lttng start
 *     LTTNG_UST_CLOCK_PLUGIN=./liblttng-clock-plugin.so ./lttng-clock
 *     lttng destroy; babeltrace2 --clock-cycles TRACE
 *
 * Compiled without, it is a program with two threads to be traced. The text of each event has a reading of the clock
 * just before it; the time in the trace is not certainly earlier, and not later than the next event's. */
#define _GNU_SOURCE
#include <inttypes.h>

#include <ordo/ordo.h>

static struct ordo o;

#ifdef LTTNG_CLOCK_PLUGIN

#include <lttng/ust-clock.h>

static char description[64];

/* Called for each event, so an ordered read: earlier loads of the program are done, and nothing later has begun. */
static uint64_t read_clock(void)
{
    return ordo_get_time(&o).ticks;
}

static uint64_t tick_hz(void)
{
    return ordo_tick_hz(&o);
}

/* That of the boot, which the times belong to, as text. */
static int boot_uuid(char *uuid)
{
    const unsigned char *id = o.record->boot_id;
    for (int i = 0; i < 16; i++)
        uuid += snprintf(uuid, 4, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", id[i]);
    return 0;
}

static const char *clock_name(void)
{
    return "ordo";
}

static const char *clock_description(void)
{
    return description;
}

void lttng_ust_clock_plugin_init(void);

/* What the tracer calls when it has loaded the plug-in. */
void lttng_ust_clock_plugin_init(void)
{
    struct ordo_error error;
    if (ordo_open_error(&o, NULL, &error)) {
        fprintf(stderr, "lttng-clock: %s; the trace has the tracer's own clock\n", error.text);
        return;
    }
    (void)snprintf(description, sizeof description, "hardware clock, boundary %" PRIu64 " ticks", ordo_boundary(&o));
    if (lttng_ust_trace_clock_set_read64_cb(read_clock) || lttng_ust_trace_clock_set_freq_cb(tick_hz) ||
        lttng_ust_trace_clock_set_uuid_cb(boot_uuid) || lttng_ust_trace_clock_set_name_cb(clock_name) ||
        lttng_ust_trace_clock_set_description_cb(clock_description) || lttng_ust_enable_trace_clock_override())
        fprintf(stderr, "lttng-clock: the tracer has a clock already\n");
}

#else

#include <lttng/tracef.h>
#include <pthread.h>

enum { EVENTS = 100 };

static void *work(void *number)
{
    for (int i = 0; i < EVENTS; i++)
        lttng_ust_tracef("thread %d event %d read %" PRIu64, (int)(intptr_t)number, i, ordo_get_time(&o).ticks);
    return NULL;
}

int main(void)
{
    struct ordo_error error;
    pthread_t threads[2];
    if (ordo_open_error(&o, NULL, &error)) {
        fprintf(stderr, "lttng-clock: %s\n", error.text);
        return 1;
    }
    for (intptr_t k = 0; k < 2; k++)
        if (pthread_create(&threads[k], NULL, work, (void *)k))
            return 1;
    for (int k = 0; k < 2; k++)
        (void)pthread_join(threads[k], NULL);
    printf("%d events, boundary %" PRIu64 " ticks\n", 2 * EVENTS, ordo_boundary(&o));
    ordo_close(&o);
    return fflush(stdout) != 0 || ferror(stdout);
}

#endif
