/* ordo-mpi roundtime: measures the run time of collective operations. All ranks begin an operation at the same global
 * time. */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "cluster/report/words.h"
#include "ordo-mpi/roundtime.h"
#include "json/builder.h"

enum { MOST_OPERATIONS = 16 };

struct options {
    struct mpi_session_options session;
    const struct mpi_collective *operations[MOST_OPERATIONS];
    int operation_count, bytes;
    struct roundtime_plan plan;
    bool json, csv, list;
};

static void read_operations(const struct cli_given *given, void *member)
{
    struct options *options = member;
    char *word, *text = given->text;
    options->operation_count = 0;
    while ((word = strsep(&text, ","))) {
        const struct mpi_collective *at = mpi_collectives;
        while (at->name && strcmp(at->name, word) != 0)
            at++;
        if (!at->name || options->operation_count == MOST_OPERATIONS)
            cli_wrong(given->state, "--op %s: not an operation; --help lists them", word);
        options->operations[options->operation_count++] = at;
    }
}

/* Reads the names of barriers. Without a name, MPI_Barrier. */
static void read_barriers(const struct cli_given *given, void *member)
{
    struct roundtime_plan *plan = member;
    char *word, *text = given->text;
    plan->barriers = text ? 0 : 1;
    while (text && (word = strsep(&text, ","))) {
        bool mpi = strcmp(word, "mpi") == 0;
        const struct ordo_barrier *barrier = mpi ? NULL : ordo_barrier_find(word);
        if ((!barrier && !mpi) || plan->barriers == ROUNDTIME_BARRIERS)
            cli_wrong(given->state, "--barrier=%s: not a barrier; --help lists them", word);
        plan->barrier[plan->barriers++] = barrier;
    }
}

static void read_size(const struct cli_given *given, void *member)
{
    int bytes = (int)cli_number(given->state, given->option, given->text, 4, 1 << 26);
    if (bytes % 4)
        cli_wrong(given->state, "--size %s: not a multiple of 4", given->text);
    *(int *)member = bytes;
}

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "op",
     .argument = "NAME,...",
     .usual = "barrier,bcast,reduce,allreduce,alltoall,allgather",
     .read = read_operations,
     .help =
         "Operations to measure, among allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reduce_scatter, "
         "scan, scatter"},
    {.name = "size",
     .argument = "BYTES",
     .usual = "8",
     .read = read_size,
     .offset = offsetof(struct options, bytes),
     .help = "Bytes of each rank's part, a multiple of 4"},
    {.name = "seconds",
     .argument = "S",
     .usual = "0.5",
     .most = MPI_MOST_SECONDS,
     VALUE(plan.slice_s),
     .help = "Seconds for which each operation is measured"},
    {.name = "rounds",
     .argument = "N",
     .usual = "10000",
     .least = 1,
     .most = 100000000,
     VALUE(plan.most_rounds),
     .help = "Valid rounds after which the measurement of an operation ends"},
    {.name = "slack",
     .argument = "B",
     .usual = "3",
     .least = 1,
     .most = 1000000,
     VALUE(plan.slack),
     .help = "Time from the announcement of a round to its beginning, in broadcast latencies"},
    {.name = "barrier",
     .argument = "NAME,...",
     .optional = true,
     .read = read_barriers,
     .offset = offsetof(struct options, plan),
     .help = "For comparison, also time each call after a barrier: MPI_Barrier (mpi, the default), bruck, double-ring, "
             "linear, recursive-doubling, tree; also measures the imbalance of these"},
    {.name = "list", VALUE(list), .help = "List the barriers, and exit"},
    {.name = "json", VALUE(json), .help = "Print the result as JSON (schema ordo-roundtime/1)"},
    {.name = "csv", VALUE(csv), .help = "Print the result as CSV"},
    {0},
};

static const char *check_roundtime(void *own, char text[400])
{
    const struct options *options = own;
    (void)text;
    return options->json && options->csv ? "--json and --csv: give only one of them" : NULL;
}

