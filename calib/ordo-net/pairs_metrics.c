/* The limits and alarms as Prometheus text. There is no metric of a pair, because a thousand hosts have half a million
 * pairs: a host has the number of its alarms, and the log of events names the pairs. */
#include "common/gauges.h"
#include "ordo-net/pairs.h"

static double count_of_finding(const struct alarm *alarm, enum alarm_kind kind, int finding)
{
    return (double)alarm->count[kind].of[finding];
}

static void put_by_kind(const struct alarm *alarm, FILE *stream, const char *name,
                        double (*value)(const struct alarm *alarm, enum alarm_kind kind))
{
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        if (alarm->limit_ns[kind]) {
            fprintf(stream, "%s{limit=\"%s\"} ", name, alarm_word((enum alarm_kind)kind));
            cli_gauge_value(stream, value(alarm, (enum alarm_kind)kind));
        }
}

static double limit_s(const struct alarm *alarm, enum alarm_kind kind)
{
    return (double)alarm->limit_ns[kind] / 1e9;
}

static double alarms_of(const struct alarm *alarm, enum alarm_kind kind)
{
    return (double)alarm->count[kind].raised;
}

static double rises_of(const struct alarm *alarm, enum alarm_kind kind)
{
    return (double)alarm->count[kind].rises;
}

static void put_findings(const struct alarm *alarm, FILE *stream)
{
    cli_gauge_head(stream, "ordo_net_pairs", "", "Pairs of hosts, by limit and by what is certain about them.");
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        for (int finding = 0; alarm->limit_ns[kind] && finding < ALARM_FINDINGS; finding++) {
            fprintf(stream, "ordo_net_pairs{limit=\"%s\",finding=\"%s\"} ", alarm_word((enum alarm_kind)kind),
                    alarm_finding_word((enum alarm_finding)finding));
            cli_gauge_value(stream, count_of_finding(alarm, (enum alarm_kind)kind, finding));
        }
}

static void put_hosts_alarms(const struct measured *measured, FILE *stream)
{
    const struct alarm *alarm = measured->alarm;
    cli_gauge_head(stream, "ordo_net_host_alarms", "", "Alarms that last, of the pairs of a host.");
    for (int kind = 0; kind < ALARM_KINDS; kind++)
        for (int i = 0; alarm->limit_ns[kind] && i < alarm->hosts; i++)
            fprintf(stream, "ordo_net_host_alarms{host=\"%s\",limit=\"%s\"} %u\n", measured->name[i],
                    alarm_word((enum alarm_kind)kind), alarm->raised[kind][i]);
}

void pairs_put_metrics(const struct measured *measured, FILE *stream)
{
    const struct alarm *alarm = measured->alarm;
    if (!alarm_limits(alarm))
        return;
    cli_gauge_head(stream, "ordo_net_limit_seconds", "seconds", "Limits of --max-offset and --max-bound.");
    put_by_kind(alarm, stream, "ordo_net_limit_seconds", limit_s);
    put_findings(alarm, stream);
    cli_gauge_head(stream, "ordo_net_alarms", "", "Alarms of pairs that last.");
    put_by_kind(alarm, stream, "ordo_net_alarms", alarms_of);
    cli_counter_head(stream, "ordo_net_alarm_rises_total", "", "Alarms of pairs that rose.");
    put_by_kind(alarm, stream, "ordo_net_alarm_rises_total", rises_of);
    put_hosts_alarms(measured, stream);
}
