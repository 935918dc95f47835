#include "recalibrate.h"

#include <stdlib.h>

#include "common/calibrate.h"
#include "common/report.h"
#include "machine/topology/topology.h"
#include "publish.h"

int recalibrate_like(struct ordo_calibrate_options *options, const struct ordo_record_view *like, char **cpu_list)
{
    enum { DIGITS = 12, DAY_S = 86400, MOST_DAYS = 36500 };
    const struct ordo_record *head = &like->head;
    size_t most = like->cpus_bytes * 8, count = 0;
    unsigned *cpus = calloc(most, sizeof *cpus);
    *cpu_list = malloc(most * DIGITS + DIGITS);
    if (!cpus || !*cpu_list) {
        free(cpus);
        return -1;
    }
    for (size_t cpu = 0; cpu < most; cpu++)
        if (ordo_record_covers(like, cpu))
            cpus[count++] = (unsigned)cpu;
    ordo_topology_format_cpus(cpus, (int)count, *cpu_list, most * DIGITS + DIGITS);
    free(cpus);
    options->cpus = *cpu_list;
    if (head->repeats >= 2 && head->repeats <= 1000 && head->runs >= head->repeats && head->runs <= 1000000000) {
        options->runs = head->runs;
        options->sweeps = (int)head->repeats;
    }
    options->margin_ticks = head->margin_ticks;
    options->parallel = head->method == ORDO_METHOD_TOURNAMENT;
    options->force = (head->flags & ORDO_FLAG_FORCED) != 0;
    if (head->void_after_ns > head->as_of_ns) {
        uint64_t days = 1 + (head->void_after_ns - head->as_of_ns - 1) / 1000000000u / DAY_S;
        options->valid_days = days < MOST_DAYS ? (int)days : MOST_DAYS;
    }
    return 0;
}

static int measure_and_publish(struct ordo_calibrate_options *options, bool quiet, const char *program,
                               const char *path)
{
    struct ordo_calibration *result = NULL;
    struct ordo_error error = {0};
    int exit_code = cli_calibrate(options, quiet, &result, &error);
    if (exit_code == EXIT_USAGE) /* a CPU of the record no longer exists */
        exit_code = EXIT_UNKNOWN;
    if (!exit_code)
        exit_code = publish_result(path, result, &error);
    if (exit_code)
        (void)cli_fail(exit_code, program, error.text);
    for (int i = 0; !exit_code && i < result->warning_count; i++)
        fprintf(stderr, "%s: warning: %s\n", program, cli_show(result->warnings[i]));
    if (!exit_code && !quiet)
        fprintf(stderr, "%s: calibrated anew: ORDO_BOUNDARY %llu ticks (%.1f ns), generation %llu\n", cli_show(path),
                (unsigned long long)result->boundary_ticks,
                ordo_calibration_ns(result, (int64_t)result->boundary_ticks), (unsigned long long)result->generation);
    ordo_calibration_free(result);
    return exit_code;
}

int recalibrate(const char *program, const char *path, const struct ordo_record_view *like, bool quiet)
{
    struct ordo_calibrate_options options = {.replaces = path};
    char *cpu_list = NULL;
    int exit_code = like && recalibrate_like(&options, like, &cpu_list)
                        ? cli_fail(EXIT_INTERNAL, program, "out of memory")
                        : measure_and_publish(&options, quiet, program, path);
    free(cpu_list);
    return exit_code;
}

bool recalibrate_mends(int code)
{
    switch (code) {
    case ORDO_E_MISSING:
    case ORDO_E_TRUNCATED:
    case ORDO_E_MALFORMED:
    case ORDO_E_CHECKSUM:
    case ORDO_E_LAYOUT:
    case ORDO_E_BOOT:
    case ORDO_E_RATE:
    case ORDO_E_EXPIRED:
    case ORDO_E_SUPERSEDED:
    case ORDO_E_DISRUPTED:
    case ORDO_E_BOUNDARY:
        return true;
    default:
        return false;
    }
}