static const struct cli_part parts[] = {
    {.rows = rows, .check = check_roundtime}, MPI_SESSION_PARTS(struct options, session), {0}};

/* The result of the command. */
struct outcome {
    const struct options *options;
    const struct mpi_session *session;
    double broadcast_ns;
    struct roundtime_clock before, after;
    struct roundtime results[MOST_OPERATIONS];
    struct roundtime barriers[ROUNDTIME_BARRIERS]; /* those of the plan, as operations; MPI_Barrier is left out */
};

static const char *barrier_name(const struct ordo_barrier *barrier)
{
    return barrier ? barrier->name : "mpi";
}

/* Returns a bound on the error of every rank's global time, during the measurements. */
static double bound_ns(const struct outcome *outcome)
{
    return (double)(outcome->before.bound_ns > outcome->after.bound_ns ? outcome->before.bound_ns
                                                                       : outcome->after.bound_ns);
}

/* True if a run time is below its largest error. The clock of one rank measures the end, so this is the bound. */
static bool run_says_nothing(const struct outcome *outcome, const struct roundtime *at)
{
    return at->valid && at->run_ns.median < bound_ns(outcome);
}

/* True if an exit skew is below its largest error. It is a difference between the clocks of two ranks, so this is twice
 * the bound. */
static bool skew_says_nothing(const struct outcome *outcome, const struct roundtime *at, double skew_ns)
{
    return at->valid && skew_ns < 2 * bound_ns(outcome);
}

static void print_csv(const struct outcome *outcome)
{
    const struct options *options = outcome->options;
    printf("operation,bytes,valid_rounds,invalid_rounds,median_ns,low_ns,high_ns,level,min_ns,max_ns,"
           "exit_skew_median_ns,exit_skew_max_ns,barrier_scheme_median_ns,bound_before_ns,bound_after_ns,"
           "median_below_bound,exit_skew_below_bound\n");
    for (int i = 0; i < options->operation_count; i++) {
        const struct roundtime *at = &outcome->results[i];
        printf("%s,%d,%d,%d,%.0f,%.0f,%.0f,%.6g,%.0f,%.0f,%.0f,%.0f,", options->operations[i]->name, options->bytes,
               at->valid, at->invalid, at->run_ns.median, at->run_ns.low, at->run_ns.high, at->run_ns.level,
               at->least_ns, at->most_ns, at->skew_ns.median, at->most_skew_ns);
        if (at->barriers)
            printf("%.0f", at->barrier[0].longest_ns.median);
        printf(",%lld,%lld,%d,%d\n", (long long)outcome->before.bound_ns, (long long)outcome->after.bound_ns,
               run_says_nothing(outcome, at), skew_says_nothing(outcome, at, at->skew_ns.median));
    }
}

static struct ordo_json roundtime_clock_json(const struct roundtime_clock *clock)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "bound_ns", clock->bound_ns);
    if (clock->rank >= 0) {
        ordo_json_put_int(&object, "worst_rank", clock->rank);
        ordo_json_put_ints(&object, "measured_ns", clock->measured_low_ns, clock->measured_high_ns);
    }
    return object;
}

static struct ordo_json schemes_json(const struct roundtime_plan *plan, const struct roundtime *at)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < at->barriers; i++) {
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "barrier", barrier_name(plan->barrier[i]));
        ordo_json_put_real(&object, "osu_mean_ns", at->barrier[i].mean_ns);
        ordo_json_put_real(&object, "intel_max_ns", at->barrier[i].slowest_ns);
        ordo_json_put_median(&object, "repro_median_ns", at->barrier[i].longest_ns);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json operation_of(const struct outcome *outcome, int index)
{
    const struct roundtime *at = &outcome->results[index];
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "operation", outcome->options->operations[index]->name);
    ordo_json_put_int(&object, "valid_rounds", at->valid);
    ordo_json_put_int(&object, "invalid_rounds", at->invalid);
    if (at->valid) {
        ordo_json_put_median(&object, "run_time_ns", at->run_ns);
        ordo_json_put_real(&object, "min_ns", at->least_ns);
        ordo_json_put_real(&object, "max_ns", at->most_ns);
        ordo_json_put_median(&object, "exit_skew_ns", at->skew_ns);
        ordo_json_put_real(&object, "exit_skew_max_ns", at->most_skew_ns);
        ordo_json_put_bool(&object, "run_time_below_bound", run_says_nothing(outcome, at));
        ordo_json_put_bool(&object, "exit_skew_below_bound", skew_says_nothing(outcome, at, at->skew_ns.median));
    }
    if (at->barriers) {
        ordo_json_put_median(&object, "barrier_scheme_ns", at->barrier[0].longest_ns);
        ordo_json_put(&object, "barrier_schemes", schemes_json(&outcome->options->plan, at));
    }
    return object;
}

