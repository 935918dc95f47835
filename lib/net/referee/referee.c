#include "net/referee/referee.h"

#include "net/referee/depth.h"
#include "net/referee/view.h"

const char *ordo_net_verdict_name(enum ordo_net_verdict verdict)
{
    static const char *const names[] = {[ORDO_NET_UNJUDGED] = "unjudged",
                                        [ORDO_NET_CONSISTENT] = "consistent",
                                        [ORDO_NET_DISPUTED] = "disputed",
                                        [ORDO_NET_REFUTED] = "refuted"};
    return names[verdict];
}

static bool is_seen(const struct ordo_net_case *one)
{
    return one->view_ns.low != INT64_MIN;
}

static bool stands(const struct ordo_net_case *one)
{
    return one->verdict != ORDO_NET_REFUTED;
}

/* Notes that the claims `a` and `b` are `gap_ns` apart, if no claim is further from `a`. */
static void note_gap(struct ordo_net_case *cases, int a, int b, int64_t gap_ns)
{
    if (gap_ns <= 0 || (cases[a].against >= 0 && cases[a].gap_ns >= gap_ns))
        return;
    cases[a].against = b;
    cases[a].gap_ns = gap_ns;
}

/* Compares the claims of each host with each other [R5]. The claims of a host are neighbours. A refuted claim is no
 * evidence against another one. */
static void compare_within_hosts(const struct ordo_net_bench *bench, struct ordo_net_case *cases, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && cases[j].host == cases[i].host; j++) {
            int64_t gap_ns = ordo_net_view_gap(bench, &cases[i], &cases[j]);
            if (stands(&cases[j]))
                note_gap(cases, i, j, gap_ns);
            if (stands(&cases[i]))
                note_gap(cases, j, i, gap_ns);
        }
}

/* Compares the views of all claims. The view that is furthest below a view is the one with the lowest end; the one that
 * is furthest above it has the highest begin. */
static void compare_views(struct ordo_net_case *cases, int count)
{
    int lowest = -1, highest = -1;
    for (int i = 0; i < count; i++) {
        if (!is_seen(&cases[i]) || !stands(&cases[i]))
            continue;
        if (lowest < 0 || cases[i].view_ns.high < cases[lowest].view_ns.high)
            lowest = i;
        if (highest < 0 || cases[i].view_ns.low > cases[highest].view_ns.low)
            highest = i;
    }
    for (int i = 0; i < count && lowest >= 0; i++) {
        if (!is_seen(&cases[i]))
            continue;
        note_gap(cases, i, lowest, cases[i].view_ns.low - cases[lowest].view_ns.high);
        note_gap(cases, i, highest, cases[highest].view_ns.low - cases[i].view_ns.high);
    }
}

/* Intersects the views of the authorities [R3]. */
static void find_truth(const struct ordo_net_case *cases, int count, struct ordo_net_judgement *judgement)
{
    struct ordo_interval truth_ns = {INT64_MIN, INT64_MAX};
    for (int i = 0; i < count; i++)
        if (cases[i].authority && is_seen(&cases[i])) {
            truth_ns = ordo_interval_intersect(truth_ns, cases[i].view_ns);
            judgement->authorities++;
        }
    judgement->authority = judgement->authorities > 0 && truth_ns.low <= truth_ns.high;
    judgement->truth_ns = judgement->authority ? truth_ns : (struct ordo_interval){INT64_MIN, INT64_MAX};
}

/* True if there is a claim, other than this one, that it could contradict. */
static bool has_company(const struct ordo_net_case *cases, int count, int i)
{
    bool company = false;
    for (int j = 0; j < count && !company; j++)
        company = j != i && (cases[j].host == cases[i].host || (is_seen(&cases[i]) && is_seen(&cases[j])));
    return company;
}

static bool is_refuted(const struct ordo_net_case *one, int wrong, const struct ordo_net_judgement *judgement)
{
    struct ordo_interval rest = ordo_interval_intersect(one->view_ns, judgement->truth_ns);
    if (!is_seen(one) || one->authority)
        return false;
    return (judgement->authority && rest.low > rest.high) || (judgement->sound && one->hosts_against > wrong);
}

/* Computes the function f, and from it the numbers of hosts that have a wrong claim. False if out of memory. */
static bool count_hosts(const struct ordo_net_bench *bench, struct ordo_net_case *cases, int count,
                        struct ordo_net_judgement *judgement)
{
    struct ordo_net_depth depth;
    if (!ordo_net_depth_make(&depth, bench->hosts, cases, count, judgement->truth_ns))
        return false;
    judgement->least_wrong = ordo_net_depth_least(&depth, judgement->truth_ns);
    judgement->sound = judgement->least_wrong <= bench->wrong;
    for (int i = 0; i < count; i++)
        cases[i].hosts_against = ordo_net_depth_least(&depth, cases[i].view_ns);
    ordo_net_depth_free(&depth);
    return true;
}

bool ordo_net_referee_judge(const struct ordo_net_bench *bench, struct ordo_net_case *cases, int count,
                            struct ordo_net_judgement *judgement)
{
    *judgement = (struct ordo_net_judgement){0};
    for (int i = 0; i < count; i++) {
        cases[i].view_ns = ordo_net_view_of(bench, &cases[i]);
        cases[i].against = -1;
        cases[i].gap_ns = 0;
    }
    find_truth(cases, count, judgement);
    if (!count_hosts(bench, cases, count, judgement))
        return false;
    for (int i = 0; i < count; i++) {
        bool refuted = is_refuted(&cases[i], bench->wrong, judgement);
        cases[i].verdict = refuted                        ? ORDO_NET_REFUTED
                           : has_company(cases, count, i) ? ORDO_NET_CONSISTENT
                                                          : ORDO_NET_UNJUDGED;
        judgement->refuted += refuted;
    }
    compare_within_hosts(bench, cases, count);
    compare_views(cases, count);
    for (int i = 0; i < count; i++)
        if (stands(&cases[i]) && cases[i].against >= 0) {
            cases[i].verdict = ORDO_NET_DISPUTED;
            judgement->disputed++;
        }
    return true;
}
