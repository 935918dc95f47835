/* The result as Prometheus text. peers_read refuses names with characters that would have to be quoted. */
#include <stdio.h>

#include "common/gauges.h"
#include "ordo-net/pairs.h"

/* Writes one metric for each host whose offset is proved. */
static void put_hosts(FILE *stream, const struct measured *measured, const char *name, const char *unit,
                      const char *help, double (*value)(const struct ordo_net_survey_host *host))
{
    cli_gauge_head(stream, name, unit, help);
    for (int i = 0; i < measured->result.hosts; i++)
        if (measured->result.host[i].proved) {
            fprintf(stream, "%s{host=\"%s\"} ", name, measured->name[i]);
            cli_gauge_value(stream, value(&measured->result.host[i]));
        }
}

static double offset_s(const struct ordo_net_survey_host *host)
{
    return (double)host->estimate_ns / 1e9;
}

static double low_s(const struct ordo_net_survey_host *host)
{
    return cli_not_above((double)host->offset_ns.low / 1e9);
}

static double high_s(const struct ordo_net_survey_host *host)
{
    return cli_not_below((double)host->offset_ns.high / 1e9);
}

static double width_s(const struct ordo_net_survey_host *host)
{
    return cli_not_below((double)(host->offset_ns.high - host->offset_ns.low) / 1e9);
}

static double drift_ppb(const struct ordo_net_survey_host *host)
{
    return host->drift_ppb;
}

static void put_refused(FILE *stream, const struct measured *measured)
{
    cli_counter_head(stream, "ordo_net_refused_total", "", "Datagrams that a host's agent has refused, by reason.");
    for (int i = 0; i < measured->result.hosts; i++)
        for (int k = 0; measured->result.host[i].told && k < ORDO_NET_REFUSALS; k++)
            fprintf(stream, "ordo_net_refused_total{host=\"%s\",reason=\"%s\"} %llu\n", measured->name[i],
                    ordo_net_refusal_name(k), (unsigned long long)measured->result.host[i].refused[k]);
}

static void put_all(FILE *stream, const void *metrics)
{
    const struct measured *measured = metrics;
    put_hosts(stream, measured, "ordo_net_offset_seconds", "seconds",
              "Likely offset: the host's clock minus the clock of the reference.", offset_s);
    put_hosts(stream, measured, "ordo_net_offset_low_seconds", "seconds", "Proved lower bound of the offset.", low_s);
    put_hosts(stream, measured, "ordo_net_offset_high_seconds", "seconds", "Proved upper bound of the offset.", high_s);
    put_hosts(stream, measured, "ordo_net_offset_width_seconds", "seconds",
              "Width of the proved interval of the offset.", width_s);
    put_hosts(stream, measured, "ordo_net_drift_ppb", "ppb", "Likely rate at which the offset grows.", drift_ppb);
    put_refused(stream, measured);
    cli_gauge(stream, "ordo_net_sound", "",
              "1; 0 if the intervals of edges contradict each other, so that nothing is proved.",
              measured->result.sound);
    cli_gauge(stream, "ordo_net_edges_contradicting", "", "Edges of a loop that contradicts itself, or 0.",
              measured->result.contraries);
    cli_gauge(stream, "ordo_net_liars", "",
              "Number of lying hosts with which the intervals of the other hosts still hold.",
              measured->options->liars);
    cli_gauge(stream, "ordo_net_hosts_proved", "", "Hosts whose offset is proved.", measured_known(measured));
    cli_gauge(stream, "ordo_net_hosts_answering", "", "Hosts that answered to the end of the window.",
              measured_answering(measured));
    cli_gauge(stream, "ordo_net_hosts_slow", "", "Hosts that were too slow to report all probes.",
              measured_slow(measured));
    cli_gauge(stream, "ordo_net_hosts", "", "Hosts that were requested.", measured->result.hosts);
    cli_gauge(stream, "ordo_net_edges_used", "", "Edges with probes in both directions.", measured_used(measured));
    cli_gauge(stream, "ordo_net_edges", "", "Edges of the mesh.", measured->result.edges);
    cli_counter(stream, "ordo_net_windows_total", "", "Windows so far.", (double)measured->windows);
    cli_counter(stream, "ordo_net_windows_failed_total", "", "Windows without a result.", (double)measured->failed);
    cli_gauge(stream, "ordo_net_seen_timestamp_seconds", "seconds", "When the last window ended, as Unix time.",
              measured->at_s);
    pairs_put_metrics(measured, stream);
}

int measured_write_metrics(const struct measured *measured, const char *path, struct ordo_error *error)
{
    return cli_gauges_write(path, put_all, measured, error);
}
