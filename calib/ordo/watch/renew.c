/* The life of the record: loading, checking and renewing it. A new generation is measured and published as `ordo
 * calibrate` does it: the record is complete, and appears atomically even if this process is killed. */
#include "ordo/watch/renew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/time.h"
#include "calibrate/record/publish.h"
#include "calibrate/record/refute.h"
#include "calibrate/watch/hop.h"
#include "common/result.h"
#include "machine/counter/trust.h"
#include "machine/topology/topology.h"
#include "ordo/publish.h"
#include "ordo/recalibrate.h"
#include "ordo/watch/mark.h"
#include "ordo/watch/observe.h"
#include "ordo/watch/rounds.h"
#include "ordo/watch/say.h"
#include "ordo/watch/want.h"

#define FIRST_DELAY_NS 5000000000
#define LONGEST_DELAY_NS 600000000000
#define DAY_NS (UINT64_C(86400) * 1000000000)
#define PENDING_NS 60000000000 /* a result that could not be written within a minute is measured again */

/* Schedules another attempt. The delay doubles with each call. */
static void postpone(struct watch *watch)
{
    struct wanted *wanted = &watch->wanted;
    wanted->delay_ns = wanted->delay_ns ? 2 * wanted->delay_ns : FIRST_DELAY_NS;
    if (wanted->delay_ns > LONGEST_DELAY_NS)
        wanted->delay_ns = LONGEST_DELAY_NS;
    wanted->at_ns = ordo_raw_ns() + wanted->delay_ns;
}

/* Starts to watch the loaded record: sets up its pairs, and notes the margin that a user requested. */
static void hold(struct watch *watch)
{
    const struct ordo_record *head = &watch->held.view.head;
    watch->usable = true;
    watch->whole = ordo_hop_allows_only(watch->held.cpus, watch->held.count);
    if (head->generation != watch->own_generation)
        watch->base_margin = head->margin_ticks;
    if (watch_arrange(watch) != 0)
        watch->stop = true;
}

/* True if the path leads to another file than the unusable one that was reported. */
static bool is_another(const struct watch *watch)
{
    const struct stat *then = &watch->unusable;
    struct stat now;
    return stat(watch->path, &now) == 0 &&
           (now.st_ino != then->st_ino || now.st_dev != then->st_dev || now.st_ctim.tv_sec != then->st_ctim.tv_sec ||
            now.st_ctim.tv_nsec != then->st_ctim.tv_nsec);
}

void watch_load(struct watch *watch)
{
    struct ordo_error error = {0};
    struct stat info = {0};
    bool told = watch->unread && !is_another(watch);
    (void)stat(watch->path, &info); /* before reading the record, as in held_load */
    int code = held_load(&watch->held, watch->path, &error);
    watch->unusable = code ? info : (struct stat){0};
    watch->unread = code == ORDO_E_SYSTEM;
    if (!code) {
        struct event event = event_of("record", "%s: generation %llu, boundary %llu ticks", watch->path,
                                      (unsigned long long)watch->held.view.head.generation,
                                      (unsigned long long)watch->held.view.head.boundary_ticks);
        event.generation = watch->held.view.head.generation;
        event.boundary_ticks = watch->held.view.head.boundary_ticks;
        hold(watch);
        watch_say(watch, &event);
        return;
    }
    watch->usable = false;
    struct event event = event_of("record", "%.300s", error.text);
    if (!told || !watch->unread)
        watch_say(watch, &event);
    if (recalibrate_mends(code))
        watch_want(watch, false, 0, error.text);
}

/* Judges the clock anew, from the kernel's reports since the last judgement. */
static int check_trust(struct watch *watch, struct ordo_error *error)
{
    struct ordo_trust_verdict verdict;
    uint64_t flags = held_any(&watch->held) ? watch->held.view.head.flags : ORDO_FLAG_MEASURED;
    ordo_trust_follow(&watch->trust, &verdict);
    ordo_trust_recheck(&watch->trust.evidence, flags, &verdict);
    return ordo_trust_excused(flags, &verdict) ? ORDO_OK : ordo_trust_check(&verdict, error);
}

