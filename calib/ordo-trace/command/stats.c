/* ordo-trace stats: where the ranks' time goes, by call site. */
#include <stdio.h>
#include <stdlib.h>

#include "ordo-trace/placed.h"
#include "trace/report/analysis.h"

struct options {
    struct placed_options placed;
    bool csv;
};

enum { CSV = 1 };

static const struct argp_option argp_options[] = {
    {"csv", CSV, NULL, 0, "Print the table as CSV", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_FLAG_STORE(CSV, "--csv", struct options, csv),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &options->placed;
        return 0;
    }
    return cli_store(stores, key, argument, state);
}

static const struct ordo_call *sorted_calls;

static int by_total(const void *a, const void *b)
{
    double x = sorted_calls[*(const uint32_t *)a].total_ns, y = sorted_calls[*(const uint32_t *)b].total_ns;
    return x < y ? 1 : x > y ? -1 : *(const uint32_t *)a > *(const uint32_t *)b ? 1 : -1;
}

/* A name with a comma or a quote goes into quotes. */
static void print_csv_name(const char *name)
{
    putchar('"');
    for (; *name; name++)
        printf(*name == '"' ? "\"\"" : "%c", *name);
    putchar('"');
}

static void print_call(const struct ordo_analysis *analysis, uint32_t name, bool csv)
{
    const struct ordo_call *call = &analysis->calls[name];
    double imbalance = 100 * ordo_call_imbalance(call, analysis->rank_count);
    if (csv) {
        print_csv_name(analysis->names.all[name].at);
        printf(",%llu,%.0f,%.0f,%.0f,%.2f,%.0f,%.0f\n", (unsigned long long)call->count, call->total_ns,
               call->total_ns / (double)call->count, call->longest_ns, imbalance, call->wait_ns, call->wait_longest_ns);
        return;
    }
    printf("%-28.28s %9llu %14.3f %12.3f %12.3f %11.1f %14.3f %12.3f\n", analysis->names.all[name].at,
           (unsigned long long)call->count, call->total_ns * 1e-6, call->total_ns * 1e-3 / (double)call->count,
           call->longest_ns * 1e-3, imbalance, call->wait_ns * 1e-6, call->wait_longest_ns * 1e-3);
}

static int print_calls(const struct ordo_analysis *analysis, bool csv)
{
    uint32_t count = 0, *order = calloc(analysis->call_room + 1, sizeof *order);
    if (!order)
        return -1;
    for (uint32_t i = 0; i < analysis->call_room && i < analysis->names.count; i++)
        if (analysis->calls[i].count > 0)
            order[count++] = i;
    sorted_calls = analysis->calls;
    qsort(order, count, sizeof *order, by_total);
    if (csv)
        puts("name,count,total_ns,mean_ns,longest_ns,imbalance_percent,wait_ns,longest_wait_ns");
    else
        printf("%-28s %9s %14s %12s %12s %11s %14s %12s\n", "call", "count", "total [ms]", "mean [us]", "longest [us]",
               "imbal. [%]", "waits [ms]", "longest [us]");
    for (uint32_t i = 0; i < count; i++)
        print_call(analysis, order[i], csv);
    free(order);
    return 0;
}

/* Who keeps the others waiting: by how many collectives it was the last to enter. */
static int print_late(const struct ordo_analysis *analysis)
{
    uint64_t *last = calloc((size_t)analysis->rank_count + 1, sizeof *last), total = 0;
    if (!last)
        return -1;
    for (size_t i = 0; i < analysis->gathering_count; i++)
        if (analysis->gatherings[i].ranks >= 2 && analysis->gatherings[i].last_rank >= 0) {
            last[analysis->gatherings[i].last_rank]++;
            total++;
        }
    for (int i = 0; i < analysis->rank_count && total > 0; i++)
        if (last[i] * (uint64_t)analysis->rank_count >= 2 * total) /* twice its share */
            printf("rank %d is the last to enter %llu of %llu collectives\n", i, (unsigned long long)last[i],
                   (unsigned long long)total);
    free(last);
    return 0;
}

static int run(int argc, char **argv)
{
    static const struct argp_child parents[] = {{&placed_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse,
        "TRACE...",
        "Tables what each call site costs in global time: how often it was called and for how long; how unevenly the "
        "ranks share "
        "that (0: all the same; 100: the busiest rank spends twice the mean); and the time spent waiting, for the last "
        "rank to enter a "
        "collective and for messages that were sent late.\v"
        "Exit status: 0 tabled; 1 clocks step, or contradict each other or the messages; 64 usage, or a file that is "
        "malformed or missing; 70 internal.",
        parents,
        NULL,
        NULL};
    struct options options = {.placed = placed_defaults()};
    struct ordo_traces traces;
    struct ordo_correct_report report;
    struct ordo_analysis analysis;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    int code = placed_open(&traces, &report, &options.placed, &error);
    if (!code)
        code = ordo_analysis_make(&analysis, &traces, &error);
    placed_close(&traces, &report);
    if (code)
        return inputs_fail(argv[0], &error);
    int failed = print_calls(&analysis, options.csv) || (!options.csv && print_late(&analysis));
    ordo_analysis_free(&analysis);
    return failed ? cli_fail(EXIT_INTERNAL, argv[0], "out of memory") : EXIT_OK;
}

const struct command command_stats = {
    .name = "stats",
    .title = "table imbalance and waiting by call site",
    .run = run,
};
