/* The first stage: says hello to the hosts, and orders the probes of each edge. At the end of a survey, cancels
 * them. */
#include <errno.h>

#include "net/live/survey/stages.h"

/* Each edge is probed by its first host, which needs the address of the other. */
static bool next_order(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    int i = 0;
    while (i < survey->mesh.edges && (survey->edge[i].a != host || survey->track[i].ordered))
        i++;
    if (i == survey->mesh.edges)
        return false;
    *question = (struct ordo_net_message){.kind = ORDO_NET_ORDER};
    question->order.edge = (uint32_t)i;
    question->order.every_us = (uint32_t)(survey->options.every_ns / 1000);
    question->order.spacing_ns = (uint32_t)survey->options.spacing_ns;
    question->order.lease_s = survey->lease_s;
    question->order.key = survey->asked[survey->edge[i].b].key;
    ordo_net_address_give(&survey->asked[survey->edge[i].b].address, &question->order);
    return true;
}

/* A host may answer only for its own edges. */
static bool ordered(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    uint32_t i = survey->asked[host].question.order.edge;
    if (answer->order.edge != i)
        return false;
    survey->track[i].ordered = true;
    survey->track[i].done = (enum ordo_net_done)answer->order.done;
    return true;
}

static void ask(struct ordo_net_survey *survey, int64_t patience_ns,
                bool (*next)(void *, int, struct ordo_net_message *))
{
    const struct ordo_net_asking asking = {survey, next, ordered, survey->options.stopped,
                                           ordo_net_port_now_ns() + patience_ns};
    ordo_net_ask(&survey->port, survey->asked, survey->mesh.hosts, &asking);
}

/* Silent hosts may have restarted, and forgotten their orders. All hosts send a new reading of their clocks:
 * CLOCK_MONOTONIC here cannot extend an earlier reading, because a clock departs from it by its rate, when it is set,
 * and while this host is suspended. */
int ordo_net_survey_order(struct ordo_net_survey *survey, struct ordo_error *error)
{
    for (int i = 0; i < survey->mesh.hosts; i++) {
        if (survey->asked[i].silent)
            survey->asked[i].session = 0;
        survey->asked[i].silent = survey->asked[i].slow = false;
    }
    for (int i = 0; i < survey->mesh.edges; i++) {
        survey->track[i].ordered = false; /* each window renews the lease */
        if (!survey->asked[survey->edge[i].a].session)
            survey->track[i].first = 0;
    }
    if (!ordo_net_ask_in(&survey->port, survey->asked, survey->mesh.hosts, survey->options.stopped))
        return ordo_error_set(error, ORDO_E_SYSTEM, EAGAIN, "the system gives no random numbers");
    ask(survey, survey->options.patience_ns, next_order);
    return ORDO_OK;
}

static bool next_end(void *context, int host, struct ordo_net_message *question)
{
    bool more = next_order(context, host, question);
    question->order.lease_s = 0;
    return more;
}

void ordo_net_survey_end(struct ordo_net_survey *survey, bool (*stopped)(void))
{
    const int64_t at_most_ns = 5000000000; /* a silent host takes 2.6 to 3.5 s of it, and ends by its lease */
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->asked[i].silent = survey->asked[i].slow = false; /* it may hear this order */
    for (int i = 0; i < survey->mesh.edges; i++)
        survey->track[i].ordered = !survey->asked[survey->edge[i].a].session;
    survey->options.stopped = stopped;
    ask(survey, at_most_ns, next_end);
}
