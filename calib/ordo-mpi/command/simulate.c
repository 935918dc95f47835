/* ordo-mpi simulate: runs algorithms on a simulated cluster, and compares the results with the true clocks of the
 * cluster. Needs no mpirun. In the program for SMPI, the cluster is SimGrid's (cluster.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/span.h"
#include "cluster/sync/sync.h"
#include "common/report.h"
#include "ordo-mpi/cluster.h"
#include "ordo-mpi/levels.h"
#include "json/builder.h"

enum { MOST_LATER = 4, MOST_TIMES = MOST_LATER + 1 };

struct options {
    struct ordo_sim_options sim;
    struct mpi_levels levels;
    int64_t after_ns[MOST_TIMES]; /* times of the comparisons after the synchronisation; the first is 0 */
    int times;
    int64_t resync_ns; /* 0: synchronise once */
    bool json;
};

/** The result of one algorithm: the worst of all ranks, at each time. If there are two synchronisations, errors, bounds
 * and duration are those of the second. */
struct outcome {
    const struct options *options;
    struct ordo_sync_options sync;
    int64_t error_ns[MOST_TIMES], bound_ns[MOST_TIMES], duration_ns;
    uint64_t messages; /* number of messages of all synchronisations */
    int outside, code;
};

static void read_scope(const struct cli_given *given, void *member)
{
    static const char *const names[] = {"rank", "socket", "node"};
    int i = 0;
    while (i < 3 && strcmp(given->text, names[i]) != 0)
        i++;
    if (i == 3)
        cli_wrong(given->state, "--clocks %s: not rank, socket or node", given->text);
    *(enum ordo_sim_scope *)member = (enum ordo_sim_scope)i;
}

/* Reads seconds, such as "10,20", and adds a time of comparison for each number. */
static void read_later(const struct cli_given *given, void *member)
{
    struct options *options = member;
    char *word, *text = given->text;
    options->times = 1;
    while ((word = strsep(&text, ","))) {
        int64_t after_ns = (int64_t)cli_number(given->state, given->option, word, 0, 86400) * 1000000000;
        if (options->times == MOST_TIMES || after_ns < options->after_ns[options->times - 1])
            cli_wrong(given->state, "--later: at most %d numbers, ascending", MOST_LATER);
        options->after_ns[options->times++] = after_ns;
    }
}

static void read_resync(const struct cli_given *given, void *member)
{
    *(int64_t *)member = (int64_t)cli_number(given->state, given->option, given->text, 1, 86400) * 1000000000;
}

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "clocks",
     .argument = "SCOPE",
     .read = read_scope,
     .offset = offsetof(struct options, sim.clocks),
     .help = "Part of the cluster that has its own clock: node (default), socket or rank"},
    {.name = "later",
     .argument = "S,...",
     .usual = "10",
     .read = read_later,
     .help = "Seconds after synchronisation at which to judge again, ascending"},
    {.name = "resync",
     .argument = "S",
     .read = read_resync,
     .offset = offsetof(struct options, resync_ns),
     .help = "Synchronise twice, S seconds apart, and judge the second synchronisation"},
    {.name = "seed",
     .argument = "N",
     .usual = "1",
     .most = 0x1p64,
     VALUE(sim.seed),
     .help = "Seed of all random numbers"},
    {.name = "skew-ppb",
     .argument = "N",
     .usual = "20000",
     .most = 400000,
     VALUE(sim.skew_ppb),
     .help = "Largest difference of a clock's rate from the true one, in ppb"},
    {.name = "wander-ppb",
     .argument = "N",
     .usual = "0",
     .most = 100000,
     VALUE(sim.wander_ppb),
     .help = "Change of a clock's rate within a minute, in ppb"},
    {.name = "jitter-ns",
     .argument = "N",
     .usual = "200",
     .most = 1000000000,
     VALUE(sim.jitter_ns),
     .help = "Mean of the exponential delay of each message; 1% of the messages have an additional Pareto delay"},
    {.name = "granule-ns",
     .argument = "N",
     .usual = "1",
     .least = 1,
     .most = 1000000,
     VALUE(sim.granule_ns),
     .help = "Step of the clocks"},
    {.name = "json", VALUE(json), .help = "Print the result as JSON (schema ordo-simulation/1)"},
    {0},
};

static const struct cli_part parts[] = {{.rows = rows},
                                        {.rows = mpi_cluster_rows,
                                         .offset = offsetof(struct options, sim),
                                         .header = "Cluster:",
                                         .check = mpi_cluster_check},
                                        {.rows = mpi_levels_rows,
                                         .offset = offsetof(struct options, levels),
                                         .header = "Algorithms; give --alg once for each (default jk, hca3, h2hca):",
                                         .check = mpi_levels_check},
                                        {0}};

