/* In the middle of a window, asks the hosts for the claims about UTC that their programs make. The claims then need little
 * widening for the time between their readings and the instant of the offsets. */
#include <string.h>
#include <time.h>

#include "net/live/survey/stages.h"

static const int64_t patience_ns = 4000000000; /* more than 3.5 s, within which a silent host is found out */

void ordo_net_survey_wait(const struct ordo_net_survey *survey, int64_t until_ns)
{
    while (!ordo_net_survey_stopped(survey) && ordo_net_port_now_ns() < until_ns) {
        struct timespec until = {(time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000)};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL); /* a signal may end the sleep early */
    }
}

static bool next_claims(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    *question = (struct ordo_net_message){.kind = ORDO_NET_CLAIMS};
    question->claims.first = (uint16_t)survey->claims[host].count;
    return !survey->told[host];
}

/* Other than "authority", which ordo-net audit prints for a promise, a name is free; but each comes once, because it is a
 * label of a metric. */
static bool are_named_once(const struct ordo_net_survey_claims *claims, int from)
{
    for (int i = from; i < claims->count; i++) {
        if (strcmp(claims->claim[i].source, "authority") == 0)
            return false;
        for (int j = 0; j < i; j++)
            if (strcmp(claims->claim[i].source, claims->claim[j].source) == 0)
                return false;
    }
    return true;
}

/* A host has told its claims only if all parts of them came. */
static bool claims_told(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    struct ordo_net_survey_claims *claims = &survey->claims[host];
    if (answer->claims.first != claims->count || claims->count + answer->claims.count > ORDO_NET_MOST_HOST_CLAIMS)
        return false;
    memcpy(&claims->claim[claims->count], answer->claims.claim, answer->claims.count * sizeof *answer->claims.claim);
    claims->count += answer->claims.count;
    if (!are_named_once(claims, answer->claims.first)) {
        claims->count = 0;
        return false;
    }
    survey->told[host] = answer->claims.count == 0 || claims->count >= answer->claims.total;
    if (survey->told[host])
        claims->telling = ORDO_NET_TOLD;
    return true;
}

/* A host that did not know the question in this session is not asked again. */
static void begin_telling(struct ordo_net_survey *survey, int host)
{
    struct ordo_net_survey_claims *claims = &survey->claims[host];
    bool ignorant = claims->telling == ORDO_NET_IGNORANT && claims->session == survey->asked[host].session;
    claims->count = 0;
    claims->telling = ignorant ? ORDO_NET_IGNORANT : ORDO_NET_NOT_TOLD;
    claims->session = survey->asked[host].session;
    survey->told[host] = ignorant || !ordo_net_survey_answers(survey, host) || survey->asked[host].slow;
}

/* An agent that is older than this question refuses it without an answer, like any kind that it does not know. So a
 * host that is silent here is no silent host: the marks of all hosts are restored. */
void ordo_net_survey_tell(struct ordo_net_survey *survey)
{
    const struct ordo_net_asking asking = {survey, next_claims, claims_told, survey->options.stopped,
                                           ordo_net_port_now_ns() + patience_ns};
    for (int i = 0; i < survey->mesh.hosts; i++) {
        begin_telling(survey, i);
        survey->asked[i].mute = survey->asked[i].silent;
        survey->asked[i].lame = survey->asked[i].slow;
    }
    ordo_net_ask(&survey->port, survey->asked, survey->mesh.hosts, &asking);
    for (int i = 0; i < survey->mesh.hosts; i++) {
        if (!survey->asked[i].mute && survey->asked[i].silent && survey->claims[i].count == 0)
            survey->claims[i].telling = ORDO_NET_IGNORANT;
        survey->asked[i].silent = survey->asked[i].mute;
        survey->asked[i].slow = survey->asked[i].lame;
    }
}