/* Ends the calibration if there was a finding that needs a new calibration, or if the kernel has reported a fault of
 * the clock. */
static int on_renew_progress(void *context, const struct ordo_calibrate_progress *progress)
{
    struct watch *watch = context;
    (void)progress;
    if (watch_meanwhile(watch))
        return 1;
    if (check_trust(watch, NULL) == ORDO_OK)
        return 0;
    watch_disrupt(watch);
    return 1;
}

/* Returns a malloc'ed list of the record's CPUs that still exist. */
static char *list_present(const struct held *held)
{
    enum { DIGITS = 12 };
    unsigned *cpus = calloc((size_t)held->count + 1, sizeof *cpus);
    char *list = malloc(((size_t)held->count + 1) * DIGITS), unused[8];
    int count = 0;
    for (int i = 0; cpus && list && i < held->count; i++)
        if (ordo_hop_to(held->cpus[i]))
            cpus[count++] = held->cpus[i];
    ordo_hop_release(unused, sizeof unused);
    if (cpus && list)
        ordo_topology_format_cpus(cpus, count, list, ((size_t)held->count + 1) * DIGITS);
    free(cpus);
    return list;
}

int watch_choose(struct watch *watch, struct ordo_calibrate_options *options, char **list, char **present)
{
    const struct wanted *wanted = &watch->wanted;
    if (!held_any(&watch->held))
        return ORDO_OK;
    if (recalibrate_like(options, &watch->held.view, list) != 0)
        return ORDO_E_SYSTEM;
    *present = watch->whole ? NULL : list_present(&watch->held);
    options->cpus = *present;
    double growth = wanted->growth_ppb * 1e-9 * (double)watch->held.view.head.tick_hz * watch->options->growth_s;
    options->margin_ticks = watch->base_margin + (uint64_t)fmin(growth, 1e15);
    options->force |= wanted->force;
    return ORDO_OK;
}

static int measure_wanted(struct watch *watch, struct ordo_calibration **result, struct ordo_error *error)
{
    struct ordo_calibrate_options options = {.progress = on_renew_progress, .progress_context = watch};
    char *list = NULL, *present = NULL;
    int64_t cpu_ns = watch_cpu_ns();
    int code = watch_choose(watch, &options, &list, &present);
    if (code)
        (void)ordo_error_set(error, code, 0, "watch: out of memory");
    else if ((code = check_trust(watch, error)) == ORDO_OK) { /* a proved offset does not excuse a rejected clock */
        options.replaces = watch->path;
        options.replaces_fd = held_any(&watch->held) && watch->held.within_reach ? watch->held.fd : 0;
        code = ordo_calibrate(&options, result, error);
    }
    free(list);
    free(present);
    watch->calibrating_ns += watch_cpu_ns() - cpu_ns;
    return code;
}

static void tell_disrupted(struct watch *watch, uint64_t generation, const char *reason)
{
    struct event event =
        event_of("disrupted", "a calibration refutes generation %llu: %.200s", (unsigned long long)generation, reason);
    event.generation = generation;
    if (generation == watch->held.view.head.generation)
        event.boundary_ticks = watch->held.view.head.boundary_ticks;
    watch_say(watch, &event);
}

/* Compares the measurement with the loaded record, and withdraws the record if it is refuted. This happens even if the
 * new record cannot be written, and even if the path leads to another file by now. */
static void judge_held(struct watch *watch)
{
    struct ordo_refutation refuted;
    if (!held_any(&watch->held) || watch->held.withdrawn ||
        !ordo_calibration_refutes(watch->pending, &watch->held.view, &refuted))
        return;
    watch_withdraw(watch);
    tell_disrupted(watch, watch->held.view.head.generation, refuted.reason);
}

