/* ordo-mpi roundtime: how long collective operations take, begun by all ranks at the same global time. */
#include <stdlib.h>
#include <string.h>

#include "mpi_roundtime.h"
#include "mpi_words.h"
#include "report/json.h"

enum { MOST_OPERATIONS = 16 };

struct options {
    struct mpi_session_options session;
    const struct mpi_collective *operations[MOST_OPERATIONS];
    int operation_count, bytes;
    struct roundtime_plan plan;
    bool json, csv;
};

enum { OP = 1, SIZE, SECONDS, ROUNDS, SLACK, BARRIER, JSON, CSV };

static const struct argp_option argp_options[] = {
    {"op", OP, "NAME,...", 0,
     "Operations: allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reduce_scatter, scan, scatter "
     "(default "
     "barrier,bcast,reduce,allreduce,alltoall,allgather)",
     0},
    {"size", SIZE, "BYTES", 0, "Each rank's part, a multiple of 4 (default 8)", 0},
    {"seconds", SECONDS, "S", 0, "Time slice of an operation (default 0.5)", 0},
    {"rounds", ROUNDS, "N", 0, "No more valid rounds than this (default 10000)", 0},
    {"slack", SLACK, "B", 0, "A round begins B broadcast latencies after it is announced (default 3)", 0},
    {"barrier", BARRIER, NULL, 0,
     "For comparison also by the usual scheme: a barrier, then each rank times its own call", 0},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-roundtime/1)", 0},
    {"csv", CSV, NULL, 0, "Print the result as CSV", 0},
    {0},
};

static void parse_operations(struct argp_state *state, struct options *options, char *text)
{
    char *word;
    options->operation_count = 0;
    while ((word = strsep(&text, ","))) {
        const struct mpi_collective *at = mpi_collectives;
        while (at->name && strcmp(at->name, word) != 0)
            at++;
        if (!at->name || options->operation_count == MOST_OPERATIONS)
            argp_error(state, "--op %s: not an operation; --help lists them", word);
        options->operations[options->operation_count++] = at;
    }
}

static double parse_slack(struct argp_state *state, const char *text)
{
    char *end;
    double slack = strtod(text, &end);
    if (end == text || *end != '\0' || !(slack >= 1 && slack <= 1000000))
        argp_error(state, "--slack %s: not a number from 1 to 1000000", text);
    return slack;
}

static error_t parse_output(int key, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case JSON:
        options->json = true;
        options->session.start.json_schema = "ordo-roundtime/1";
        return 0;
    case CSV:
        options->csv = true;
        return 0;
    case BARRIER:
        options->plan.barrier = true;
        return 0;
    case ARGP_KEY_END:
        if (options->json && options->csv)
            argp_error(state, "--json and --csv: one of them");
        return 0;
    default:
        return mpi_session_parse(key, state);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case OP:
        parse_operations(state, options, argument);
        return 0;
    case SIZE:
        options->bytes = (int)cli_number(state, "--size", argument, 4, 1 << 26);
        if (options->bytes % 4)
            argp_error(state, "--size %s: not a multiple of 4", argument);
        return 0;
    case SECONDS:
        options->plan.slice_s = mpi_cli_seconds(state, "--seconds", argument);
        return 0;
    case ROUNDS:
        options->plan.most_rounds = (int)cli_number(state, "--rounds", argument, 1, 100000000);
        return 0;
    case SLACK:
        options->plan.slack = parse_slack(state, argument);
        return 0;
    default:
        return parse_output(key, state);
    }
}

/* Whether the models still hold, by a measurement of at most 64 ranks: figures of a clock that stepped are none. */
static bool clock_holds(struct mpi_session *session, uint64_t seed)
{
    enum { MOST_RANKS = 64, PINGPONG = 20 };
    struct ordo_error error;
    int percent = session->size > MOST_RANKS ? 100 * MOST_RANKS / session->size : 100;
    const struct ordo_mpi_check_options options = {percent ? percent : 1, PINGPONG, seed};
    int code = ordo_mpi_check(session->clock, &options, NULL, NULL, &error);
    mpi_cli_must(code == ORDO_E_MEASURE ? ORDO_OK : code, &error);
    return code == ORDO_OK;
}

static void print_csv(const struct options *options, const struct roundtime *results)
{
    printf("operation,bytes,valid_rounds,invalid_rounds,median_ns,low_ns,high_ns,min_ns,max_ns,exit_skew_median_ns,"
           "exit_skew_max_ns,barrier_scheme_median_ns\n");
    for (int i = 0; i < options->operation_count; i++) {
        const struct roundtime *at = &results[i];
        printf("%s,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,", options->operations[i]->name, options->bytes,
               at->valid, at->invalid, at->run_ns.median, at->run_ns.low, at->run_ns.high, at->least_ns, at->most_ns,
               at->skew_ns.median, at->most_skew_ns);
        if (at->barrier_count)
            printf("%.0f", at->barrier_ns.median);
        putchar('\n');
    }
}

static json_t *median_of(struct ordo_median median)
{
    return json_pack("{s:f, s:f, s:f}", "median", median.median, "low", median.low, "high", median.high);
}

static json_t *operation_of(const char *name, const struct roundtime *at)
{
    json_t *object =
        json_pack("{s:s, s:i, s:i}", "operation", name, "valid_rounds", at->valid, "invalid_rounds", at->invalid);
    if (at->valid) {
        json_object_set_new(object, "run_time_ns", median_of(at->run_ns));
        json_object_set_new(object, "min_ns", json_real(at->least_ns));
        json_object_set_new(object, "max_ns", json_real(at->most_ns));
        json_object_set_new(object, "exit_skew_ns", median_of(at->skew_ns));
        json_object_set_new(object, "exit_skew_max_ns", json_real(at->most_skew_ns));
    }
    if (at->barrier_count)
        json_object_set_new(object, "barrier_scheme_ns", median_of(at->barrier_ns));
    return object;
}