static void judge_model(struct ordo_transport *world, const struct ordo_model *model, struct outcome *outcome, int when)
{
    int64_t at_ns = ordo_sim_true_ns(world), truth_ns = ordo_sim_clock_ns(world, 0, at_ns);
    struct ordo_global_time time = ordo_model_time(model, ordo_sim_clock_ns(world, world->rank, at_ns));
    int64_t before_ns = time.estimate_ns - time.earliest_ns, after_ns = time.latest_ns - time.estimate_ns;
    int64_t error_ns = llabs(time.estimate_ns - truth_ns), bound_ns = before_ns > after_ns ? before_ns : after_ns;
    outcome->error_ns[when] = error_ns > outcome->error_ns[when] ? error_ns : outcome->error_ns[when];
    outcome->bound_ns[when] = bound_ns > outcome->bound_ns[when] ? bound_ns : outcome->bound_ns[when];
    outcome->outside += truth_ns < time.earliest_ns || truth_ns > time.latest_ns;
}

/* Synchronises once, and records the largest duration of all ranks. */
static int synchronise(struct ordo_transport *world, const struct ordo_sync_options *sync,
                       struct ordo_offset_track *track, struct ordo_model *model, struct outcome *outcome)
{
    int64_t begin_ns = ordo_sim_true_ns(world);
    int code = ordo_sync_run(world, sync, track, model, NULL);
    int64_t took_ns = ordo_sim_true_ns(world) - begin_ns;
    outcome->duration_ns = took_ns > outcome->duration_ns ? took_ns : outcome->duration_ns;
    return code;
}

/* Makes the first of two synchronisations, and waits until the second. Of the first, only wrong bounds count: it is
 * compared with the true clocks at once and right before the second. */
static int prepare_track(struct ordo_transport *world, const struct ordo_sync_options *sync,
                         struct ordo_offset_track *track, struct outcome *outcome)
{
    struct outcome first = {.options = outcome->options}; /* each rank has its own */
    struct ordo_model model;
    int code = synchronise(world, sync, track, &model, &first);
    if (code)
        return code;
    judge_model(world, &model, &first, 0);
    ordo_sim_sleep_until(world, ordo_sim_true_ns(world) + outcome->options->resync_ns);
    judge_model(world, &model, &first, 1);
    outcome->outside += first.outside;
    return ORDO_OK;
}

static int body(struct ordo_transport *world, void *context)
{
    struct outcome *outcome = context;
    struct ordo_sync_options sync = outcome->sync;
    struct ordo_offset_track track = {0};
    struct ordo_model model;
    sync.common_at_ns = sync.common_since_ns = ordo_sim_clock_ns(world, world->rank, ordo_sim_true_ns(world));
    int code = outcome->options->resync_ns ? prepare_track(world, &sync, &track, outcome) : ORDO_OK;
    if (!code)
        code = synchronise(world, &sync, &track, &model, outcome);
    if (code)
        return code;
    int64_t end_ns = ordo_sim_true_ns(world);
    for (int when = 0; when < outcome->options->times; when++) {
        ordo_sim_sleep_until(world, end_ns + outcome->options->after_ns[when]);
        judge_model(world, &model, outcome, when);
    }
    return ORDO_OK;
}

/* Returns the residual that an exact verification would find among the ranks that copy models; -1 if these ranks do not
 * read one clock. */
static int64_t residual_ns(const struct options *options, const struct ordo_sync_options *sync)
{
    bool common = options->sim.clocks == ORDO_SIM_PER_NODE ||
                  (options->sim.clocks == ORDO_SIM_PER_SOCKET && ordo_sync_copies(sync) == ORDO_SYNC_COPIES_IN_SOCKETS);
    return common ? options->sim.granule_ns : -1;
}

static struct outcome simulate_algorithm(const struct options *options, int index)
{
    struct outcome outcome = {.options = options, .sync = options->levels.algorithms[index]};
    struct ordo_sim_result result;
    if (outcome.sync.max_wander_ppb < 0) {
        outcome.sync.max_wander_ppb =
            2 * options->sim.wander_ppb; /* difference between the largest and the smallest rate */
        outcome.sync.late_wander_ppb = fmax(outcome.sync.late_wander_ppb, 0);
    }
    if (outcome.sync.late_wander_ppb < 0)
        outcome.sync.late_wander_ppb = ordo_sync_defaults().late_wander_ppb;
    outcome.sync.common_residual_ns = residual_ns(options, &outcome.sync);
    outcome.code = ordo_sim_run(&options->sim, body, &outcome, &result, NULL);
    outcome.messages = outcome.code ? 0 : result.messages;
    return outcome;
}

