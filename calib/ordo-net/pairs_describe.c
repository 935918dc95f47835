/* What was found about a pair, as text; and the choice of the hosts to show. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "common/duration.h"
#include "ordo-net/pairs.h"

/* Writes the reason why a host has no offset. False if it has one. */
static bool explain_host(const struct measured *measured, int host, char text[PAIR_TEXT])
{
    const struct ordo_net_survey_host *found = &measured->result.host[host];
    if (found->proved)
        return false;
    const char *before = "", *after = " contradicts the others";
    if (!found->answers) {
        after = " does not answer";
    } else if (!found->joined) {
        before = "no edge joins ";
        after = " to the reference";
    } else if (!found->refuted) {
        before = "liars could cut ";
        after = " off";
    }
    (void)snprintf(text, PAIR_TEXT, "%s%.250s%s", before, measured->name[host], after);
    return true;
}

static void explain_pair(const struct measured *measured, int a, int b, char text[PAIR_TEXT])
{
    if (measured->result.hosts == 0)
        (void)snprintf(text, PAIR_TEXT, "the window has no result");
    else if (!measured->result.sound)
        (void)snprintf(text, PAIR_TEXT, "the intervals of edges contradict each other");
    else if (!explain_host(measured, a, text) && !explain_host(measured, b, text))
        (void)snprintf(text, PAIR_TEXT, "%s",
                       measured->options->liars ? "one of them lies, or liars could cut them off"
                                                : "they contradict each other");
}

/* Writes which clock is ahead and the interval by which it is. If either may be ahead, it is b. */
static void write_lead(const struct measured *measured, int a, int b, struct ordo_interval offset_ns,
                       char text[PAIR_TEXT])
{
    char low[DURATION_TEXT], high[DURATION_TEXT];
    bool turned = offset_ns.high < 0;
    (void)snprintf(text, PAIR_TEXT, "%.250s is ahead by %s to %s", measured->name[turned ? a : b],
                   duration_exact(turned ? -offset_ns.high : offset_ns.low, low),
                   duration_exact(turned ? -offset_ns.low : offset_ns.high, high));
}

const char *pairs_describe(const struct measured *measured, enum alarm_kind kind, int a, int b, char text[PAIR_TEXT])
{
    char limit[DURATION_TEXT], size[DURATION_TEXT], lead[PAIR_TEXT];
    const char *first = measured->name[a], *second = measured->name[b], *option = alarm_option(kind);
    struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, a, b);
    enum alarm_finding finding = alarm_find(measured->alarm, kind, &pair);
    (void)duration_exact(measured->alarm->limit_ns[kind], limit);
    if (pair.proved)
        write_lead(measured, a, b, pair.offset_ns, lead);
    else
        explain_pair(measured, a, b, lead);
    if (finding == ALARM_UNDECIDED)
        (void)snprintf(text, PAIR_TEXT, "%.250s and %.250s: cannot be told, for %s %s: %.400s", first, second, option,
                       limit, lead);
    else if (kind == ALARM_OFFSET)
        (void)snprintf(text, PAIR_TEXT, "%.250s and %.250s: %s %s apart, %s %s %s: %.400s", first, second,
                       finding == ALARM_EXCEEDS ? "certainly" : "at most",
                       duration_exact(finding == ALARM_EXCEEDS ? ordo_max(pair.offset_ns.low, -pair.offset_ns.high)
                                                               : ordo_max(-pair.offset_ns.low, pair.offset_ns.high),
                                      size),
                       finding == ALARM_EXCEEDS ? "more than" : "within", option, limit, lead);
    else
        (void)snprintf(
            text, PAIR_TEXT, "%.250s and %.250s: known to +- %s, %s %s %s: %.400s", first, second,
            duration_exact((int64_t)(((uint64_t)pair.offset_ns.high - (uint64_t)pair.offset_ns.low + 1) / 2), size),
            finding == ALARM_EXCEEDS ? "worse than" : "within", option, limit, lead);
    return text;
}

const char *pairs_sum(const struct measured *measured, enum alarm_kind kind, char text[PAIR_TEXT])
{
    char limit[DURATION_TEXT];
    const struct alarm_count *count = &measured->alarm->count[kind];
    (void)snprintf(text, PAIR_TEXT, "%zu of %zu pairs exceed %s %s, %zu cannot be told, %zu are within",
                   count->of[ALARM_EXCEEDS], alarm_pairs(measured->alarm), alarm_option(kind),
                   duration_exact(measured->alarm->limit_ns[kind], limit), count->of[ALARM_UNDECIDED],
                   count->of[ALARM_WITHIN]);
    return text;
}

/* --- the choice of hosts */

struct rank {
    int host;
    size_t exceeds, undecided;
    uint64_t offset_ns; /* largest absolute offset that is likely */
};

static void add_to_rank(struct rank *rank, enum alarm_finding worst, const struct ordo_net_survey_pair *pair)
{
    uint64_t size = pair->estimate_ns < 0 ? -(uint64_t)pair->estimate_ns : (uint64_t)pair->estimate_ns;
    rank->exceeds += worst == ALARM_EXCEEDS;
    rank->undecided += worst == ALARM_UNDECIDED;
    if (pair->likely && size > rank->offset_ns)
        rank->offset_ns = size;
}

static int compare_ranks(const void *first, const void *second)
{
    const struct rank *a = first, *b = second;
    if (a->exceeds != b->exceeds)
        return a->exceeds > b->exceeds ? -1 : 1;
    if (a->undecided != b->undecided)
        return a->undecided > b->undecided ? -1 : 1;
    if (a->offset_ns != b->offset_ns)
        return a->offset_ns > b->offset_ns ? -1 : 1;
    return a->host < b->host ? -1 : a->host > b->host;
}

static int compare_hosts(const void *first, const void *second)
{
    int a = *(const int *)first, b = *(const int *)second;
    return a < b ? -1 : a > b;
}

static struct rank *rank_hosts(const struct measured *measured)
{
    int hosts = measured->result.hosts;
    struct rank *ranks = calloc((size_t)hosts + 1, sizeof *ranks);
    for (int b = 0; ranks && b < hosts; b++) {
        ranks[b].host = b;
        for (int a = 0; a < b; a++) {
            struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, a, b);
            enum alarm_finding worst = alarm_worst(measured->alarm, &pair);
            add_to_rank(&ranks[a], worst, &pair);
            add_to_rank(&ranks[b], worst, &pair);
        }
    }
    if (ranks)
        qsort(ranks, (size_t)hosts, sizeof *ranks, compare_ranks);
    return ranks;
}

int *pairs_choose(const struct measured *measured, int most, int *count)
{
    struct rank *ranks = rank_hosts(measured);
    *count = (int)ordo_min(most, measured->result.hosts);
    int *chosen = ranks ? calloc((size_t)*count + 1, sizeof *chosen) : NULL;
    for (int i = 0; chosen && i < *count; i++)
        chosen[i] = ranks[i].host;
    free(ranks);
    if (chosen)
        qsort(chosen, (size_t)*count, sizeof *chosen, compare_hosts);
    return chosen;
}
