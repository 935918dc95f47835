/* ordo-net cores: measures this machine's clocks with the methods of HUYGENS, and compares the result for each CPU with
 * the interval that a calibration proves. */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "calibrate/record/calibration.h"
#include "common/calibrate.h"
#include "common/command.h"
#include "common/options.h"
#include "net/cores/cores.h"
#include "ordo-net/estimators.h"
#include "json/builder.h"

struct options {
    struct ordo_calibrate_options measure;
    const struct ordo_net_offset_estimator *estimator;
    bool json, list, quiet;
};

enum { CPUS = 1, RUNS, SWEEPS, ESTIMATOR, FORCE, JSON, LIST };

static const struct argp_option argp_options[] = {
    {"cpus", CPUS, "LIST", 0,
     "Measure only these CPUs, such as 0-3,8; the first is the reference (default: all online CPUs that the cgroup "
     "allows)",
     0},
    {"sweeps", SWEEPS, "N", 0, "Sweeps over all pairs, a second apart; each gives one point for each pair (default 5)",
     0},
    {"runs", RUNS, "N", 0, "Runs per direction of a pair, divided among the sweeps (default 100000)", 0},
    {"estimator", ESTIMATOR, "NAME", 0,
     "An estimator of --list, which computes a pair's offset from its points (default svm)", 0},
    {"list", LIST, NULL, 0, "List the estimators, and exit", 0},
    {"force", FORCE, NULL, 0,
     "Continue even if the processor or the kernel rejects the clock, or the boundary is implausible", 0},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-cores/1)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress bar", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(CPUS, "--cpus", struct options, measure.cpus),
    CLI_STORE(RUNS, "--runs", struct options, measure.runs, 1, 1e9),
    CLI_STORE(SWEEPS, "--sweeps", struct options, measure.sweeps, 2, 1000),
    CLI_FLAG_STORE(FORCE, "--force", struct options, measure.force),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    {0},
};

static error_t parse_cores(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ESTIMATOR:
        options->estimator = estimator_named(text, state);
        return 0;
    case ARGP_KEY_END:
        if (options->measure.runs < (uint64_t)options->measure.sweeps)
            cli_wrong(state, "--runs: fewer runs than the %d sweeps among which they are divided",
                      options->measure.sweeps);
        return 0;
    default:
        return cli_store(stores, key, text, state);
    }
}

static double ns(int64_t ps)
{
    return (double)ps * 1e-3;
}

/* Returns the interval that the calibration proves from the measurements of CPU 0 and this CPU alone. */
static struct ordo_interval of_pair(const struct ordo_calibration *found, int cpu)
{
    return cpu == 0 ? (struct ordo_interval){0, 0} : found->offset_ticks[cpu];
}

static void print_interval(double low, double high)
{
    char text[64];
    (void)snprintf(text, sizeof text, "[%.1f, %.1f]", low, high);
    printf(" %24s", text);
}

/* Returns the smallest proved difference of a CPU's clock from that of CPU 0: positive if the clock is ahead, negative
 * if it is behind, 0 if neither is proved. */
static double apart_ns(const struct ordo_net_core *core)
{
    return core->proved_ps.low > 0 ? ns(core->proved_ps.low) : core->proved_ps.high < 0 ? ns(core->proved_ps.high) : 0;
}

static void print_apart(const struct ordo_calibration *found, const struct ordo_net_cores *cores)
{
    int apart = 0;
    for (int i = 1; i < found->count; i++) {
        double by_ns = apart_ns(&cores->core[i]);
        if (by_ns == 0)
            continue;
        printf("CPU %u is %s CPU %u by at least %.1f ns\n", found->cpus[i], by_ns > 0 ? "ahead of" : "behind",
               found->cpus[0], by_ns > 0 ? by_ns : -by_ns);
        apart++;
    }
    if (!apart)
        printf("no clock is provably ahead of that of CPU %u, or behind it\n", found->cpus[0]);
}