static void refused(struct watch *watch, int code, const struct ordo_error *error)
{
    bool refuted = watch->usable && held_look(&watch->held, watch->path) == ORDO_E_DISRUPTED; /* session/refuted.h */
    if (refuted || code == ORDO_E_REFUTED) /* the clocks themselves are faulty: no program may rely on them */
        watch_disrupt(watch);
    if (refuted)
        tell_disrupted(watch, watch->held.view.head.generation, error->text);
    watch->metrics.refusals++;
    postpone(watch);
    struct event event = event_of("refused", "no calibration (%.80s): %.180s; tried again in %.0f s",
                                  watch->wanted.reason, error->text, (double)watch->wanted.delay_ns / 1e9);
    watch_say(watch, &event);
}

/* Reports that publishing has refuted and marked another record, which was at the path instead of the loaded one. */
static void tell_refuted(struct watch *watch, const struct ordo_calibration *result)
{
    if (!result->refuted.marked)
        return;
    watch->metrics.disruptions++;
    tell_disrupted(watch, result->refuted.generation, result->refuted.reason);
    watch_withdraw_kernel_clock(watch);
}

static void tell_warnings(struct watch *watch, const struct ordo_calibration *result)
{
    for (int i = 0; i < result->warning_count; i++) {
        struct event event = event_of("warning", "%s", result->warnings[i]);
        event.generation = result->generation;
        watch_say(watch, &event);
    }
}

static void published(struct watch *watch, const struct ordo_calibration *result)
{
    tell_warnings(watch, result);
    struct event event = event_of("published", "generation %llu, boundary %llu ticks (%.1f ns): %.160s",
                                  (unsigned long long)result->generation, (unsigned long long)result->boundary_ticks,
                                  ordo_calibration_ns(result, (int64_t)result->boundary_ticks), watch->wanted.reason);
    event.generation = watch->own_generation = result->generation;
    event.boundary_ticks = result->boundary_ticks;
    watch->metrics.calibrations++;
    watch->wanted = (struct wanted){0};
    watch_say(watch, &event);
    struct ordo_error error;
    if (held_load(&watch->held, watch->path, &error) == ORDO_OK)
        hold(watch);
}

/* Publishes the pending result. If it cannot be written, keeps it for a while. */
static void publish(struct watch *watch)
{
    struct ordo_error error = {0};
    watch_mark(watch); /* after the record was replaced, it may be impossible to mark it */
    int exit_code = publish_result(watch->path, watch->pending, &error);
    bool kept = exit_code == EXIT_INTERNAL;
    if (kept || exit_code == EXIT_OK) /* after a refusal (EXIT_UNKNOWN) nothing is known about the file */
        watch_trouble(watch, &watch->record_trouble, kept ? ORDO_E_SYSTEM : ORDO_OK, &error);
    tell_refuted(watch, watch->pending);
    if (exit_code == EXIT_UNKNOWN)
        refused(watch, ORDO_E_MEASURE, &error);
    else if (exit_code == EXIT_OK)
        published(watch, watch->pending);
    if (kept)
        watch->wanted.at_ns = ordo_raw_ns() + FIRST_DELAY_NS;
    if (kept && ordo_raw_ns() - watch->pending_since_ns < PENDING_NS)
        return;
    watch_drop_pending(watch);
}

/* Drops the pending result, because the kernel has reported a fault of the clock since the measurement. */
static void refuse_pending(struct watch *watch, const struct ordo_error *error)
{
    watch_drop_pending(watch);
    refused(watch, ORDO_E_REFUTED, error);
}

/* Checks that a record can be written, before a measurement whose result would be lost. */
static bool writable(struct watch *watch)
{
    struct ordo_error error;
    int code = ordo_file_prepare(watch->path, true, &error);
    if (code == ORDO_OK)
        return true; /* no "recovered" yet: the disk may still be full; a written record ends the trouble */
    watch_trouble(watch, &watch->record_trouble, code, &error);
    watch->wanted.at_ns = ordo_raw_ns() + FIRST_DELAY_NS;
    return false;
}

