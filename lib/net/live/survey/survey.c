#include "net/live/survey.h"

#include <errno.h>
#include <stdlib.h>

#include "net/live/survey/stages.h"
#include "net/offset/rate.h"

static struct ordo_net_limits limits_of(const struct ordo_net_survey_options *options)
{
    double rate = ordo_net_rate_apart(1e-6 * options->rate_ppm);
    return (struct ordo_net_limits){.rate = rate, .change = 2 * rate, .stamp_ps = 2000 * options->stamp_ns};
}

static bool allocate_survey(struct ordo_net_survey *survey, int hosts)
{
    size_t edges = (size_t)survey->mesh.edges, count = (size_t)hosts;
    survey->asked = calloc(count, sizeof *survey->asked);
    survey->host = calloc(count, sizeof *survey->host);
    survey->counted = calloc(count, sizeof *survey->counted);
    survey->middle_ps = calloc(count, sizeof *survey->middle_ps);
    survey->middle = calloc(count, sizeof *survey->middle);
    survey->begin_ps = calloc(count, sizeof *survey->begin_ps);
    survey->begin = calloc(count, sizeof *survey->begin);
    survey->contrary = calloc(count, sizeof *survey->contrary);
    survey->refuted = calloc(count, sizeof *survey->refuted);
    survey->track = calloc(edges, sizeof *survey->track);
    survey->edge = calloc(edges, sizeof *survey->edge);
    if (survey->options.claims) {
        survey->claims = calloc(count, sizeof *survey->claims);
        survey->told = calloc(count, sizeof *survey->told);
        if (!survey->claims || !survey->told)
            return false;
    }
    if (survey->options.pairs && !(survey->most_ns = calloc(count * count, sizeof *survey->most_ns)))
        return false;
    return survey->asked && survey->host && survey->counted && survey->middle_ps && survey->middle &&
           survey->begin_ps && survey->begin && survey->contrary && survey->refuted && survey->track && survey->edge &&
           ordo_net_window_make(&survey->window, &survey->mesh);
}

struct ordo_net_survey *ordo_net_survey_new(const struct ordo_net_port *port, const struct ordo_net_address *hosts,
                                            const uint16_t *keys, int count,
                                            const struct ordo_net_survey_options *options)
{
    struct ordo_net_survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return NULL;
    survey->port = *port;
    survey->options = *options;
    survey->lease_s = (uint32_t)((3 * options->window_ns + 3 * options->patience_ns) / 1000000000) + 10;
    if (!ordo_net_mesh_make(&survey->mesh, count, options->peers, options->seed) || !allocate_survey(survey, count)) {
        ordo_net_survey_free(survey);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        survey->asked[i].address = hosts[i];
        survey->asked[i].key = keys && keys[i] ? keys[i] : port->keys.number[0];
    }
    for (int i = 0; i < survey->mesh.edges; i++) {
        survey->edge[i].a = survey->mesh.edge[i].a;
        survey->edge[i].b = survey->mesh.edge[i].b;
    }
    survey->window.limits = limits_of(options);
    survey->window.liars = options->liars;
    return survey;
}

void ordo_net_survey_free(struct ordo_net_survey *survey)
{
    if (!survey)
        return;
    for (int i = 0; survey->track && i < survey->mesh.edges; i++) {
        ordo_net_points_free(&survey->track[i].all);
        ordo_net_points_free(&survey->track[i].pure);
    }
    if (survey->window.mesh)
        ordo_net_window_free(&survey->window);
    ordo_net_mesh_free(&survey->mesh);
    ordo_net_socket_close(&survey->port.socket);
    ordo_net_keys_forget(&survey->port.keys);
    free(survey->asked);
    free(survey->host);
    free(survey->counted);
    free(survey->middle_ps);
    free(survey->middle);
    free(survey->begin_ps);
    free(survey->begin);
    free(survey->contrary);
    free(survey->refuted);
    free(survey->track);
    free(survey->edge);
    free(survey->claims);
    free(survey->told);
    free(survey->most_ns);
    free(survey);
}

static struct ordo_net_survey_result result_of(const struct ordo_net_survey *survey)
{
    return (struct ordo_net_survey_result){.hosts = survey->mesh.hosts,
                                           .edges = survey->mesh.edges,
                                           .at_ns = ordo_net_survey_base_ns(survey, 0),
                                           .claims = survey->claims,
                                           .host = survey->host,
                                           .edge = survey->edge,
                                           .sound = survey->sound,
                                           .contraries = survey->contraries,
                                           .contrary = survey->contrary,
                                           .most_ns = survey->most_ns,
                                           .through_reference = survey->through_reference};
}

/* Computes the result for each host from the collected pairs. False if out of memory. */
static bool conclude_survey(struct ordo_net_survey *survey)
{
    if (survey->full || !ordo_net_survey_take_edges(survey) || !ordo_net_survey_look(survey))
        return false;
    ordo_net_survey_describe(survey);
    ordo_net_survey_describe_pairs(survey);
    return true;
}

int ordo_net_survey_window(struct ordo_net_survey *survey, struct ordo_net_survey_result *result,
                           struct ordo_error *error)
{
    int code = ordo_net_survey_order(survey, error);
    if (!code)
        code = ordo_net_survey_check(survey, error);
    if (code)
        return code;
    ordo_net_survey_collect(survey);
    if (ordo_net_survey_stopped(survey))
        return ordo_net_survey_check(survey, error);
    if (!conclude_survey(survey))
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    *result = result_of(survey);
    if (survey->window.joined > 1)
        return ORDO_OK;
    code = ordo_net_survey_check(survey, error);
    return code ? code : ordo_net_survey_alone(survey, error);
}
