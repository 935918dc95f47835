/* Watches the clocks: looks at pairs, walks over all CPUs, and draws conclusions. */
#include "ordo/watch/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "calibrate/watch/hop.h"
#include "ordo/watch/say.h"
#include "ordo/watch/want.h"

enum { ALL_PAIRS_CPUS = 32, BURST = 24, GAP_NS = 2000000, FIRST_LOOKS = 24, FIRST_PAIRS = 16 };
#define OLD_NS 60000000000         /* after a minute the error of the measured frequency is as large as a delay */
#define WARN_AGAIN_NS 600000000000 /* report a continuing drift once in ten minutes */
#define TOO_LATE_S 10.0            /* a calibration takes seconds: a boundary used up sooner is withdrawn first */

/* Chooses the pairs: each CPU with the first and, on a small machine, also all other pairs. */
static void fill_pairs(struct watch *watch)
{
    const unsigned *cpus = watch->held.cpus;
    int n = watch->held.count, all = n <= ALL_PAIRS_CPUS ? n - 1 : 1;
    watch->pair_count = 0;
    for (int a = 0; a < all; a++)
        for (int b = a + 1; b < n; b++) {
            struct watched_pair *pair = &watch->pairs[watch->pair_count++];
            pair->a = cpus[a];
            pair->b = cpus[b];
        }
}

int watch_arrange(struct watch *watch)
{
    size_t n = (size_t)watch->held.count, pairs = n <= ALL_PAIRS_CPUS ? n * (n - 1) / 2 : n - 1;
    free(watch->pairs);
    free(watch->stops);
    free(watch->before);
    free(watch->anchor);
    watch->pairs = calloc(pairs + 1, sizeof *watch->pairs);
    watch->stops = calloc(n + 1, sizeof *watch->stops);
    watch->before = calloc(n + 1, sizeof *watch->before);
    watch->anchor = calloc(n + 1, sizeof *watch->anchor);
    watch->stop_count = watch->before_count = watch->anchor_count = watch->next_pair = watch->pair_count = 0;
    if (!watch->pairs || !watch->stops || !watch->before || !watch->anchor)
        return -1;
    fill_pairs(watch);
    return 0;
}

static double tick_hz(const struct watch *watch)
{
    return (double)watch->held.view.head.tick_hz;
}

static void take_walk(struct watch *watch)
{
    watch->stop_count = ordo_walk_take(watch->held.cpus, watch->held.count, watch->stops);
    watch->metrics.walks++;
}

/* Keeps the last walk as a reference for later walks. */
static void keep_walk(const struct watch *watch, struct ordo_stop *reference, int *count)
{
    memcpy(reference, watch->stops, (size_t)watch->stop_count * sizeof *reference);
    *count = watch->stop_count;
}

/* Repeats the walk until no stop was delayed by more than a small part of `by_ticks`, for at most TRIES tries. */
static void take_steady_walk(struct watch *watch, int64_t by_ticks)
{
    enum { TRIES = 8, PART = 8 };
    for (int i = 0; i < TRIES && ordo_walk_delay(watch->stops, watch->stop_count) > by_ticks / PART; i++)
        take_walk(watch);
}

/* Handles a proved offset above the boundary. The record is withdrawn before anything else, because its handles must
 * learn of the fault. */
static void exceeded(struct watch *watch, const struct ordo_excess *excess, const struct ordo_interval *offset)
{
    uint64_t boundary = watch->held.view.head.boundary_ticks;
    watch_disrupt(watch);
    take_steady_walk(watch, excess->ticks);
    unsigned cpu = ordo_walk_culprit(watch->stops, watch->stop_count, watch->before, watch->before_count,
                                     tick_hz(watch), excess->ahead, excess->behind, excess->ticks);
    struct event event =
        event_of("disrupted",
                 "the clock of cpu %u is ahead of that of cpu %u by at least %lld ticks, more than the "
                 "boundary of %llu: cpu %u has probably moved",
                 excess->ahead, excess->behind, (long long)excess->ticks, (unsigned long long)boundary, cpu);
    event.about_cpus = true;
    event.cpu = cpu;
    event.a = excess->ahead;
    event.b = excess->behind;
    event.has_offset = offset != NULL;
    if (offset) {
        event.a = excess->behind;
        event.b = excess->ahead;
        event.offset_ticks = *offset;
    }
    event.boundary_ticks = boundary;
    event.generation = watch->held.view.head.generation;
    watch_say(watch, &event);
    watch_want(watch, true, 0, event.text);
}

