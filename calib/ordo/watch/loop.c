/* The main loop of the watcher: rounds, which use a fixed share of one core; everything else, once a second; and
 * signals, at any time. */
#include "ordo/watch/loop.h"

#include <signal.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/time.h"
#include "calibrate/record/publish.h"
#include "common/place.h"
#include "common/result.h"
#include "ordo/watch/kernel.h"
#include "ordo/watch/lock.h"
#include "ordo/watch/mark.h"
#include "ordo/watch/observe.h"
#include "ordo/watch/renew.h"
#include "ordo/watch/rounds.h"
#include "ordo/watch/say.h"
#include "ordo/watch/signals.h"

#define SECOND_NS 1000000000
#define METRICS_NS 10000000000

/* Keeps the lock. If the file system was lost, and the lock with it, takes the lock again as soon as the file system is
 * back. */
static void keep_lock(struct watch *watch)
{
    struct ordo_error error;
    if (watch_lock_holds(watch->lock, watch->path))
        return;
    int fresh = watch_lock(watch->path, &error);
    if (fresh < 0 && error.code == ORDO_E_INVALID) {
        struct event event = event_of("ousted", "%.300s", error.text);
        watch_say(watch, &event);
        watch->stop = true;
    }
    if (fresh < 0)
        return; /* the lock cannot be created: writing other files there fails, too, and is reported */
    if (watch->lock >= 0)
        (void)close(watch->lock);
    watch->lock = fresh;
}

static void once_a_second(struct watch *watch)
{
    struct ordo_error error;
    int64_t now_ns = ordo_raw_ns();
    watch->second_ns = now_ns;
    keep_lock(watch);
    watch_mark(watch);
    (void)watch_observe(watch); /* first, because its events say more about the cause */
    watch_look_at_record(watch);
    if (watch->log.count > 0) {
        int code = event_log_flush(&watch->log, &error);
        watch_trouble(watch, &watch->log_trouble, code, &error);
    }
    if (now_ns - watch->metrics_ns >= METRICS_NS || watch->metrics_trouble.lasts) {
        watch->metrics_ns = now_ns;
        watch_write_metrics(watch);
    }
}

static void renew_record(struct watch *watch)
{
    uint64_t done = watch->metrics.calibrations + watch->metrics.refusals;
    watch_renew(watch);
    if (watch->metrics.calibrations + watch->metrics.refusals == done)
        return;
    watch_write_metrics(watch);
}

/* Returns the CPU time that counts towards the share of the rounds: without calibrations, and without the reserve. */
static int64_t paced_ns(const struct watch *watch)
{
    return watch_cpu_ns() - watch->calibrating_ns - watch->reserve_ns;
}

/* Returns the time to wait: until the next round or the next second, or until the service manager expects a watchdog
 * message, whichever comes first. */
static int64_t wait_for(const struct watch *watch, int64_t round_ns)
{
    int64_t now_ns = ordo_raw_ns(), wait_ns = round_ns - now_ns;
    if (wait_ns > watch->second_ns + SECOND_NS - now_ns)
        wait_ns = watch->second_ns + SECOND_NS - now_ns;
    if (watch->notify.ping_ns && wait_ns > watch->notify.ping_ns)
        wait_ns = watch->notify.ping_ns;
    return wait_ns > 0 ? wait_ns : 0;
}

/* Runs rounds at intervals that depend on their cost. Once a second, checks the kernel and the record. */
static void loop(struct watch *watch)
{
    int64_t round_ns = 0, paid_ns = paced_ns(watch);
    while (!watch->stop) {
        bool second = ordo_raw_ns() - watch->second_ns >= SECOND_NS, round = ordo_raw_ns() >= round_ns;
        if (round)
            watch_round(watch, second); /* first, because it can tell which CPU jumped */
        if (second)
            once_a_second(watch);
        renew_record(watch);
        if (second && !watch->stop)
            watch_look_at_kernel_clock(watch);
        notify_send(&watch->notify, "WATCHDOG=1");
        if (round) {
            round_ns = ordo_raw_ns() + ordo_pace_after(&watch->pace, paced_ns(watch) - paid_ns);
            paid_ns = paced_ns(watch);
        }
        watch_heed_signals(watch, wait_for(watch, round_ns));
    }
}

