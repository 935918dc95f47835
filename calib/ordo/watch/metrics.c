/* Counters start at 0 when the watcher starts; increase() and changes() of Prometheus handle that. */
#include "ordo/watch/metrics.h"

#include <stdio.h>

#include <ordo/record.h>

#include "common/gauges.h"

static const char *const verdicts[VERDICTS] = {"valid", "disrupted", "missing"};

static void put_verdict(FILE *stream, const struct metrics *m)
{
    cli_gauge_head(stream, "ordo_verdict", "",
                   "State of the record: 1 for its present state, 0 for the others. Programs may open a valid record.");
    for (int i = 0; i < VERDICTS; i++)
        fprintf(stream, "ordo_verdict{verdict=\"%s\"} %d\n", verdicts[i], (int)m->verdict == i);
}

static void put_trust(FILE *stream, const struct metrics *m)
{
    cli_gauge_head(stream, "ordo_trust", "", "Class of trust in the clock: 1 for the present class, 0 for the others.");
    for (int i = ORDO_TRUST_VOUCHED; i <= ORDO_TRUST_INCAPABLE; i++)
        fprintf(stream, "ordo_trust{class=\"%s\"} %d\n", ordo_trust_word(i), m->trust == i);
}

static void put_record_gauges(FILE *stream, const struct metrics *m)
{
    cli_gauge(stream, "ordo_boundary_seconds", "seconds",
              "ORDO_BOUNDARY: two times that differ by more than this are certainly in order.",
              cli_not_below(m->boundary_s));
    cli_gauge(stream, "ordo_boundary_ticks", "ticks", "ORDO_BOUNDARY in ticks of the clock.",
              (double)m->boundary_ticks);
    cli_gauge(stream, "ordo_record_generation", "",
              "Generation of the record: the number of records published at its path.", (double)m->generation);
    cli_gauge(stream, "ordo_record_age_seconds", "seconds", "Time since the record was measured.", m->age_s);
}

static void put_clocks(FILE *stream, const struct metrics *m)
{
    cli_gauge_head(stream, "ordo_worst_pair_seconds", "seconds",
                   "Largest possible offset between the clocks of two CPUs, a and b, by the latest measurements.");
    fprintf(stream, "ordo_worst_pair_seconds{a=\"%u\",b=\"%u\"} ", m->worst_a, m->worst_b);
    cli_gauge_value(stream, cli_not_below(m->worst_s));
    cli_gauge(stream, "ordo_drift_ppb", "ppb",
              "Largest drift between two CPUs that is likely or proved; 0 if there is none.", m->drift_ppb);
    cli_gauge(stream, "ordo_boundary_left_seconds", "seconds", "Time until a drift has used up the boundary.",
              cli_not_above(m->left_s));
}

static void put_watcher(FILE *stream, const struct metrics *m)
{
    const struct {
        const char *name, *help;
        uint64_t value;
    } counts[] = {
        {"ordo_disruptions_total", "Records that this watcher marked DISRUPTED.", m->disruptions},
        {"ordo_drift_warnings_total", "Warnings of a drift.", m->warnings},
        {"ordo_calibrations_total", "Records that this watcher published.", m->calibrations},
        {"ordo_calibration_refusals_total", "Calibrations that ended without a record.", m->refusals},
        {"ordo_file_troubles_total", "Failures to write the record, the log or these metrics.", m->troubles},
        {"ordo_looks_total", "Measurements of a pair of CPUs.", m->looks},
        {"ordo_looks_unanswered_total", "Measurements of a pair that found a CPU busy.", m->unanswered},
        {"ordo_walks_total", "Walks: readings of the clocks of all CPUs, one after the other.", m->walks},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cli_counter(stream, counts[i].name, "", counts[i].help, (double)counts[i].value);
    cli_gauge(stream, "ordo_watch_cpu_ratio", "ratio", "Share of one core that was used for watching.", m->share);
    cli_gauge(stream, "ordo_watch_asked_ratio", "ratio", "Share of one core that may be used for watching.", m->asked);
    cli_counter(stream, "ordo_watch_cpu_seconds_total", "seconds", "CPU time of the watcher, calibrations included.",
                m->cpu_s);
    cli_gauge(stream, "ordo_watch_uptime_seconds", "seconds", "Time since the watcher started.", m->uptime_s);
    cli_gauge(stream, "ordo_watch_seen_timestamp_seconds", "seconds",
              "When the watcher last wrote these metrics, as Unix time.", m->seen_s);
}

static void put_metrics(FILE *stream, const void *metrics)
{
    put_verdict(stream, metrics);
    put_trust(stream, metrics);
    put_record_gauges(stream, metrics);
    put_clocks(stream, metrics);
    put_watcher(stream, metrics);
}

int metrics_write(const struct metrics *metrics, const char *path, struct ordo_error *error)
{
    return cli_gauges_write(path, put_metrics, metrics, error);
}
