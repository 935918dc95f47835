/* ordo topology: lists the pairs that a calibration would measure, and estimates its duration. */
#include <stdlib.h>
#include <time.h>

#include <ordo/clock.h>

#include "calibrate/measure/sweep.h"
#include "calibrate/session/measure.h"
#include "common/report.h"
#include "machine/clock/source.h"
#include "machine/counter/trust.h"

struct options {
    const char *synthetic, *cpu_list;
};

enum { SYNTHETIC = 1, CPUS };

static const struct argp_option argp_options[] = {
    {"synthetic", SYNTHETIC, "TOPOLOGY", 0, "Show another machine, described as hwloc does: 'pack:2 core:4 pu:2'", 0},
    {"cpus", CPUS, "LIST", 0, "Show only these CPUs, such as 0-3,8", 0},
    {0},
};

static error_t parse_topology(int key, char *argument, struct argp_state *state)
{
    static const struct cli_store stores[] = {
        CLI_TEXT_STORE(SYNTHETIC, "--synthetic", struct options, synthetic),
        CLI_TEXT_STORE(CPUS, "--cpus", struct options, cpu_list),
        {0},
    };
    return cli_store(stores, key, argument, state);
}

static void print_classes(const struct ordo_topology *topology, const unsigned *cpus, int count)
{
    int pairs[ORDO_DISTANCES] = {0};
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            pairs[ordo_topology_distance(topology, cpus[a], cpus[b])]++;
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        if (pairs[distance])
            printf("  %-16s %d pair%s\n", ordo_distance_name((enum ordo_distance)distance), pairs[distance],
                   pairs[distance] == 1 ? "" : "s");
}

static void print_trust(void)
{
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    ordo_trust_gather(&evidence);
    ordo_trust_judge(&evidence, &verdict);
    printf("clock %s: %s: %s; the kernel keeps time by %s, available: %s\n", ORDO_CLOCK_NAME,
           ordo_trust_word(verdict.trust), verdict.reason, evidence.current[0] ? evidence.current : "(unknown)",
           evidence.available[0] ? evidence.available : "(unknown)");
    if (evidence.hypervisor)
        printf("hypervisor: %s\n", evidence.hypervisor_name[0] ? evidence.hypervisor_name : "unnamed");
}

/* The cost of measuring a pair here, in nanoseconds: for its threads and memory, and for each run in one direction. */
struct cost {
    double setup_ns, run_ns;
    double cpu_share; /* share of the time in which the pair's two threads had their CPUs */
};

/* Below this share, the measured cost of a pair reflects the load of other programs as much as the pair. */
#define QUIET_SHARE 0.9

/* Returns the time of the fastest of several tries, or -1. Stops early if the tries take too long because the machine
 * is busy. `*cpu_share` becomes the share over all tries. */
static double time_pair_ns(struct ordo_sweep *sweep, uint64_t runs, double *cpu_share, struct ordo_error *error)
{
    enum { TRIES = 5, LONG_NS = 1000000000 };
    struct ordo_visit visit;
    uint64_t fewest = UINT64_MAX, best_ns = UINT64_MAX, all_ns = 0;
    uint64_t cpu_ns = ordo_clock_system_ns(CLOCK_PROCESS_CPUTIME_ID);
    sweep->runs.runs = runs;
    for (int i = 0; i < TRIES && all_ns < LONG_NS; i++) {
        uint64_t start_ns = ordo_clock_system_ns(CLOCK_MONOTONIC);
        if (ordo_sweep_pair(sweep, (struct ordo_schedule_match){0, 1}, &visit, &fewest, error))
            return -1;
        uint64_t took_ns = ordo_clock_system_ns(CLOCK_MONOTONIC) - start_ns;
        best_ns = took_ns < best_ns ? took_ns : best_ns;
        all_ns += took_ns;
    }
    *cpu_share = (double)(ordo_clock_system_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns) / (2 * (double)all_ns);
    return (double)best_ns;
}