static void print_table(const struct options *options, const struct ordo_calibration *found,
                        const struct ordo_net_cores *cores)
{
    printf("%d CPUs, each clock less that of CPU %u in ns; %d sweep%s over %d pair%s, %s\n", found->count,
           found->cpus[0], found->repeats, ordo_plural(found->repeats), found->count * (found->count - 1) / 2,
           ordo_plural(found->count * (found->count - 1) / 2), options->estimator->name);
    printf("clock " ORDO_CLOCK_NAME ": %s: %s\n", ordo_trust_word(found->trust), found->trust_reason);
    printf("%6s %12s %24s %24s\n", "cpu", "likely", "proved by all pairs", "by its own with it");
    for (int i = 0; i < found->count; i++) {
        const struct ordo_net_core *core = &cores->core[i];
        struct ordo_interval pair = of_pair(found, i);
        printf("%6u %12.1f", found->cpus[i], core->likely_ps * 1e-3);
        print_interval(ns(core->proved_ps.low), ns(core->proved_ps.high));
        print_interval(ordo_calibration_ns(found, pair.low), ordo_calibration_ns(found, pair.high));
        printf("\n");
    }
    printf("loops: the pairs contradict each other by %.1f ns (root of mean squares), %.1f ns at most\n",
           cores->loops_rms_ps * 1e-3, cores->loops_max_ps * 1e-3);
    print_apart(found, cores);
}

static struct ordo_json core_of(const struct ordo_calibration *found, const struct ordo_net_cores *cores, int i)
{
    const struct ordo_net_core *core = &cores->core[i];
    struct ordo_interval pair = of_pair(found, i);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "cpu", found->cpus[i]);
    ordo_json_put_real(&object, "likely_ns", core->likely_ps * 1e-3);
    ordo_json_put_reals(&object, "proved_ns", ns(core->proved_ps.low), ns(core->proved_ps.high));
    ordo_json_put_reals(&object, "pair_ns", ordo_calibration_ns(found, pair.low),
                        ordo_calibration_ns(found, pair.high));
    ordo_json_put_real(&object, "apart_ns", apart_ns(core));
    return object;
}

static int print_cores_json(const struct options *options, const struct ordo_calibration *found,
                            const struct ordo_net_cores *cores)
{
    struct ordo_json document = ordo_json_document("ordo-cores/1"), list = ordo_json_array();
    for (int i = 0; i < found->count; i++)
        ordo_json_add(&list, core_of(found, cores, i));
    ordo_json_put_text(&document, "estimator", options->estimator->name);
    ordo_json_put_int(&document, "sweeps", found->repeats);
    ordo_json_put_real(&document, "tick_hz", found->tick_hz);
    ordo_json_put_text(&document, "trust", ordo_trust_word(found->trust));
    ordo_json_put_real(&document, "loops_rms_ns", cores->loops_rms_ps * 1e-3);
    ordo_json_put_real(&document, "loops_max_ns", cores->loops_max_ps * 1e-3);
    ordo_json_put(&document, "cores", list);
    return ordo_json_write(&document, stdout);
}

static int conclude_cores(const struct options *options, const struct ordo_calibration *found, const char *program)
{
    const struct ordo_net_cores_visits visits = {found->visits, found->count, found->repeats, 1e12 / found->tick_hz,
                                                 (int64_t)found->step_ticks};
    struct ordo_net_cores cores;
    if (found->count < 2)
        return cli_fail(EXIT_UNKNOWN, program, "one CPU: there is no pair to be measured");
    if (!ordo_net_cores_make(&cores, &visits, options->estimator))
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    int code = EXIT_OK;
    if (!cores.sound)
        code = cli_fail(EXIT_FAILS, program, "the sweeps contradict each other: the clocks drift or step");
    else if (!options->json)
        print_table(options, found, &cores);
    else if (print_cores_json(options, found, &cores))
        code = cli_fail_output(program);
    ordo_net_cores_free(&cores);
    int closed = cli_close_stdout(program);
    return code ? code : closed;
}

static int run_cores(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_cores,
        NULL,
        "Measures the clocks of this machine's CPUs by the method of HUYGENS, with cores as its hosts and cache lines "
        "as its links, and prints the results next to the intervals that a calibration proves. Publishes nothing.\vThe "
        "likely offsets result from the network effect over all pairs. The true offsets lie within the proved "
        "intervals if the clocks do not drift against each other; a drift would show in the sweeps. Exit status: 0 "
        "measured; 1 the clocks drift, step or are rejected; 2 could not tell; 64 usage; 70 internal.",
        NULL,
        NULL,
        NULL};
    struct options options = {.measure = {.runs = 100000, .sweeps = 5},
                              .estimator = ordo_net_offset_estimator_find("svm")};
    struct ordo_calibration *found;
    struct ordo_error error;
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return estimators_list(argv[0]);
    int code = cli_calibrate(&options.measure, options.quiet, &found, &error);
    if (code)
        return cli_fail(code, argv[0], error.text);
    code = conclude_cores(&options, found, argv[0]);
    ordo_calibration_free(found);
    return code;
}

const struct command command_cores = {
    .name = "cores",
    .title = "measure this machine's clocks by the network effect, and compare with calibration",
    .schema = "ordo-cores/1",
    .run = run_cores,
};