/* True if the last walk is to replace the reference: always if the reference is missing or older than OLD_NS. Otherwise not if
 * two clocks have certainly moved apart since the reference, because ordo_walk_culprit needs a walk from before the jump, and
 * this walk may have been too slow to prove the jump; and not if it was delayed much more than the reference. */
static bool is_better_reference(const struct watch *watch)
{
    if (watch->before_count == 0 || watch->stop_count == 0 || watch->stops[0].raw_ns - watch->before[0].raw_ns > OLD_NS)
        return true;
    if (ordo_walk_moved_apart(watch->stops, watch->stop_count, watch->before, watch->before_count, tick_hz(watch),
                              watch->held.view.head.boundary_ticks / 2)) /* as ordo_walk_culprit */
        return false;
    int64_t delay = ordo_walk_delay(watch->stops, watch->stop_count);
    return delay <= ORDO_WALK_STEADY || delay <= 2 * ordo_walk_delay(watch->before, watch->before_count);
}

static void walk(struct watch *watch)
{
    struct ordo_excess excess;
    take_walk(watch);
    if (ordo_walk_judge(watch->stops, watch->stop_count, watch->held.view.head.boundary_ticks, &excess)) {
        exceeded(watch, &excess, NULL);
        return;
    }
    if (!is_better_reference(watch))
        return;
    keep_walk(watch, watch->before, &watch->before_count);
    if (watch->anchor_count == 0)
        keep_walk(watch, watch->anchor, &watch->anchor_count);
}

/* The interval between walks makes walking take at most about 1/20 of the time, for any number of CPUs. */
bool watch_glance(struct watch *watch)
{
    enum { PART = 20 };
    int64_t begin_ns = ordo_raw_ns();
    if (!watch->usable || watch->held.count < 2 || begin_ns < watch->glance_ns)
        return false;
    walk(watch);
    int64_t end_ns = ordo_raw_ns();
    watch->glance_ns = end_ns + PART * (end_ns - begin_ns);
    return !watch->usable;
}

/* Acts if the offset provably exceeds the boundary: the whole interval of the visit is outside. True if it does. */
static bool proves(struct watch *watch, const struct watched_pair *pair, const struct ordo_visit *visit)
{
    struct ordo_interval offset = ordo_offset_of_visit(visit);
    uint64_t boundary = watch->held.view.head.boundary_ticks;
    int64_t most = boundary < INT64_MAX ? (int64_t)boundary : INT64_MAX;
    struct ordo_excess excess = {pair->b, pair->a, offset.low};
    if (offset.low <= most && offset.high >= -most)
        return false;
    if (offset.low <= most) {
        excess = (struct ordo_excess){pair->a, pair->b, -offset.high};
        offset = (struct ordo_interval){-offset.high, -offset.low};
    }
    take_walk(watch); /* shows which of the two CPUs has moved */
    exceeded(watch, &excess, &offset);
    return true;
}

/* Returns the CPU of a pair that probably drifts: CPU a if it also drifts against another CPU, else CPU b. If there are
 * only two CPUs, it is the CPU that moved against CLOCK_MONOTONIC_RAW. */
static unsigned drifting(struct watch *watch, const struct watched_pair *pair, const struct ordo_trend *trend)
{
    struct ordo_trend other;
    for (int i = 0; i < watch->pair_count; i++) {
        const struct watched_pair *at = &watch->pairs[i];
        if (at != pair && (at->a == pair->a || at->b == pair->a) &&
            ordo_track_trend(&at->track, watch->held.view.head.boundary_ticks, watch->held.view.head.granule_ticks,
                             tick_hz(watch), &other))
            return pair->a;
    }
    if (watch->held.count > 2)
        return pair->b;
    take_walk(watch);
    bool b_gains = trend->drift_ppb > 0;
    return ordo_walk_culprit(watch->stops, watch->stop_count, watch->anchor, watch->anchor_count, tick_hz(watch),
                             b_gains ? pair->b : pair->a, b_gains ? pair->a : pair->b,
                             (int64_t)fabs(trend->offset_ticks));
}

