/* The result as Prometheus text. All names of hosts were looked up successfully, and names of sources consist of letters,
 * digits and '-' (net/wire/claim.h), so no label contains a character that must be quoted. */
#include <stdio.h>

#include "common/gauges.h"
#include "ordo-net/audited.h"

static double verdict_of(const struct ordo_net_case *one)
{
    return one->verdict;
}

static double gap_s(const struct ordo_net_case *one)
{
    return one->against >= 0 ? (double)one->gap_ns / 1e9 : 0;
}

static double claimed_width_s(const struct ordo_net_case *one)
{
    return ((double)one->utc_ns.high - (double)one->utc_ns.low) / 1e9;
}

/* Writes one metric for each judged claim. */
static void put_claims(FILE *stream, const struct audited *audited, const char *name, const char *unit,
                       const char *help, double (*value)(const struct ordo_net_case *one))
{
    cli_gauge_head(stream, name, unit, help);
    for (int i = 0; audited->judged && i < audited->rows; i++) {
        const struct audited_row *row = &audited->row[i];
        if (row->number < 0)
            continue;
        fprintf(stream, "%s{host=\"%s\",source=\"%s\"} ", name, audited->name[row->host], audited_source(row));
        cli_gauge_value(stream, value(&audited->one[row->number]));
    }
}

static int hosts_not_audited(const struct audited *audited)
{
    int gaps = audited->judged ? 0 : audited->hosts;
    for (int i = 0; audited->judged && i < audited->result.hosts; i++)
        gaps += audited_gap(audited, i) != NULL;
    return gaps;
}

static void put_audit(FILE *stream, const void *metrics)
{
    const struct audited *audited = metrics;
    put_claims(stream, audited, "ordo_audit_verdict", "",
               "0: nothing to compare the claim with; 1: consistent; 2: disputed; 3: refuted.", verdict_of);
    put_claims(stream, audited, "ordo_audit_gap_seconds", "seconds",
               "Least distance from the claim that contradicts it most, or 0.", gap_s);
    put_claims(stream, audited, "ordo_audit_width_seconds", "seconds", "Width of the claimed interval.",
               claimed_width_s);
    cli_gauge(stream, "ordo_audit_refuted", "", "Claims that are certainly wrong.", audited->found.refuted);
    cli_gauge(stream, "ordo_audit_disputed", "",
              "Claims that contradict another one, without a judgement which is wrong.", audited->found.disputed);
    cli_gauge(stream, "ordo_audit_hosts_wrong", "", "Least number of hosts that have a wrong claim.",
              audited->found.least_wrong);
    cli_gauge(stream, "ordo_audit_hosts_not_audited", "", "Hosts whose claims could not be judged.",
              hosts_not_audited(audited));
    cli_counter(stream, "ordo_audit_windows_total", "", "Windows so far.", (double)audited->windows);
    cli_counter(stream, "ordo_audit_windows_failed_total", "", "Windows without a result.", (double)audited->failed);
    cli_gauge(stream, "ordo_audit_seen_timestamp_seconds", "seconds", "When the last window ended, as Unix time.",
              audited->at_s);
}

int audited_write_metrics(const struct audited *audited, const char *path, struct ordo_error *error)
{
    return cli_gauges_write(path, put_audit, audited, error);
}
