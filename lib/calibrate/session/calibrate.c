#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/session/coverage.h"
#include "calibrate/session/measure.h"

struct limit {
    const char *option;
    uint64_t value, least, most;
};

/* The options as they count: what is 0 is its default, and everything is within its limits. */
static int settle_options(const struct ordo_calibrate_options *asked, struct ordo_calibrate_options *options,
                          struct ordo_error *error)
{
    *options = asked ? *asked : (struct ordo_calibrate_options){0};
    options->runs = options->runs ? options->runs : 100000;
    options->sweeps = options->sweeps ? options->sweeps : 3;
    options->valid_days = options->valid_days ? options->valid_days : 365;
    const struct limit limits[] = {
        {"sweeps", (uint64_t)options->sweeps, 2, 1000}, /* a negative one is too large */
        {"runs", options->runs, (uint64_t)options->sweeps, 1000000000},
        {"settle", options->settle, 0, 1000000000},
        {"valid_days", (uint64_t)options->valid_days, 1, 36500},
        {"margin_ticks", options->margin_ticks, 0, UINT64_C(1) << 60},
        {"margin_ns", options->margin_ns, 0, UINT64_C(1) << 40},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].value < limits[i].least || limits[i].value > limits[i].most)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "ordo_calibrate: %s: %lld is not from %llu to %llu",
                                  limits[i].option, (long long)limits[i].value, (unsigned long long)limits[i].least,
                                  (unsigned long long)limits[i].most);
    return ORDO_OK;
}

static struct ordo_calibration *new_result(const struct ordo_calibrate_options *options,
                                           const struct ordo_topology *topology, const unsigned *cpus, int count)
{
    struct ordo_calibration *result = ordo_calibration_new(count);
    if (!result)
        return NULL;
    memcpy(result->cpus, cpus, (size_t)count * sizeof *cpus);
    for (int i = 0; i < count; i++) {
        struct ordo_topology_place place = ordo_topology_locate(topology, cpus[i]);
        /* -1 becomes ORDO_PLACE_NONE. */
        result->places[i] = (struct ordo_place){(uint32_t)place.l3, (uint32_t)place.package, (uint32_t)place.numa, 0};
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            result->share[a * count + b] = (unsigned char)ordo_topology_distance(topology, cpus[a], cpus[b]);
    ordo_topology_describe(topology, result->machine, sizeof result->machine);
    result->runs = options->runs;
    result->settle = options->settle;
    result->repeats = options->sweeps;
    result->parallel = options->parallel != 0;
    result->margin_ticks = options->margin_ticks;
    return result;
}

static int refuse(int code, struct ordo_error *error)
{
    struct ordo_error last = *error;
    return ordo_error_set(error, code, last.sys_errno, "%d attempts, the last: %.200s", ORDO_SESSION_ATTEMPTS,
                          last.text);
}

/* A disturbance can only make a boundary too large, never too small. So what is implausible is measured again: a moment
 * later the machine may be at rest. Each attempt begins with a new result; nothing is left of the one before. */
static int measure_plausibly(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                             const unsigned *cpus, int count, struct ordo_calibration **result,
                             struct ordo_error *error)
{
    for (int attempt = 1;; attempt++) {
        struct ordo_calibration *made = new_result(options, topology, cpus, count);
        if (!made)
            return ordo_error_errno(error, "calibration");
        bool implausible;
        int code = ordo_session_measure(options, topology, attempt, made, &implausible, error);
        if (!code)
            *result = made;
        else
            ordo_calibration_free(made);
        if (!implausible)
            return code;
        if (attempt == ORDO_SESSION_ATTEMPTS)
            return refuse(code, error);
    }
}

/* On the CPUs that were selected. */
static int calibrate_on(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                        const unsigned *cpus, int count, struct ordo_calibration **result, struct ordo_error *error)
{
    int code = ORDO_OK;
    if (options->replaces && !options->cpus)
        code = ordo_coverage_check(topology, options->replaces, cpus, count, error);
    return code ? code : measure_plausibly(options, topology, cpus, count, result, error);
}

int ordo_calibrate(const struct ordo_calibrate_options *asked, struct ordo_calibration **result,
                   struct ordo_error *error)
{
    struct ordo_calibrate_options options;
    struct ordo_topology *topology;
    struct ordo_error own; /* `error` may be NULL */
    unsigned *cpus = NULL;
    int count;
    error = error ? error : &own;
    *result = NULL;
    int code = settle_options(asked, &options, error);
    if (!code)
        code = ordo_topology_open(&topology, NULL, error);
    if (code)
        return code;
    code = ordo_topology_select(topology, options.cpus, &cpus, &count, error);
    if (!code)
        code = calibrate_on(&options, topology, cpus, count, result, error);
    free(cpus);
    ordo_topology_close(topology);
    return code;
}
