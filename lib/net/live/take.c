#include "net/live/take.h"
#include "base/time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/interval.h"

enum { BRACKETS = 16, READINGS = 3, TRIES = 4 };

static const int64_t most_ns = INT64_C(1) << 61;

static clockid_t id_of(enum ordo_net_clock clock)
{
    return clock == ORDO_NET_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

/* Returns an interval that contains the clock of a claim minus ours [C1]. All brackets contain the same difference, so
 * their intersection does, too. */
static struct ordo_interval read_apart(enum ordo_source_clock source, enum ordo_net_clock clock)
{
    struct ordo_interval apart_ns = {INT64_MIN, INT64_MAX};
    clockid_t other = source == ORDO_SOURCE_RAW ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME;
    if (other == id_of(clock))
        return (struct ordo_interval){0, 0};
    for (int i = 0; i < BRACKETS; i++) {
        int64_t before_ns = ordo_time_ns(id_of(clock)), other_ns = ordo_time_ns(other),
                after_ns = ordo_time_ns(id_of(clock));
        if (after_ns >= before_ns)
            apart_ns =
                ordo_interval_intersect(apart_ns, (struct ordo_interval){other_ns - after_ns, other_ns - before_ns});
    }
    return apart_ns;
}

static bool is_in_range(const struct ordo_source_claim *stated)
{
    return stated->earliest_ns > -most_ns && stated->latest_ns < most_ns && stated->earliest_ns <= stated->latest_ns &&
           (int64_t)stated->reading > 0 && (int64_t)stated->reading < most_ns;
}

/* Converts a claim about CLOCK_REALTIME or CLOCK_MONOTONIC_RAW [C1]. `apart_ns` contains this clock minus ours. */
static void convert(const struct ordo_source_claim *stated, struct ordo_interval apart_ns, struct ordo_net_claim *claim)
{
    int64_t reading_ns = (int64_t)stated->reading;
    claim->reading_ns = reading_ns - apart_ns.high;
    claim->utc_ns = (struct ordo_interval){stated->earliest_ns - reading_ns + apart_ns.low,
                                           stated->latest_ns - reading_ns + apart_ns.high};
}

static int refuse(struct ordo_error *error, int code, const char *name, const char *why)
{
    return ordo_error_set(error, code, 0, "%.20s: %s", name, why);
}

/* Reads a source whose claim is about a clock that can be compared with ours [C2]. */
static int take_compared(const struct ordo_net_claimed_source *source, const struct ordo_source_options *options,
                         enum ordo_net_clock clock, struct ordo_source_claim *stated, struct ordo_net_claim *claim,
                         struct ordo_error *error)
{
    for (int i = 0; i < TRIES; i++) {
        struct ordo_interval real_ns = read_apart(ORDO_SOURCE_REALTIME, clock),
                             raw_ns = read_apart(ORDO_SOURCE_RAW, clock);
        int code = source->source->read(options, stated, error);
        if (code || stated->clock == ORDO_SOURCE_COUNTER)
            return code;
        bool is_raw = stated->clock == ORDO_SOURCE_RAW;
        struct ordo_interval now_ns = read_apart(stated->clock, clock), before_ns = is_raw ? raw_ns : real_ns;
        if (is_raw) { /* CLOCK_MONOTONIC_RAW drifts from ours, so that the two intervals may be apart */
            convert(stated,
                    (struct ordo_interval){ordo_min(before_ns.low, now_ns.low), ordo_max(before_ns.high, now_ns.high)},
                    claim);
            return ORDO_OK;
        }
        struct ordo_interval both_ns = ordo_interval_intersect(before_ns, now_ns);
        if (both_ns.low <= both_ns.high) {
            convert(stated, both_ns, claim);
            return ORDO_OK;
        }
    }
    return refuse(error, ORDO_E_MEASURE, source->source->name, "CLOCK_REALTIME was set again and again meanwhile");
}

/* Reads a source whose claim is about the counter, several times [C3]. */
static int take_between(const struct ordo_net_claimed_source *source, const struct ordo_source_options *options,
                        enum ordo_net_clock clock, struct ordo_source_claim *stated, struct ordo_net_claim *claim,
                        struct ordo_error *error)
{
    int64_t least_ns = INT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        int64_t before_ns = ordo_time_ns(id_of(clock));
        int code = source->source->read(options, stated, error);
        int64_t after_ns = ordo_time_ns(id_of(clock));
        if (code)
            return code;
        if (after_ns < before_ns || after_ns - before_ns >= least_ns || !is_in_range(stated))
            continue;
        least_ns = after_ns - before_ns;
        claim->reading_ns = before_ns;
        claim->utc_ns =
            (struct ordo_interval){stated->earliest_ns - after_ns - (after_ns - before_ns) / 8 - 1,
                                   stated->latest_ns - before_ns}; /* R < 1/8, and the reading may be later */
    }
    return ORDO_OK;
}

static int take_claim(const struct ordo_net_claimed_source *source, enum ordo_net_clock clock,
                      struct ordo_source_claim *stated, struct ordo_net_claim *claim, struct ordo_error *error)
{
    const struct ordo_source_options options = {.path = source->path, .patience_ns = source->patience_ns};
    const char *name = source->source->name;
    if (clock == ORDO_NET_HARDWARE)
        return refuse(error, ORDO_E_CLOCK, name,
                      "this agent measures with the clock of its network card, which no "
                      "claim is about: run another with --clock realtime");
    int code = take_compared(source, &options, clock, stated, claim, error);
    if (!code && stated->clock == ORDO_SOURCE_COUNTER)
        code = take_between(source, &options, clock, stated, claim, error);
    if (code)
        return code;
    if (stated->state == ORDO_SOURCE_DISRUPTED)
        return ordo_error_set(error, ORDO_E_DISRUPTED, 0, "withdrawn: %.200s", stated->evidence);
    if (stated->state == ORDO_SOURCE_UNKNOWN)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "not synchronised: %.200s", stated->evidence);
    if (stated->void_after_raw_ns < ordo_raw_ns())
        return ordo_error_set(error, ORDO_E_EXPIRED, 0, "void: %.200s", stated->evidence);
    return is_in_range(stated) ? ORDO_OK
                               : ordo_error_set(error, ORDO_E_MALFORMED, 0, "out of range: %.200s", stated->evidence);
}

void ordo_net_take_claim(const struct ordo_net_claimed_source *source, enum ordo_net_clock clock,
                         struct ordo_net_claim *claim)
{
    struct ordo_source_claim stated = {0};
    struct ordo_error error = {0};
    memset(claim, 0, sizeof *claim);
    claim->age_ns = -1;
    (void)snprintf(claim->source, sizeof claim->source, "%s", source->source->name);
    int code = take_claim(source, clock, &stated, claim, &error);
    if (code == ORDO_E_MISSING && source->path) /* the operator named this place, so its absence is worth a word */
        code = ORDO_E_MEASURE;
    claim->state = (uint8_t)stated.state;
    claim->age_ns = stated.age_ns >= 0 && stated.age_ns < most_ns ? stated.age_ns : -1;
    ordo_net_claim_write(claim->text, code ? error.text : stated.evidence);
    if (code) {
        claim->code = (int8_t)code;
        claim->reading_ns = 0;
        claim->utc_ns = (struct ordo_interval){0, 0};
    }
}