static void warn(struct watch *watch, struct watched_pair *pair, const struct ordo_trend *trend)
{
    unsigned cpu = drifting(watch, pair, trend);
    struct event event =
        event_of("drift", "the clocks of cpu %u and cpu %u drift apart, %s %.3f ppm: the boundary is used up in %.3g s",
                 pair->a, pair->b, trend->proved ? "proved," : "by", trend->drift_ppb / 1000, trend->left_s);
    event.about_cpus = event.has_drift = event.has_offset = true;
    event.cpu = cpu;
    event.a = pair->a;
    event.b = pair->b;
    event.offset_ticks = ordo_track_interval(&pair->track);
    event.proved = trend->proved;
    event.drift_ppb = trend->drift_ppb;
    event.low_ppb = trend->low_ppb;
    event.high_ppb = trend->high_ppb;
    event.left_s = trend->left_s;
    event.boundary_ticks = watch->held.view.head.boundary_ticks;
    event.generation = watch->held.view.head.generation;
    watch->metrics.warnings++;
    watch_say(watch, &event);
}

static void heed_trend(struct watch *watch, struct watched_pair *pair, const struct ordo_trend *trend)
{
    int64_t now_ns = ordo_raw_ns();
    bool late = trend->left_s < TOO_LATE_S;
    if (pair->warned_ns && now_ns - pair->warned_ns < WARN_AGAIN_NS && !late)
        return;
    pair->warned_ns = now_ns;
    warn(watch, pair, trend);
    if (late && trend->proved) /* if the drift is only likely, a calibration decides */
        watch_disrupt(watch);
    watch_want(watch, late, trend->drift_ppb, "two clocks drift apart");
}

/* Looks at a pair. True if the look led to a finding. */
static bool look_at_pair(struct watch *watch, struct watched_pair *pair, bool *answered)
{
    struct ordo_visit visit;
    struct ordo_trend trend;
    struct ordo_error error;
    const struct ordo_record *head = &watch->held.view.head;
    watch->metrics.looks++;
    *answered = ordo_looker_look(watch->looker, pair->a, pair->b, &visit, &error) == ORDO_OK;
    watch->metrics.unanswered += !*answered;
    if (!*answered)
        return false;
    if (proves(watch, pair, &visit))
        return true;
    ordo_track_add(&pair->track, &visit);
    if (!ordo_track_trend(&pair->track, head->boundary_ticks, head->granule_ticks, tick_hz(watch), &trend))
        return false;
    heed_trend(watch, pair, &trend);
    return true;
}

/* Looks once more, at the expense of the reserve of CPU time. */
static bool look_more(struct watch *watch, struct watched_pair *pair, bool *paid)
{
    bool answered;
    int64_t cpu_ns = watch_cpu_ns();
    bool found = look_at_pair(watch, pair, &answered);
    cpu_ns = watch_cpu_ns() - cpu_ns;
    watch->reserve_ns += cpu_ns;
    *paid = ordo_pace_spend(&watch->pace, cpu_ns);
    return found;
}

/* Looks at a suspicious pair again, immediately and several times. */
static void follow_up(struct watch *watch, struct watched_pair *pair)
{
    bool paid = true, found = false;
    for (int i = 0; i < BURST && paid && !found && watch->usable; i++) {
        ordo_sleep_ns(GAP_NS);
        found = look_more(watch, pair, &paid);
    }
}

void watch_begin_rounds(struct watch *watch)
{
    bool paid = true, found = false;
    int pairs = watch->pair_count < FIRST_PAIRS ? watch->pair_count : FIRST_PAIRS;
    if (!watch->usable)
        return;
    take_walk(watch);
    keep_walk(watch, watch->before, &watch->before_count);
    keep_walk(watch, watch->anchor, &watch->anchor_count);
    for (int i = 0; i < FIRST_LOOKS && paid && !found && watch->usable && !watch->stop; i++) {
        for (int p = 0; p < pairs && paid && !found && watch->usable; p++)
            found = look_more(watch, &watch->pairs[p], &paid);
        ordo_sleep_ns(GAP_NS);
    }
}

void watch_round(struct watch *watch, bool also_walk)
{
    bool answered = false, found = false;
    if (!watch->usable || watch->held.count < 2)
        return;
    struct watched_pair *pair = &watch->pairs[watch->next_pair];
    watch->next_pair = (watch->next_pair + 1) % watch->pair_count;
    found = look_at_pair(watch, pair, &answered);
    if (answered && !found && watch->usable && ordo_track_suspect(&pair->track, watch->held.view.head.boundary_ticks))
        follow_up(watch, pair);
    if (watch->usable && (watch->held.count > 2 || !answered || also_walk || watch->before_count == 0))
        walk(watch);
}
