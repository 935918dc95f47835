/* The first stage: says hello to the hosts, and orders the probes of each edge. At the end of a survey, cancels these
 * orders. */
#include <errno.h>

#include "net/live/survey/stages.h"

/* Makes the next order for a host. The first host of an edge probes the second host, so the order has the second host's
 * address. */
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

/* Takes the answer to an order. False if the answer is about another edge. */
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

static void ask_orders(struct ordo_net_survey *survey, int64_t patience_ns,
                       bool (*next)(void *, int, struct ordo_net_message *))
{
    const struct ordo_net_asking asking = {survey, next, ordered, survey->options.stopped,
                                           ordo_net_port_now_ns() + patience_ns};
    ordo_net_ask(&survey->port, survey->asked, survey->mesh.hosts, &asking);
}

/* Silent hosts are asked again without a session, because they may have restarted and forgotten their orders. Every
 * window begins with a new reading of each host's clock. An earlier reading plus the time that passed here by
 * CLOCK_MONOTONIC would be wrong if the clocks' rates differ, if a clock was set, or if this host was suspended. */
int ordo_net_survey_order(struct ordo_net_survey *survey, struct ordo_error *error)
{
    for (int i = 0; i < survey->mesh.hosts; i++) {
        if (survey->asked[i].silent)
            survey->asked[i].session = 0;
        survey->asked[i].silent = survey->asked[i].slow = false;
    }
    for (int i = 0; i < survey->mesh.edges; i++) {
        survey->track[i].ordered = false; /* a new order in each window renews the lease */
        if (!survey->asked[survey->edge[i].a].session)
            survey->track[i].first = 0;
    }
    if (!ordo_net_ask_in(&survey->port, survey->asked, survey->mesh.hosts, survey->options.stopped))
        return ordo_error_set(error, ORDO_E_SYSTEM, EAGAIN, "the system gives no random numbers");
    ask_orders(survey, survey->options.patience_ns, next_order);
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
    const int64_t at_most_ns = 5000000000; /* asking a silent host takes 2.6 to 3.5 s of it */
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->asked[i].silent = survey->asked[i].slow = false; /* a silent host may still get this order */
    for (int i = 0; i < survey->mesh.edges; i++)
        survey->track[i].ordered = !survey->asked[survey->edge[i].a].session;
    survey->options.stopped = stopped;
    ask_orders(survey, at_most_ns, next_end);
}