static void print_line(const char *name, const struct outcome *outcome)
{
    char error[24], bound[24];
    if (outcome->code) {
        printf("%-24s %s\n", name, ordo_strerror(outcome->code));
        return;
    }
    printf("%-24s %9.3f %10llu", name, (double)outcome->duration_ns / 1e9, (unsigned long long)outcome->messages);
    for (int when = 0; when < outcome->options->times; when++)
        printf(" %12s %12s", ordo_format_ns((double)outcome->error_ns[when], error),
               ordo_format_ns((double)outcome->bound_ns[when], bound));
    printf("  %s\n", outcome->outside ? "BROKEN" : "hold");
}

static struct ordo_json values(const int64_t *values, int count)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < count; i++)
        ordo_json_add(&array, ordo_json_int(values[i]));
    return array;
}

static struct ordo_json outcome_of(const char *name, const struct outcome *outcome)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "algorithm", name);
    if (outcome->code) {
        ordo_json_put_text(&object, "refused", ordo_strerror(outcome->code));
        return object;
    }
    ordo_json_put_real(&object, "duration_s", (double)outcome->duration_ns / 1e9);
    ordo_json_put_int(&object, "messages", (int64_t)outcome->messages);
    ordo_json_put(&object, "worst_error_ns", values(outcome->error_ns, outcome->options->times));
    ordo_json_put(&object, "worst_bound_ns", values(outcome->bound_ns, outcome->options->times));
    ordo_json_put_int(&object, "bounds_broken", outcome->outside);
    return object;
}

static int print_outcomes_json(const struct options *options, struct ordo_json results)
{
    struct ordo_json document = ordo_json_document("ordo-simulation/1");
    ordo_json_put(&document, "algorithms", results);
    ordo_json_put(&document, "judged_after_ns", values(options->after_ns, options->times));
    if (options->resync_ns)
        ordo_json_put_int(&document, "resync_s", options->resync_ns / 1000000000);
    return ordo_json_write(&document, stdout);
}

static void print_outcomes_head(const struct options *options)
{
    const struct ordo_sim_options *sim = &options->sim;
    char latency[48], when[24];
    printf("%d rank%s, %d to a node, a clock per %s; latency %s, jitter %lld ns, skew %g ppm; worst of all ranks\n",
           sim->ranks, ordo_plural(sim->ranks), sim->ranks_per_socket * sim->sockets_per_node,
           sim->clocks == ORDO_SIM_PER_NODE     ? "node"
           : sim->clocks == ORDO_SIM_PER_SOCKET ? "socket"
                                                : "rank",
           mpi_cluster_latency(sim, latency), (long long)sim->jitter_ns, sim->skew_ppb / 1000);
    if (options->resync_ns)
        printf("synchronised a second time, %lld s after the first\n", (long long)(options->resync_ns / 1000000000));
    printf("%-24s %9s %10s %25s", "", "", "", "at once");
    for (int i = 1; i < options->times; i++) {
        (void)snprintf(when, sizeof when, "after %g s", (double)options->after_ns[i] / 1e9);
        printf(" %25s", when);
    }
    printf("\n%-24s %9s %10s", "algorithm", "seconds", "messages");
    for (int i = 0; i < options->times; i++)
        printf(" %12s %12s", "error", "bound");
    printf("  %s\n", "bounds");
}

static int run_simulate(int argc, char **argv)
{
    static const struct cli_table table = {
        "Runs synchronisation algorithms on a simulated cluster and compares them with its true clocks.\vExit status: "
        "0 every bound holds; 1 a bound is broken, or an algorithm refuses; 64 usage; 70 internal. If neither limit "
        "of the wander is given, both are twice --wander-ppb.",
        parts};
    struct options options = {
        .sim = mpi_cluster_defaults(),
        .levels = {.usual = {"jk", "hca3", "h2hca"}, .most = MPI_MOST_ALGORITHMS, .declared = ordo_sync_defaults()}};
    options.levels.declared.max_wander_ppb = options.levels.declared.late_wander_ppb = -1;
    cli_read(&table, argc, argv, &options);
    struct ordo_json results = options.json ? ordo_json_array() : (struct ordo_json){0};
    int failed = 0;
    if (!options.json)
        print_outcomes_head(&options);
    for (int i = 0; i < options.levels.count; i++) {
        struct outcome outcome = simulate_algorithm(&options, i);
        failed |= outcome.code || outcome.outside;
        if (options.json)
            ordo_json_add(&results, outcome_of(options.levels.names[i], &outcome));
        else
            print_line(options.levels.names[i], &outcome);
    }
    if (options.json && print_outcomes_json(&options, results))
        return cli_fail_output(argv[0]);
    int code = cli_close_stdout(argv[0]);
    return code ? code : failed ? EXIT_FAILS : EXIT_OK;
}

const struct command command_simulate = {
    .name = "simulate",
    .title = "compare algorithms on a simulated cluster",
    .schema = "ordo-simulation/1",
    .run = run_simulate,
};
