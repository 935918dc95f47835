/* Describes each pair of hosts. Two bounds hold for a pair: that of the shortest paths between its hosts (net/graph/liars.h
 * [L7]), and the difference of the bounds of its hosts at the same instant. The smaller one is taken. */
#include "base/minmax.h"
#include "net/live/survey/stages.h"

static const int64_t unknown = INT64_MAX;

static bool is_host_proved(const struct ordo_net_survey *survey, int host)
{
    return survey->host[host].proved;
}

/* Returns an upper bound of the potential of b minus that of a. */
static int64_t bound_ps(const struct ordo_net_survey *survey, int a, int b)
{
    int64_t by_hosts_ps, by_paths_ps = survey->most_ns[a * survey->mesh.hosts + b];
    if (__builtin_sub_overflow(survey->middle[b].high, survey->middle[a].low, &by_hosts_ps))
        by_hosts_ps = unknown;
    return a == 0 || b == 0 || survey->through_reference ? by_hosts_ps : ordo_min(by_paths_ps, by_hosts_ps);
}

/* Returns the bound in ns, for the clocks instead of the potentials. */
static int64_t bound_ns(const struct ordo_net_survey *survey, int a, int b)
{
    int64_t ps = bound_ps(survey, a, b);
    return ps == unknown ? unknown
                         : ordo_net_survey_base_ns(survey, b) - ordo_net_survey_base_ns(survey, a) -
                               ordo_net_survey_floor_ns(-ps);
}

/* Sets the bounds of a pair. If there is no set F for it [L7], or its interval is empty, its hosts contradict each
 * other. */
static void describe_pair(struct ordo_net_survey *survey, int a, int b)
{
    int hosts = survey->mesh.hosts;
    int64_t *up_ns = &survey->most_ns[a * hosts + b], *down_ns = &survey->most_ns[b * hosts + a], up, down;
    bool contrary = !survey->through_reference && a > 0 && (*up_ns == INT64_MIN || *down_ns == INT64_MIN);
    if (contrary || !is_host_proved(survey, a) || !is_host_proved(survey, b)) {
        *up_ns = *down_ns = unknown;
        return;
    }
    up = bound_ns(survey, a, b);
    down = bound_ns(survey, b, a);
    if (up == unknown || down == unknown || -down > up)
        up = down = unknown;
    *up_ns = up;
    *down_ns = down;
}

void ordo_net_survey_describe_pairs(struct ordo_net_survey *survey)
{
    for (int a = 0; survey->most_ns && a < survey->mesh.hosts; a++)
        for (int b = a + 1; b < survey->mesh.hosts; b++)
            describe_pair(survey, a, b);
}

struct ordo_net_survey_pair ordo_net_survey_pair(const struct ordo_net_survey_result *result, int a, int b)
{
    struct ordo_net_survey_pair pair = {0};
    if (a == b || a >= result->hosts || b >= result->hosts || !result->most_ns)
        return pair;
    const struct ordo_net_survey_host *first = &result->host[a], *second = &result->host[b];
    int64_t up_ns = result->most_ns[a * result->hosts + b], down_ns = result->most_ns[b * result->hosts + a];
    pair.proved = up_ns != unknown && down_ns != unknown;
    pair.likely = first->joined && second->joined &&
                  !__builtin_sub_overflow(second->estimate_ns, first->estimate_ns, &pair.estimate_ns);
    if (!pair.proved)
        return pair;
    pair.offset_ns = (struct ordo_interval){-down_ns, up_ns};
    pair.likely = true;
    pair.estimate_ns = ordo_min(ordo_max(pair.estimate_ns, -down_ns), up_ns);
    return pair;
}
