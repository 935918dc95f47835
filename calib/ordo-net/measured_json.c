/* The result as JSON, schema ordo-measure/1. */
#include "ordo-net/pairs.h"

static struct ordo_json refused_of(const struct ordo_net_survey_host *host)
{
    struct ordo_json object = ordo_json_object();
    for (int i = 0; i < ORDO_NET_REFUSALS; i++)
        ordo_json_put_int(&object, ordo_net_refusal_name(i), (int64_t)host->refused[i]);
    return object;
}

/* Adds the members that describe a host's clock. An unknown value is null. */
static void put_clock(struct ordo_json *object, const struct ordo_net_survey_host *host)
{
    if (host->joined)
        ordo_json_put_int(object, "offset_ns", host->estimate_ns);
    else
        ordo_json_put_text(object, "offset_ns", NULL);
    if (host->proved)
        ordo_json_put_ints(object, "proved_offset_ns", host->offset_ns.low, host->offset_ns.high);
    else
        ordo_json_put_text(object, "proved_offset_ns", NULL);
    if (host->joined)
        ordo_json_put_real(object, "drift_ppb", host->drift_ppb);
    else
        ordo_json_put_text(object, "drift_ppb", NULL);
    if (host->proved)
        ordo_json_put_reals(object, "proved_drift_ppb", host->drift_low_ppb, host->drift_high_ppb);
    else
        ordo_json_put_text(object, "proved_drift_ppb", NULL);
}

static const char *why_unproved(const struct ordo_net_survey_host *host, bool sound)
{
    if (host->proved)
        return NULL;
    return !host->joined ? "not-joined" : !sound ? "unsound" : host->refuted ? "refuted" : "too-few-ways";
}

static struct ordo_json host_of(const struct measured *measured, int i)
{
    const struct ordo_net_survey_host *host = &measured->result.host[i];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "host", measured->name[i]);
    ordo_json_put_bool(&object, "answers", host->answers);
    ordo_json_put_bool(&object, "slow", host->slow);
    ordo_json_put_text(&object, "clock", host->answers ? ordo_net_clock_name((int)host->clock) : NULL);
    ordo_json_put_text(&object, "stamps", host->answers ? ordo_net_stamps_name((int)host->stamps) : NULL);
    put_clock(&object, host);
    ordo_json_put_text(&object, "unproved", why_unproved(host, measured->result.sound));
    if (host->told)
        ordo_json_put(&object, "refused", refused_of(host));
    else
        ordo_json_put_text(&object, "refused", NULL);
    return object;
}

static struct ordo_json edge_of(const struct measured *measured, int i)
{
    static const char *const whys[] = {
        [ORDO_NET_USED] = NULL,
        [ORDO_NET_WITHOUT_KEY] = "no-key",
        [ORDO_NET_WITHOUT_PLACE] = "no-place",
        [ORDO_NET_WITHOUT_ANSWER] = "no-answer",
        [ORDO_NET_WITHOUT_PROBE] = "no-probe",
        [ORDO_NET_WITHOUT_TIME] = "slow",
        [ORDO_NET_CLOCK_SET] = "clock-set",
    };
    const struct ordo_net_survey_edge *edge = &measured->result.edge[i];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "a", measured->name[edge->a]);
    ordo_json_put_text(&object, "b", measured->name[edge->b]);
    ordo_json_put_bool(&object, "used", edge->used);
    ordo_json_put_text(&object, "reason", whys[edge->why]);
    ordo_json_put_bool(&object, "coded", edge->coded);
    ordo_json_put_int(&object, "pairs", (int64_t)edge->pairs);
    ordo_json_put_int(&object, "came", (int64_t)edge->came);
    ordo_json_put_int(&object, "pure_there", (int64_t)edge->pure_there);
    ordo_json_put_int(&object, "pure_back", (int64_t)edge->pure_back);
    return object;
}

static struct ordo_json promise_of(const struct ordo_net_survey_options *options)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "rate_ppm", options->rate_ppm);
    ordo_json_put_int(&object, "stamp_ns", options->stamp_ns);
    ordo_json_put_int(&object, "liars", options->liars);
    return object;
}

static struct ordo_json contradiction_of(const struct measured *measured)
{
    struct ordo_json edges = ordo_json_array();
    for (int i = 0; i < measured->result.contraries; i++) {
        const struct ordo_net_survey_edge *edge = &measured->result.edge[measured->result.contrary[i]];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "a", measured->name[edge->a]);
        ordo_json_put_text(&object, "b", measured->name[edge->b]);
        ordo_json_add(&edges, object);
    }
    return edges;
}

int measured_print_json(const struct measured *measured, bool line)
{
    struct ordo_json document = ordo_json_document("ordo-measure/1"), hosts = ordo_json_array(),
                     edges = ordo_json_array();
    for (int i = 0; i < measured->result.hosts; i++)
        ordo_json_add(&hosts, host_of(measured, i));
    for (int i = 0; i < measured->result.edges; i++)
        ordo_json_add(&edges, edge_of(measured, i));
    ordo_json_put_text(&document, "reference", measured->name[0]);
    ordo_json_put_real(&document, "window_s", (double)measured->options->window_ns * 1e-9);
    ordo_json_put_text(&document, "estimator", measured->options->estimator->name);
    ordo_json_put(&document, "promised", promise_of(measured->options));
    ordo_json_put_bool(&document, "sound", measured->result.sound);
    if (measured->result.contraries > 0)
        ordo_json_put(&document, "contradiction", contradiction_of(measured));
    else
        ordo_json_put_text(&document, "contradiction", NULL);
    ordo_json_put(&document, "hosts", hosts);
    ordo_json_put(&document, "edges", edges);
    pairs_put_json(measured, &document);
    return (line ? ordo_json_write_line : ordo_json_write)(&document, stdout);
}
