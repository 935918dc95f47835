/* The output of the watcher: events, troubles, metrics. */
#include "ordo/watch/say.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/time.h"
#include "calibrate/watch/walk.h"

int64_t watch_cpu_ns(void)
{
    struct timespec used = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

void watch_say(struct watch *watch, const struct event *event)
{
    struct ordo_error error;
    if (watch->options->log && !watch->options->quiet)
        fprintf(stderr, "%s: %s: %s\n", watch->program, event->event, event->text);
    int code = event_put(&watch->log, event, &error);
    watch_trouble(watch, &watch->log_trouble, code, &error);
}

/* Reports the beginning or the end of a trouble. A trouble of the log itself is reported on stderr only. */
static void tell_trouble(struct watch *watch, const struct trouble *trouble, const struct event *event)
{
    if (trouble == &watch->log_trouble)
        fprintf(stderr, "%s: %s: %s\n", watch->program, event->event, event->text);
    else
        watch_say(watch, event);
}

void watch_trouble(struct watch *watch, struct trouble *trouble, int code, const struct ordo_error *error)
{
    struct event event;
    watch->metrics.troubles += code != ORDO_OK;
    if ((code != ORDO_OK) == trouble->lasts)
        return;
    trouble->lasts = code != ORDO_OK;
    event = code ? event_of("trouble", "%.200s; this will be tried again", error->text)
            : trouble == &watch->mark_trouble
                ? event_of("recovered", "the record that was proved wrong is now marked, or has been replaced")
                : event_of("recovered", "the %s can be written again",
                           trouble == &watch->log_trouble       ? "log"
                           : trouble == &watch->metrics_trouble ? "file of metrics"
                                                                : "record");
    tell_trouble(watch, trouble, &event);
}

/* Finds the pair with the largest possible offset, and the largest drift. */
static void sum_up_pairs(struct watch *watch)
{
    struct metrics *metrics = &watch->metrics;
    const struct ordo_record *head = &watch->held.view.head;
    double tick_hz = (double)head->tick_hz, worst = 0;
    metrics->drift_ppb = 0;
    metrics->left_s = INFINITY;
    for (int i = 0; i < watch->pair_count; i++) {
        const struct watched_pair *pair = &watch->pairs[i];
        struct ordo_trend trend;
        if (!ordo_track_seen(&pair->track))
            continue;
        struct ordo_interval offset = ordo_track_interval(&pair->track);
        double apart = fmax(fabs((double)offset.low), fabs((double)offset.high));
        if (apart > worst) {
            worst = apart;
            metrics->worst_a = pair->a;
            metrics->worst_b = pair->b;
        }
        if (ordo_track_trend(&pair->track, head->boundary_ticks, head->granule_ticks, tick_hz, &trend)) {
            metrics->drift_ppb = fmax(metrics->drift_ppb, fabs(trend.drift_ppb));
            metrics->left_s = fmin(metrics->left_s, trend.left_s);
        }
    }
    metrics->worst_s = tick_hz > 0 ? worst / tick_hz : 0;
}

static void sum_up_record(struct watch *watch)
{
    struct metrics *metrics = &watch->metrics;
    const struct ordo_record *head = &watch->held.view.head;
    struct timespec boot = {0};
    (void)clock_gettime(CLOCK_BOOTTIME, &boot);
    bool any = held_any(&watch->held);
    metrics->verdict = !any ? VERDICT_MISSING : watch->usable ? VERDICT_VALID : VERDICT_DISRUPTED;
    metrics->boundary_ticks = any ? head->boundary_ticks : 0;
    metrics->generation = any ? head->generation : 0;
    metrics->trust = watch->last.verdict.trust;
    metrics->boundary_s = any && head->tick_hz ? (double)head->boundary_ticks / (double)head->tick_hz : 0;
    metrics->age_s =
        any ? fmax(0, (double)boot.tv_sec + (double)boot.tv_nsec * 1e-9 - (double)head->as_of_ns * 1e-9) : 0;
}

static void sum_up_watcher(struct watch *watch)
{
    struct metrics *metrics = &watch->metrics;
    struct timespec real = {0};
    (void)clock_gettime(CLOCK_REALTIME, &real);
    int64_t cpu_ns = watch_cpu_ns();
    metrics->uptime_s = (double)(ordo_raw_ns() - watch->begin_ns) / 1e9;
    metrics->cpu_s = (double)cpu_ns / 1e9;
    metrics->share = metrics->uptime_s > 0 ? (double)(cpu_ns - watch->calibrating_ns) / 1e9 / metrics->uptime_s : 0;
    metrics->asked = watch->pace.share;
    metrics->seen_s = (double)real.tv_sec + (double)real.tv_nsec * 1e-9;
}

void watch_write_metrics(struct watch *watch)
{
    struct ordo_error error;
    if (!watch->options->metrics)
        return;
    sum_up_pairs(watch);
    sum_up_record(watch);
    sum_up_watcher(watch);
    int code = metrics_write(&watch->metrics, watch->options->metrics, &error);
    watch_trouble(watch, &watch->metrics_trouble, code, &error);
}