static int print_json(const struct options *options, const struct mpi_session *session, double broadcast_ns,
                      const struct roundtime *results)
{
    char algorithm[96];
    json_t *document = ordo_json_document("ordo-roundtime/1"), *array = json_array();
    for (int i = 0; i < options->operation_count; i++)
        json_array_append_new(array, operation_of(options->operations[i]->name, &results[i]));
    int failed =
        json_object_set_new(document, "ranks", json_integer(session->size)) |
        json_object_set_new(document, "clock", json_string(session->options->source->name)) |
        json_object_set_new(document, "algorithm",
                            json_string(mpi_session_algorithm(&session->options->levels.algorithms[0], algorithm))) |
        json_object_set_new(document, "bytes", json_integer(options->bytes)) |
        json_object_set_new(document, "slack", json_real(options->plan.slack)) |
        json_object_set_new(document, "broadcast_ns", json_real(broadcast_ns)) |
        json_object_set_new(document, "operations", array);
    if (!failed)
        return ordo_json_write(document, stdout);
    json_decref(document);
    return -1;
}

static void print_text(const struct options *options, const struct mpi_session *session, double broadcast_ns,
                       const struct roundtime *results)
{
    char text[5][24], algorithm[96];
    printf("%d ranks, %d bytes, clock %s by %s; a round begins %g x %s after it is announced\n", session->size,
           options->bytes, session->options->source->name,
           mpi_session_algorithm(&session->options->levels.algorithms[0], algorithm), options->plan.slack,
           mpi_format_ns(broadcast_ns, text[0]));
    printf("%-15s %8s %8s %10s %22s %10s %10s %10s\n", "operation", "valid", "invalid", "median", "95% interval",
           "exit skew", "worst", options->plan.barrier ? "by barrier" : "");
    for (int i = 0; i < options->operation_count; i++) {
        const struct roundtime *at = &results[i];
        char interval[52];
        (void)snprintf(interval, sizeof interval, "[%s, %s]", mpi_format_ns(at->run_ns.low, text[0]),
                       mpi_format_ns(at->run_ns.high, text[1]));
        printf("%-15s %8d %8d %10s %22s %10s %10s %10s\n", options->operations[i]->name, at->valid, at->invalid,
               at->valid ? mpi_format_ns(at->run_ns.median, text[0]) : "-", at->valid ? interval : "-",
               at->valid ? mpi_format_ns(at->skew_ns.median, text[2]) : "-",
               at->valid ? mpi_format_ns(at->most_skew_ns, text[3]) : "-",
               at->barrier_count ? mpi_format_ns(at->barrier_ns.median, text[4]) : "");
    }
}

static int report(const struct options *options, const struct mpi_session *session, double broadcast_ns,
                  const struct roundtime *results, const char *program)
{
    int failed = 0;
    if (options->json)
        failed = print_json(options, session, broadcast_ns, results);
    else if (options->csv)
        print_csv(options, results);
    else
        print_text(options, session, broadcast_ns, results);
    return failed ? cli_fail(EXIT_INTERNAL, program, "out of memory, or stdout cannot be written")
                  : cli_close_stdout(program);
}

static int measure_all(struct mpi_session *session, const void *own, const char *program)
{
    const struct options *options = own;
    struct ordo_error error = {.text = "out of memory"};
    struct roundtime results[MOST_OPERATIONS];
    struct progress progress;
    size_t bytes = (size_t)options->bytes * (size_t)session->size;
    struct mpi_buffers buffers = {calloc(1, bytes), calloc(1, bytes), options->bytes / 4};
    bool none = false;
    mpi_cli_must(buffers.send && buffers.receive ? ORDO_OK : ORDO_E_SYSTEM, &error);
    bool holds = clock_holds(session, 1);
    double broadcast_ns = holds ? roundtime_broadcast_ns(session) : 0;
    mpi_session_progress(session, &progress);
    for (int i = 0; i < options->operation_count && holds; i++) {
        mpi_cli_must(
            roundtime_measure(session, &options->plan, broadcast_ns, options->operations[i], &buffers, &results[i]),
            &error);
        none |= results[i].valid == 0;
        progress_show(&progress, (i + 1.0) / options->operation_count, options->operations[i]->name);
    }
    progress_end(&progress);
    holds = holds && clock_holds(session, 2);
    free(buffers.send);
    free(buffers.receive);
    if (session->rank != 0)
        return EXIT_OK;
    if (!holds)
        return cli_fail(EXIT_FAILS, program,
                        "the global clock is proved wrong, so there are no figures: see ordo-mpi check");
    int code = report(options, session, broadcast_ns, results, program);
    return code ? code : none ? EXIT_UNKNOWN : EXIT_OK;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse,
        NULL,
        "Measures collective operations which all ranks begin at the same global time.\v"
        "Exit status: 0; 1 the clock is not common, or was proved wrong before or after; 2 an "
        "operation had no valid round (raise --slack or --seconds), or it could not be told "
        "whether the clock is common; 64 usage; 70 internal.",
        mpi_session_children,
        NULL,
        NULL};
    static const struct mpi_session_command command = {.argp = &argp, .work = measure_all};
    static char usual[] = "barrier,bcast,reduce,allreduce,alltoall,allgather";
    struct options options = {
        .session = mpi_session_defaults(), .bytes = 8, .plan = {.slice_s = 0.5, .slack = 3, .most_rounds = 10000}};
    parse_operations(NULL, &options, usual);
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_mpi_roundtime = {"roundtime", "measure collective operations by global time", run};