/* Returns the imbalance of each barrier: the skew with which the ranks leave, if all enter at the same global time. */
static struct ordo_json barriers_json(const struct outcome *outcome)
{
    const struct roundtime_plan *plan = &outcome->options->plan;
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < plan->barriers; i++) {
        const struct roundtime *at = &outcome->barriers[i];
        struct ordo_json object = ordo_json_object();
        if (!at->valid) {
            ordo_json_drop(&object);
            continue;
        }
        ordo_json_put_text(&object, "barrier", plan->barrier[i]->name);
        ordo_json_put_int(&object, "valid_rounds", at->valid);
        ordo_json_put_median(&object, "run_time_ns", at->run_ns);
        ordo_json_put_median(&object, "imbalance_ns", at->skew_ns);
        ordo_json_put_real(&object, "imbalance_max_ns", at->most_skew_ns);
        ordo_json_put_bool(&object, "imbalance_below_bound", skew_says_nothing(outcome, at, at->skew_ns.median));
        ordo_json_add(&array, object);
    }
    return array;
}

static int print_roundtime_json(const struct outcome *outcome)
{
    const struct options *options = outcome->options;
    const struct mpi_session *session = outcome->session;
    const struct ordo_sync_options *sync = &session->options->levels.algorithms[0];
    char algorithm[96];
    struct ordo_json document = ordo_json_document("ordo-roundtime/1"), array = ordo_json_array();
    for (int i = 0; i < options->operation_count; i++)
        ordo_json_add(&array, operation_of(outcome, i));
    ordo_json_put_int(&document, "ranks", session->size);
    ordo_json_put_text(&document, "clock", session->options->source->name);
    ordo_json_put_text(&document, "algorithm", mpi_session_algorithm(sync, algorithm));
    ordo_json_put_int(&document, "bytes", options->bytes);
    ordo_json_put_real(&document, "slack", options->plan.slack);
    ordo_json_put_real(&document, "broadcast_ns", outcome->broadcast_ns);
    ordo_json_put(&document, "clock_before", roundtime_clock_json(&outcome->before));
    ordo_json_put(&document, "clock_after", roundtime_clock_json(&outcome->after));
    ordo_json_put(&document, "operations", array);
    if (options->plan.barriers)
        ordo_json_put(&document, "barriers", barriers_json(outcome));
    return ordo_json_write(&document, stdout);
}

static void print_clock(const char *when, const struct roundtime_clock *clock)
{
    char bound[24], low[24], high[24];
    printf("global time %s: every rank within %s, proved", when, ordo_format_ns((double)clock->bound_ns, bound));
    if (clock->rank >= 0)
        printf("; rank %d, the worst, measured in [%s, %s]", clock->rank,
               ordo_format_ns((double)clock->measured_low_ns, low),
               ordo_format_ns((double)clock->measured_high_ns, high));
    putchar('\n');
}

/* Returns "196 ns"; "196 ns*" if `nothing`, because the number is below its largest error; "-" if no round was
 * valid. */
static const char *figure(const struct roundtime *at, double ns, bool nothing, char text[32])
{
    char number[24];
    (void)snprintf(text, 32, "%s%s", at->valid ? ordo_format_ns(ns, number) : "-", nothing ? "*" : "");
    return text;
}