static int measure_cost(const char *cpu_list, struct cost *cost, struct ordo_error *error)
{
    enum { RUNS = 20000 };
    struct ordo_topology *topology;
    unsigned *cpus = NULL;
    int count, code = ordo_topology_open(&topology, NULL, error);
    if (code)
        return code;
    code = ordo_topology_select(topology, cpu_list, &cpus, &count, error);
    if (!code && count < 2)
        code = ordo_error_set(error, ORDO_E_MEASURE, 0, "one CPU: there is no pair whose cost could be measured");
    if (!code) {
        struct ordo_sweep sweep = {.topology = topology, .cpus = cpus, .count = count};
        double of_setting_up, cpu_share = 0;
        double short_ns = time_pair_ns(&sweep, 1, &of_setting_up, error),
               long_ns = time_pair_ns(&sweep, RUNS + 1, &cpu_share, error);
        code = short_ns < 0 || long_ns < 0 ? error->code : ORDO_OK;
        if (!code && long_ns <= short_ns)
            code = ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "the machine is busy: %d runs seem to cost nothing; try again", RUNS);
        *cost = (struct cost){short_ns, (long_ns - short_ns) / (2.0 * RUNS), cpu_share};
    }
    free(cpus);
    ordo_topology_close(topology);
    return code;
}

/* Estimates the duration of `rounds`, each with `together` pairs. The threads of the pairs start one after the other;
 * the runs of all pairs are simultaneous. */
static double calibration_seconds(const struct cost *cost, double rounds, double together)
{
    enum { RUNS = 100000, SWEEPS = 3 };
    return (rounds * (SWEEPS * together * cost->setup_ns + 2.0 * RUNS * cost->run_ns) +
            (SWEEPS - 1) * (double)ORDO_SESSION_GAP_NS) /
           1e9;
}

static void print_projection(const struct cost *cost, int cpus)
{
    double pairs = (double)cpus * (cpus - 1) / 2;
    printf("  %4d CPUs: %8.1f s, with --parallel %6.1f s\n", cpus, calibration_seconds(cost, pairs, 1),
           calibration_seconds(cost, ordo_schedule_rounds(cpus), (double)(cpus / 2)));
}

static void print_projections(const char *cpu_list, int count)
{
    struct cost cost;
    struct ordo_error error;
    if (measure_cost(cpu_list, &cost, &error)) {
        printf("no projection of the time: %s\n", error.text);
        return;
    }
    printf("projected duration of ordo calibrate (100000 runs in 3 sweeps), from a pair measured here: %.0f ns per run "
           "and direction, %.0f us to set a pair up\n",
           cost.run_ns, cost.setup_ns / 1e3);
    if (cost.cpu_share < QUIET_SHARE)
        printf("THE MACHINE IS BUSY: the pair had its CPUs for %.0f%% of the time; a calibration will take longer, and "
               "find a larger boundary\n",
               100 * cost.cpu_share);
    if (count > 1 && count != 256)
        print_projection(&cost, count);
    print_projection(&cost, 256);
}

static int run_topology(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_topology,
        NULL,
        "Shows the CPUs that would be measured, how far apart they are, what is known about the clock, and how long a "
        "calibration takes.\vExit status: 0 printed; 64 usage; 70 the topology cannot be read.",
        NULL,
        NULL,
        NULL};
    struct options options = {0};
    struct ordo_topology *topology;
    struct ordo_error error;
    unsigned *cpus = NULL;
    int count;
    char text[400];
    cli_parse(&argp, argc, argv, &options);
    if (ordo_topology_open(&topology, options.synthetic, &error))
        return cli_fail(error.code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL, argv[0], error.text);
    if (ordo_topology_select(topology, options.cpu_list, &cpus, &count, &error)) {
        ordo_topology_close(topology);
        return cli_fail(EXIT_USAGE, argv[0], error.text);
    }
    ordo_topology_describe(topology, text, sizeof text);
    printf("%s\n", text);
    ordo_topology_format_cpus(cpus, count, text, sizeof text);
    printf("%d CPU%s to measure (%s); pairs: %d, rounds of a tournament: %d\n", count, count == 1 ? "" : "s", text,
           count * (count - 1) / 2, ordo_schedule_rounds(count));
    print_classes(topology, cpus, count);
    print_trust();
    fflush(stdout);
    print_projections(options.synthetic ? NULL : options.cpu_list, count);
    free(cpus);
    ordo_topology_close(topology);
    return cli_close_stdout(argv[0]);
}

const struct command command_topology = {
    .name = "topology",
    .title = "show what a calibration would measure, and how long it would take",
    .run = run_topology,
};
