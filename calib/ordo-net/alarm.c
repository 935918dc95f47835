#include "ordo-net/alarm.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "common/result.h"

const char *alarm_word(enum alarm_kind kind)
{
    return kind == ALARM_OFFSET ? "offset" : "bound";
}

const char *alarm_option(enum alarm_kind kind)
{
    return kind == ALARM_OFFSET ? "--max-offset" : "--max-bound";
}

const char *alarm_finding_word(enum alarm_finding finding)
{
    return finding == ALARM_WITHIN ? "within" : finding == ALARM_UNDECIDED ? "undecided" : "exceeds";
}

bool alarm_limits(const struct alarm *alarm)
{
    return alarm->limit_ns[ALARM_OFFSET] || alarm->limit_ns[ALARM_BOUND];
}

size_t alarm_pairs(const struct alarm *alarm)
{
    return (size_t)alarm->hosts * (size_t)(alarm->hosts - 1) / 2;
}

bool alarm_make(struct alarm *alarm, int hosts)
{
    bool made = true;
    alarm->hosts = hosts;
    for (int kind = 0; kind < ALARM_KINDS; kind++) {
        alarm->calm[kind] = calloc(alarm_pairs(alarm), sizeof *alarm->calm[kind]);
        alarm->raised[kind] = calloc((size_t)hosts, sizeof *alarm->raised[kind]);
        made = made && alarm->calm[kind] && alarm->raised[kind];
    }
    return made;
}

void alarm_free(struct alarm *alarm)
{
    for (int kind = 0; kind < ALARM_KINDS; kind++) {
        free(alarm->calm[kind]);
        free(alarm->raised[kind]);
    }
}

static uint16_t *calm_of(const struct alarm *alarm, enum alarm_kind kind, int a, int b)
{
    return &alarm->calm[kind][(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

bool alarm_lasts(const struct alarm *alarm, enum alarm_kind kind, int a, int b)
{
    return *calm_of(alarm, kind, a, b) > 0;
}

static enum alarm_finding find_offset(int64_t limit_ns, struct ordo_interval offset_ns)
{
    if (offset_ns.low > limit_ns || offset_ns.high < -limit_ns)
        return ALARM_EXCEEDS;
    return offset_ns.low >= -limit_ns && offset_ns.high <= limit_ns ? ALARM_WITHIN : ALARM_UNDECIDED;
}

/* The width of an interval may exceed INT64_MAX, so it is computed without a sign. */
static enum alarm_finding find_bound(int64_t limit_ns, struct ordo_interval offset_ns)
{
    return (uint64_t)offset_ns.high - (uint64_t)offset_ns.low > 2 * (uint64_t)limit_ns ? ALARM_EXCEEDS : ALARM_WITHIN;
}

enum alarm_finding alarm_find(const struct alarm *alarm, enum alarm_kind kind, const struct ordo_net_survey_pair *pair)
{
    if (!pair->proved)
        return ALARM_UNDECIDED;
    return (kind == ALARM_OFFSET ? find_offset : find_bound)(alarm->limit_ns[kind], pair->offset_ns);
}

enum alarm_finding alarm_worst(const struct alarm *alarm, const struct ordo_net_survey_pair *pair)
{
    enum alarm_finding worst = pair->proved ? ALARM_WITHIN : ALARM_UNDECIDED;
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (alarm->limit_ns[kind])
            worst = (enum alarm_finding)ordo_max(worst, alarm_find(alarm, (enum alarm_kind)kind, pair));
    return worst;
}

/* Changes the state of the pair's alarm. Returns 1 if the alarm rises, -1 if it clears, and else 0. */
static int step_alarm(uint16_t *calm, enum alarm_finding finding, int clear_after)
{
    bool lasted = *calm > 0;
    if (finding == ALARM_EXCEEDS)
        *calm = 1;
    else if (lasted)
        *calm = (uint16_t)(finding == ALARM_UNDECIDED ? 1 : *calm + 1);
    if (*calm > clear_after)
        *calm = 0;
    return (*calm > 0) - lasted;
}

static void judge_pair(struct alarm *alarm, enum alarm_kind kind, int a, int b,
                       const struct ordo_net_survey_result *result, int *change)
{
    struct alarm_count *count = &alarm->count[kind];
    struct ordo_net_survey_pair pair = ordo_net_survey_pair(result, a, b);
    enum alarm_finding finding = alarm_find(alarm, kind, &pair);
    uint16_t *calm = calm_of(alarm, kind, a, b);
    *change = step_alarm(calm, finding, alarm->clear_after);
    count->of[finding]++;
    count->rises += *change > 0;
    count->raised += *calm > 0;
    alarm->raised[kind][a] += *calm > 0;
    alarm->raised[kind][b] += *calm > 0;
}

static void judge_kind(struct alarm *alarm, enum alarm_kind kind, const struct ordo_net_survey_result *result,
                       alarm_tell *tell, void *context)
{
    alarm->count[kind] = (struct alarm_count){.rises = alarm->count[kind].rises};
    memset(alarm->raised[kind], 0, (size_t)alarm->hosts * sizeof *alarm->raised[kind]);
    for (int b = 1; b < alarm->hosts; b++)
        for (int a = 0; a < b; a++) {
            int change;
            judge_pair(alarm, kind, a, b, result, &change);
            if (change && tell)
                tell(context, kind, a, b, change > 0);
        }
}

void alarm_judge(struct alarm *alarm, const struct ordo_net_survey_result *result, alarm_tell *tell, void *context)
{
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (alarm->limit_ns[kind])
            judge_kind(alarm, (enum alarm_kind)kind, result, tell, context);
}

int alarm_verdict(const struct alarm *alarm)
{
    size_t raised = 0, undecided = 0;
    for (int kind = 0; kind < ALARM_KINDS; kind++) {
        raised += alarm->count[kind].raised;
        undecided += alarm->count[kind].of[ALARM_UNDECIDED];
    }
    return raised ? EXIT_FAILS : undecided ? EXIT_UNKNOWN : EXIT_OK;
}
