/* Explains why a window has no result. */
#include <stdio.h>

#include "net/live/survey/stages.h"

/* Writes the name of a host, cut so that a message has room for two names. */
static void write_host_name(const struct ordo_net_survey *survey, int host, char text[ORDO_NET_ADDRESS_TEXT])
{
    if (survey->options.name)
        (void)snprintf(text, ORDO_NET_ADDRESS_TEXT * 3 / 4, "%s", survey->options.name[host]);
    else
        ordo_net_address_print(&survey->asked[host].address, text);
}

int ordo_net_survey_check(const struct ordo_net_survey *survey, struct ordo_error *error)
{
    char name[ORDO_NET_ADDRESS_TEXT];
    if (ordo_net_survey_stopped(survey))
        return ordo_error_set(error, ORDO_E_CANCELLED, 0, "stopped");
    write_host_name(survey, 0, name);
    if (!ordo_net_survey_answers(survey, 0))
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s, the reference, does not answer: see that an agent runs there with this key", name);
    return ORDO_OK;
}

static bool answers_alone(const struct ordo_net_survey *survey)
{
    for (int i = 1; i < survey->mesh.hosts; i++)
        if (ordo_net_survey_answers(survey, i))
            return false;
    return true;
}

/* Explains why the reference has no used edge. The reason of one of its edges comes first; without such a reason, the
 * network is blamed. */
int ordo_net_survey_alone(const struct ordo_net_survey *survey, struct ordo_error *error)
{
    char a[ORDO_NET_ADDRESS_TEXT], b[ORDO_NET_ADDRESS_TEXT];
    for (int i = 0; i < survey->mesh.edges; i++) {
        const struct ordo_net_survey_edge *edge = &survey->edge[i];
        write_host_name(survey, edge->a, a);
        write_host_name(survey, edge->b, b);
        if (edge->a != 0 && edge->b != 0)
            continue;
        if (edge->why == ORDO_NET_WITHOUT_KEY)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s has no key %u, with which %s is probed: add it to the file of its agent", a,
                                  (unsigned)survey->asked[edge->b].key, b);
        if (edge->why == ORDO_NET_WITHOUT_PLACE)
            return ordo_error_set(
                error, ORDO_E_MEASURE, 0,
                "%s probes along as many edges as it can, and has no place for that to %s: wait until "
                "other measurements have ended, or let each host probe fewer",
                a, b);
        if (edge->why == ORDO_NET_WITHOUT_TIME)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s was too slow to tell what it saw of %s: wait for longer, or leave it out", a, b);
        if (edge->why == ORDO_NET_CLOCK_SET)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s and %s: a clock was set while they were measured: measure again", a, b);
    }
    write_host_name(survey, 0, a);
    if (answers_alone(survey))
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "no host but %s, the reference, answers: see that agents run there with this key", a);
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "%s, the reference: no probe came there and back: see that the hosts reach each other under "
                          "these addresses",
                          a);
}
