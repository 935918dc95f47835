/* The last stage: describes the clock of each host. */
#include <math.h>

#include "base/minmax.h"
#include "net/live/survey/stages.h"

static double clip(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* Describes a host. The mean drift over the window is the change of the offset divided by the advance of host 0's
 * clock; the declared bound on the drift at any time also bounds the mean. The estimates are limited to the proved
 * bounds. */
static void describe_host(struct ordo_net_survey *survey, int i)
{
    struct ordo_net_survey_host *host = &survey->host[i];
    double per_ps = 1e9 / (1000.0 * (double)survey->options.window_ns), most_ppb = survey->window.limits.rate * 1e9;
    int64_t apart_ns = ordo_net_survey_base_ns(survey, i) - ordo_net_survey_base_ns(survey, 0);
    struct ordo_interval middle = survey->middle[i], begin = survey->begin[i], end = survey->window.bounds.potential[i];
    host->joined = i == 0 || survey->window.via[i] >= 0;
    host->refuted = survey->refuted[i];
    host->proved = survey->sound && host->joined && !host->refuted && middle.low != INT64_MIN;
    host->offset_ns.low = apart_ns + ordo_net_survey_floor_ns(middle.low);
    host->offset_ns.high = apart_ns - ordo_net_survey_floor_ns(-middle.high);
    host->estimate_ns =
        ordo_min(ordo_max(apart_ns + llround(clip(survey->middle_ps[i] / 1000, -1e18, 1e18)), host->offset_ns.low),
                 host->offset_ns.high);
    host->drift_low_ppb = clip(((double)end.low - (double)begin.high) * per_ps, -most_ppb, most_ppb);
    host->drift_high_ppb = clip(((double)end.high - (double)begin.low) * per_ps, -most_ppb, most_ppb);
    host->drift_ppb = clip((survey->window.potential_ps[i] - survey->begin_ps[i]) * per_ps, host->drift_low_ppb,
                           host->drift_high_ppb);
    if (i == 0)
        host->drift_low_ppb = host->drift_ppb = host->drift_high_ppb = 0;
}

void ordo_net_survey_describe(struct ordo_net_survey *survey)
{
    for (int i = 0; i < survey->mesh.hosts; i++) {
        struct ordo_net_survey_host *host = &survey->host[i];
        host->answers = ordo_net_survey_answers(survey, i);
        host->slow = survey->asked[i].slow;
        host->clock = survey->asked[i].clock;
        host->stamps = survey->asked[i].stamps;
        describe_host(survey, i);
    }
}
