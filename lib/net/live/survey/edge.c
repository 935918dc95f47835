/* The third stage: computes a line and hulls from the points of each edge, or finds the reason why the edge is not
 * used. */
#include "net/live/survey/stages.h"

enum { LEAST_PURE = 4 }; /* in each direction; with fewer, the estimate uses all pairs */

static enum ordo_net_unused why_unused(const struct ordo_net_survey *survey, int i)
{
    const struct ordo_net_survey_edge *edge = &survey->edge[i];
    const struct ordo_net_track *track = &survey->track[i];
    if (track->ordered && track->done != ORDO_NET_DONE)
        return track->done == ORDO_NET_NO_KEY ? ORDO_NET_WITHOUT_KEY : ORDO_NET_WITHOUT_PLACE;
    if (!ordo_net_survey_answers(survey, edge->a) || !ordo_net_survey_answers(survey, edge->b))
        return ORDO_NET_WITHOUT_ANSWER;
    if (survey->asked[edge->a].slow)
        return ORDO_NET_WITHOUT_TIME;
    bool all_after = edge->pairs == 0 && track->after; /* the stamps of all its pairs are after the window */
    return edge->came > 0 || all_after ? ORDO_NET_CLOCK_SET : ORDO_NET_WITHOUT_PROBE;
}

static bool take_edge(struct ordo_net_survey *survey, int i)
{
    struct ordo_net_survey_edge *edge = &survey->edge[i];
    struct ordo_net_track *track = &survey->track[i];
    ordo_net_points_finish(&track->all);
    ordo_net_points_finish(&track->pure);
    edge->pure_there = track->pure.samples.forwards;
    edge->pure_back = track->pure.samples.reverses;
    edge->coded = edge->pure_there >= LEAST_PURE && edge->pure_back >= LEAST_PURE;
    const struct ordo_net_points *likely = edge->coded ? &track->pure : &track->all;
    if (!ordo_net_window_take(&survey->window, i, &likely->samples, survey->options.estimator))
        return false;
    edge->used = survey->window.used[i];
    edge->why = edge->used ? ORDO_NET_USED : why_unused(survey, i);
    return !edge->used || ordo_net_window_prove(&survey->window, i, &track->all.samples);
}

bool ordo_net_survey_take_edges(struct ordo_net_survey *survey)
{
    ordo_net_window_forget(&survey->window);
    for (int i = 0; i < survey->mesh.edges; i++)
        if (!take_edge(survey, i))
            return false;
    ordo_net_window_close(&survey->window);
    return true;
}