static void print_operation(const struct outcome *outcome, int index)
{
    const struct roundtime *at = &outcome->results[index];
    char interval[52] = "-", low[24], high[24], run[32], skew[32], worst[32], barrier[24];
    if (at->valid)
        (void)snprintf(interval, sizeof interval, "[%s, %s]", ordo_format_ns(at->run_ns.low, low),
                       ordo_format_ns(at->run_ns.high, high));
    printf("%-15s %8d %8d %10s %22s %10s %10s %10s\n", outcome->options->operations[index]->name, at->valid,
           at->invalid, figure(at, at->run_ns.median, run_says_nothing(outcome, at), run), interval,
           figure(at, at->skew_ns.median, skew_says_nothing(outcome, at, at->skew_ns.median), skew),
           figure(at, at->most_skew_ns, skew_says_nothing(outcome, at, at->most_skew_ns), worst),
           at->barriers ? ordo_format_ns(at->barrier[0].longest_ns.median, barrier) : "");
}

/* Prints what each of three benchmarks would report after each barrier, and the barrier's imbalance. */
static void print_barriers(const struct outcome *outcome)
{
    const struct options *options = outcome->options;
    const struct roundtime_plan *plan = &options->plan;
    char osu[24], intel[24], repro[24], skew[32];
    if (!plan->barriers || (plan->barriers == 1 && !plan->barrier[0]))
        return;
    printf("%-15s %-20s %10s %10s %10s\n", "by barrier", "barrier", "OSU", "Intel", "ReproMPI");
    for (int i = 0; i < options->operation_count; i++)
        for (int j = 0; j < outcome->results[i].barriers; j++) {
            const struct roundtime_barrier *at = &outcome->results[i].barrier[j];
            printf("%-15s %-20s %10s %10s %10s\n", options->operations[i]->name, barrier_name(plan->barrier[j]),
                   ordo_format_ns(at->mean_ns, osu), ordo_format_ns(at->slowest_ns, intel),
                   ordo_format_ns(at->longest_ns.median, repro));
        }
    printf("%-15s %-20s %10s %10s\n", "imbalance", "barrier", "median", "worst");
    for (int j = 0; j < plan->barriers; j++) {
        const struct roundtime *at = &outcome->barriers[j];
        if (at->valid)
            printf("%-15s %-20s %10s %10s\n", "", plan->barrier[j]->name,
                   figure(at, at->skew_ns.median, skew_says_nothing(outcome, at, at->skew_ns.median), skew),
                   ordo_format_ns(at->most_skew_ns, osu));
    }
}

static void print_roundtime(const struct outcome *outcome)
{
    const struct options *options = outcome->options;
    const struct mpi_session *session = outcome->session;
    char text[24], algorithm[96];
    bool marked = false;
    printf("%d rank%s, %d byte%s, clock %s by %s; a round begins %g x %s after it is announced\n", session->size,
           ordo_plural(session->size), options->bytes, ordo_plural(options->bytes), session->options->source->name,
           mpi_session_algorithm(&session->options->levels.algorithms[0], algorithm), options->plan.slack,
           ordo_format_ns(outcome->broadcast_ns, text));
    print_clock("before", &outcome->before);
    print_clock("after", &outcome->after);
    printf("%-15s %8s %8s %10s %22s %10s %10s %10s\n", "operation", "valid", "invalid", "median", "95% interval",
           "exit skew", "worst", options->plan.barriers ? "by barrier" : "");
    for (int i = 0; i < options->operation_count; i++) {
        const struct roundtime *at = &outcome->results[i];
        print_operation(outcome, i);
        marked |= run_says_nothing(outcome, at) || skew_says_nothing(outcome, at, at->skew_ns.median);
    }
    print_barriers(outcome);
    if (marked)
        printf("* below the uncertainty of the clock: its bound for a run time, twice its bound for a skew of two "
               "ranks\n");
}

static int report_roundtime(const struct outcome *outcome, const char *program)
{
    int failed = 0;
    if (outcome->options->json)
        failed = print_roundtime_json(outcome);
    else if (outcome->options->csv)
        print_csv(outcome);
    else
        print_roundtime(outcome);
    return failed ? cli_fail_output(program) : cli_close_stdout(program);
}

