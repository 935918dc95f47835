/* The second stage: collects the pairs of a window, makes points of them, and collects the counts of the agents. */
#include <string.h>

#include "net/live/prober.h"
#include "net/live/survey/stages.h"

/* Asks a host for the pairs of one of its edges. False if the pairs of all its edges are collected. */
static bool next_collection(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    int i = 0;
    while (i < survey->mesh.edges && (survey->edge[i].a != host || survey->track[i].collected))
        i++;
    if (i == survey->mesh.edges)
        return false;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COLLECT};
    question->harvest.edge = (uint32_t)i;
    question->harvest.first = survey->marking ? UINT64_MAX : survey->track[i].first;
    return true;
}

/* True if the pair was certainly sent after the window, and so belongs to the next window. ordo_net_survey_base_ns may
 * be too small by up to now_took_ns, the duration of the host's answer. */
static bool is_after(const struct ordo_net_survey *survey, int host, const struct ordo_net_pair *pair)
{
    int64_t sent_ns = pair->of[0].sent_ns, later_ns;
    return sent_ns && !__builtin_sub_overflow(sent_ns, ordo_net_survey_base_ns(survey, host), &later_ns) &&
           later_ns > survey->options.window_ns / 2 + survey->asked[host].now_took_ns;
}

static void take_pair(struct ordo_net_survey *survey, int i, const struct ordo_net_pair *pair)
{
    struct ordo_net_survey_edge *edge = &survey->edge[i];
    struct ordo_net_track *track = &survey->track[i];
    const unsigned whole = ORDO_NET_THERE | ORDO_NET_BACK;
    const struct ordo_net_bases bases = {ordo_net_survey_base_ns(survey, edge->a),
                                         ordo_net_survey_base_ns(survey, edge->b)};
    edge->pairs++;
    edge->came += (pair->of[0].flags & pair->of[1].flags & whole) == whole;
    if (!ordo_net_points_add(&track->all, &track->pure, pair, &bases, survey->options.tolerance_ns))
        survey->full = true;
}

static bool collected(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    uint32_t i = survey->asked[host].question.harvest.edge;
    if (answer->harvest.edge != i)
        return false;
    struct ordo_net_track *track = &survey->track[i];
    track->first = answer->harvest.first;
    track->collected = answer->harvest.count < ORDO_NET_MOST_PAIRS || survey->edge[i].pairs >= ORDO_NET_KEPT_PAIRS;
    for (int k = 0; k < answer->harvest.count; k++) {
        if (is_after(survey, host, &answer->harvest.pair[k])) {
            track->collected = track->after = true;
            break;
        }
        take_pair(survey, (int)i, &answer->harvest.pair[k]);
        track->first++;
    }
    return true;
}

static bool next_count(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COUNT};
    return !survey->counted[host];
}

static bool counted(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    survey->counted[host] = survey->host[host].told = true;
    memcpy(survey->host[host].refused, answer->count, sizeof survey->host[host].refused);
    survey->host[host].accepted = answer->count[ORDO_NET_REFUSALS];
    return true;
}

static void ask_collections(struct ordo_net_survey *survey, bool (*next)(void *, int, struct ordo_net_message *),
                            bool (*answered)(void *, int, const struct ordo_net_message *))
{
    const struct ordo_net_asking asking = {survey, next, answered, survey->options.stopped,
                                           ordo_net_port_now_ns() + survey->options.patience_ns};
    ordo_net_ask(&survey->port, survey->asked, survey->mesh.hosts, &asking);
}

static void forget_pairs(struct ordo_net_survey *survey)
{
    for (int i = 0; i < survey->mesh.edges; i++) {
        struct ordo_net_survey_edge *edge = &survey->edge[i];
        ordo_net_points_empty(&survey->track[i].all);
        ordo_net_points_empty(&survey->track[i].pure);
        edge->pairs = edge->came = edge->pure_there = edge->pure_back = 0;
        survey->track[i].after = false;
    }
    memset(survey->counted, 0, (size_t)survey->mesh.hosts * sizeof *survey->counted);
}

/* Collects the pairs of all edges that are probed. With `marking`, only finds the number of the next pair. Skips an
 * edge if its second host has sent no reading of its clock, because the stamps of that host are then useless. */
static void collect_pairs(struct ordo_net_survey *survey, bool marking)
{
    for (int i = 0; i < survey->mesh.edges; i++)
        survey->track[i].collected = !survey->track[i].ordered || survey->track[i].done != ORDO_NET_DONE ||
                                     !survey->asked[survey->edge[i].b].session;
    survey->marking = marking;
    ask_collections(survey, next_collection, collected);
}

/* Waits until the window is over and all its pairs are closed, which takes open_ns more. Then collects the pairs. */
void ordo_net_survey_collect(struct ordo_net_survey *survey)
{
    int64_t open_ns = ORDO_NET_OPEN_PAIRS * survey->options.every_ns, begin_ns;
    forget_pairs(survey);
    if (survey->began) /* skips pairs that were sent while the last window was collected */
        collect_pairs(survey, true);
    begin_ns = ordo_net_port_now_ns() - (survey->began ? open_ns : 0);
    if (survey->claims) {
        ordo_net_survey_wait(survey, begin_ns + survey->options.window_ns / 2);
        ordo_net_survey_tell(survey);
    }
    ordo_net_survey_wait(survey, begin_ns + survey->options.window_ns + open_ns);
    survey->began = true;
    survey->base_at_ns = begin_ns + survey->options.window_ns / 2;
    collect_pairs(survey, false);
    ask_collections(survey, next_count, counted);
}