/* Runs one complete round of a watcher, for tests and for periodic jobs. */
static int run_once(struct watch *watch)
{
    for (int i = 0; i < watch->pair_count && watch->usable; i++)
        watch_round(watch, i == 0);
    (void)watch_observe(watch);
    renew_record(watch);
    if (!watch->stop)
        watch_look_at_kernel_clock(watch);
    watch_write_metrics(watch);
    if (watch->log_trouble.lasts || watch->metrics_trouble.lasts || watch->record_trouble.lasts ||
        watch->mark_trouble.lasts)
        return EXIT_INTERNAL;
    return watch->usable ? EXIT_OK : watch->metrics.disruptions ? EXIT_FAILS : EXIT_UNKNOWN;
}

static void tell_start(struct watch *watch)
{
    struct event event =
        event_of("start", "watches %s with %.3g%% of a core: %d CPUs, %d pairs, %d exchanges a look", watch->path,
                 watch->options->share_percent, watch->held.count, watch->pair_count, ordo_looker_runs(watch->looker));
    watch_say(watch, &event);
}

static int watch_locked(struct watch *watch)
{
    int exit_code = EXIT_OK;
    watch->begin_ns = ordo_raw_ns();
    if (watch->options->metrics)
        ordo_file_sweep(watch->options->metrics);
    ordo_trust_follow_begin(&watch->trust);
    watch_load(watch);
    (void)watch_observe(watch); /* from now on, also during calibrations, no event is missed */
    tell_start(watch);
    renew_record(watch);
    watch_begin_rounds(watch);
    watch_write_metrics(watch);
    notify_send(&watch->notify, "READY=1\nSTATUS=watches the clocks");
    if (watch->options->once)
        exit_code = run_once(watch);
    else
        loop(watch);
    notify_send(&watch->notify, "STOPPING=1");
    watch_mark(watch);
    struct event event = event_of("stop", "stops; the record stays as it is");
    watch_say(watch, &event);
    ordo_trust_follow_end(&watch->trust);
    return exit_code;
}

static int find_path(struct watch *watch, struct ordo_error *error)
{
    watch->path = watch->options->record;
    if (watch->path)
        return ORDO_OK;
    int code = ordo_record_default_path(watch->path_buffer, sizeof watch->path_buffer, error);
    watch->path = code ? NULL : watch->path_buffer;
    if (!code)
        cli_tell_passed_over(watch->program, watch->path);
    return code;
}

static int open_all(struct watch *watch, struct ordo_error *error)
{
    watch->lock = -1;
    int code = find_path(watch, error);
    if (!code)
        code = ordo_file_prepare(watch->path, true, error);
    if (code)
        return code;
    watch->lock = watch_lock(watch->path, error);
    if (watch->lock < 0)
        return error->code;
    watch->looker = ordo_looker_open(error);
    return watch->looker ? ORDO_OK : error->code;
}

static void close_all(struct watch *watch)
{
    ordo_looker_close(watch->looker);
    ordo_calibration_free(watch->pending);
    held_drop(&watch->held);
    watch_forget_unmarked(watch);
    free(watch->pairs);
    free(watch->stops);
    free(watch->before);
    free(watch->anchor);
    if (watch->lock >= 0)
        (void)close(watch->lock);
    notify_close(&watch->notify);
}

int watch_run(struct watch *watch)
{
    struct ordo_error error = {0};
    int exit_code;
    watch_block_signals();
    (void)signal(SIGPIPE, SIG_IGN);
    watch->notify = notify_open();
    watch->pace = ordo_pace_begin(watch->options->share_percent / 100);
    event_log_open(&watch->log, watch->options->log);
    int code = open_all(watch, &error);
    if (code)
        exit_code = cli_fail(code != ORDO_E_INVALID ? EXIT_INTERNAL
                             : watch->path          ? EXIT_UNKNOWN /* another watcher watches this record */
                                                    : EXIT_USAGE,
                             watch->program, error.text);
    else
        exit_code = watch_locked(watch);
    event_log_close(&watch->log);
    close_all(watch);
    return exit_code;
}