/* Measures the barriers themselves, all ranks entering at the same global time. */
static void measure_imbalances(struct mpi_session *session, struct outcome *outcome)
{
    const struct roundtime_plan *plan = &outcome->options->plan;
    struct roundtime_plan alone = *plan;
    struct ordo_error error = {.text = "out of memory"};
    alone.barriers = 0;
    for (int i = 0; i < plan->barriers; i++) {
        const struct mpi_buffers named = {.barrier = plan->barrier[i], .transport = session->clock->transport};
        if (named.barrier)
            mpi_cli_must(roundtime_measure(session, &alone, outcome->broadcast_ns, &mpi_named_barrier, &named,
                                           &outcome->barriers[i]),
                         &error);
    }
}

/* Measures all operations. True if each had a valid round. */
static bool measure_operations(struct mpi_session *session, struct outcome *outcome, const struct mpi_buffers *buffers)
{
    const struct options *options = outcome->options;
    struct ordo_error error = {.text = "out of memory"};
    struct progress progress;
    bool all = true;
    outcome->broadcast_ns = roundtime_broadcast_ns(session);
    mpi_session_progress(session, &progress);
    for (int i = 0; i < options->operation_count; i++) {
        struct roundtime *result = &outcome->results[i];
        mpi_cli_must(
            roundtime_measure(session, &options->plan, outcome->broadcast_ns, options->operations[i], buffers, result),
            &error);
        all &= result->valid > 0;
        progress_show(&progress, (i + 1.0) / options->operation_count, options->operations[i]->name);
    }
    measure_imbalances(session, outcome);
    progress_end(&progress);
    return all;
}

static int measure_roundtimes(struct mpi_session *session, const void *own, const char *program)
{
    struct outcome outcome = {.options = own, .session = session};
    struct ordo_error error = {.text = "out of memory"};
    size_t bytes = (size_t)outcome.options->bytes * (size_t)session->size;
    struct mpi_buffers buffers = {
        .send = calloc(1, bytes), .receive = calloc(1, bytes), .ints = outcome.options->bytes / 4};
    mpi_cli_must(buffers.send && buffers.receive ? ORDO_OK : ORDO_E_SYSTEM, &error);
    bool holds = roundtime_look(session, 1, &outcome.before), all = holds;
    if (holds) {
        all = measure_operations(session, &outcome, &buffers);
        holds = roundtime_look(session, 2, &outcome.after);
    }
    free(buffers.send);
    free(buffers.receive);
    if (session->rank != 0)
        return EXIT_OK;
    if (!holds)
        return cli_fail(EXIT_FAILS, program,
                        "the global clock is proved wrong, so there are no figures: see ordo-mpi check");
    int code = report_roundtime(&outcome, program);
    return code ? code : all ? EXIT_OK : EXIT_UNKNOWN;
}

static bool list_barriers(const void *options)
{
    if (!((const struct options *)options)->list)
        return false;
    printf("%-20s %s\n", "mpi", "MPI_Barrier");
    for (const struct ordo_barrier *const *at = ordo_barriers; *at; at++)
        printf("%-20s %s\n", (*at)->name, (*at)->title);
    return true;
}

static int run_roundtime(int argc, char **argv)
{
    static const struct cli_table table = {
        "Measures collective operations which all ranks begin at the same global time.\vExit status: 0 measured; 1 the "
        "clock is not common, or was proved wrong before or after; 2 an operation had no valid round (raise --slack or "
        "--seconds), or it is unknown whether the clock is common; 64 usage; 70 internal.",
        parts};
    static const struct mpi_session_command command = {
        .table = &table, .ends_early = list_barriers, .work = measure_roundtimes};
    struct options options = {.session = mpi_session_defaults()};
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_roundtime = {
    .name = "roundtime",
    .title = "measure collective operations by global time",
    .schema = "ordo-roundtime/1",
    .run = run_roundtime,
};