static bool has_turn(struct watch *watch)
{
    struct wanted *wanted = &watch->wanted;
    int64_t wait_ns = ordo_turns_wait(&watch->turns, ordo_raw_ns());
    if (wanted->asked || wait_ns == 0)
        return true;
    if (!wanted->told) {
        struct event event = event_of(
            "refused", "no calibration yet (%.150s): there were already %d in a row; the next one is in %.0f s",
            wanted->reason, ORDO_TURNS_AT_ONCE, (double)wait_ns / 1e9);
        watch_say(watch, &event);
    }
    wanted->told = true;
    return false;
}

static void take_turn(struct watch *watch)
{
    if (!watch->wanted.asked)
        ordo_turns_take(&watch->turns, ordo_raw_ns());
    watch->wanted.asked = watch->wanted.told = false;
}

void watch_renew(struct watch *watch)
{
    struct ordo_error error = {0};
    if (watch->asked && !watch->pending) {
        watch->asked = false;
        watch_want(watch, false, 0, "requested by a signal");
        watch->wanted.asked = true;
    }
    if (!watch->wanted.any || ordo_raw_ns() < watch->wanted.at_ns || (!watch->pending && !has_turn(watch)) ||
        !writable(watch))
        return;
    if (!watch->pending) {
        (void)watch_observe(watch); /* events up to now are answered by this calibration */
        take_turn(watch);
        int code = measure_wanted(watch, &watch->pending, &error);
        if (code == ORDO_E_CANCELLED)
            return;
        if (code) {
            refused(watch, code, &error);
            return;
        }
        watch->pending_since_ns = ordo_raw_ns();
        judge_held(watch);
    }
    if (check_trust(watch, &error) == ORDO_OK)
        publish(watch);
    else
        refuse_pending(watch, &error);
}

/* Requests a new record while programs can still open the old one: a day before it expires, or in the last quarter of
 * its validity if that is shorter. */
static void renew_in_time(struct watch *watch)
{
    const struct ordo_record *head = &watch->held.view.head;
    struct ordo_record_moment now;
    uint64_t valid_ns = head->void_after_ns - head->as_of_ns;
    uint64_t ahead_ns = valid_ns / 4 < DAY_NS ? valid_ns / 4 : DAY_NS;
    if (watch->wanted.any || ordo_record_now(&now) != 0 || (uint64_t)now.uptime_ns + ahead_ns < head->void_after_ns)
        return;
    watch_want(watch, false, 0, "the record will expire");
}

/* Withdraws or renews the record if readers refuse it now: it has expired, its clock deviates from its rate, or the
 * kernel has reported a fault of the clock. */
static void look_whether_it_holds(struct watch *watch)
{
    struct ordo_error error;
    int code = watch->usable ? ordo_record_holds(&watch->held.view, &error) : ORDO_OK;
    if (watch->usable && code == ORDO_OK && (code = check_trust(watch, &error)) == ORDO_OK)
        renew_in_time(watch);
    if (!recalibrate_mends(code) && code != ORDO_E_REFUTED)
        return;
    if (code == ORDO_E_RATE || code == ORDO_E_REFUTED) /* as 'ordo check --mark' does */
        watch_disrupt(watch);
    watch->usable = false;
    struct event event = event_of("record", "%.300s", error.text);
    watch_say(watch, &event);
    watch_want(watch, false, 0, error.text);
}

void watch_look_at_record(struct watch *watch)
{
    int code = held_any(&watch->held)           ? held_look(&watch->held, watch->path)
               : access(watch->path, F_OK) == 0 ? ORDO_E_SUPERSEDED
                                                : ORDO_E_MISSING;
    if (code == ORDO_E_SUPERSEDED && !is_another(watch) && !watch->unread)
        return;
    if (code == ORDO_OK)
        look_whether_it_holds(watch);
    watch->held.withdrawn |= code == ORDO_E_DISRUPTED; /* marked by another process */
    if (code == ORDO_E_SUPERSEDED || (code == ORDO_E_DISRUPTED && watch->usable)) {
        watch_load(watch);
    } else if (code == ORDO_E_MISSING && !watch->wanted.any) {
        struct event event = event_of("record", "%s: is gone", watch->path);
        watch_say(watch, &event);
        watch_want(watch, false, 0, "the record had disappeared");
    }
}
