/* ordo-trace stats: shows how the ranks' time divides among call sites. */
#include <stdio.h>
#include <stdlib.h>

#include "ordo-trace/causality.h"
#include "ordo-trace/name.h"
#include "ordo-trace/placed.h"
#include "ordo-trace/window.h"
#include "trace/report/analysis.h"
#include "json/builder.h"

struct options {
    struct placed_options placed;
    struct window_options window;
    bool csv, json;
};

enum { CSV = 1, JSON };

static const struct argp_option argp_options[] = {
    {"csv", CSV, NULL, 0, "Print the table as CSV", 0},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-trace-stats/1)", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_FLAG_STORE(CSV, "--csv", struct options, csv),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

static error_t parse_stats(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &options->placed;
        state->child_inputs[1] = &options->window;
        return 0;
    }
    if (key == ARGP_KEY_SUCCESS && options->json && options->csv)
        cli_wrong(state, "--json and --csv: only one of them can go to stdout: leave the other out");
    return cli_store(stores, key, argument, state);
}

static const struct ordo_call *sorted_calls;

static int by_total(const void *a, const void *b)
{
    double x = sorted_calls[*(const uint32_t *)a].total_ns, y = sorted_calls[*(const uint32_t *)b].total_ns;
    return x < y ? 1 : x > y ? -1 : *(const uint32_t *)a > *(const uint32_t *)b ? 1 : -1;
}

static void print_call(const struct ordo_analysis *analysis, uint32_t name, bool csv)
{
    const struct ordo_call *call = &analysis->calls[name];
    double imbalance = 100 * ordo_call_imbalance(call, analysis->ranks.count);
    if (csv) {
        name_print_csv(analysis->names.all[name]);
        printf(",%llu,%.0f,%.0f,%.0f,%.2f,%.0f,%.0f\n", (unsigned long long)call->count, call->total_ns,
               call->total_ns / (double)call->count, call->longest_ns, imbalance, call->wait_ns, call->wait_longest_ns);
        return;
    }
    name_print(analysis->names.all[name], 28);
    printf(" %9llu %14.3f %12.3f %12.3f %11.1f %14.3f %12.3f\n", (unsigned long long)call->count, call->total_ns * 1e-6,
           call->total_ns * 1e-3 / (double)call->count, call->longest_ns * 1e-3, imbalance, call->wait_ns * 1e-6,
           call->wait_longest_ns * 1e-3);
}

static void print_calls(const struct ordo_analysis *analysis, const uint32_t *order, uint32_t count, bool csv)
{
    if (csv)
        puts("name,count,total_ns,mean_ns,longest_ns,imbalance_percent,wait_ns,longest_wait_ns");
    else
        printf("%-28s %9s %14s %12s %12s %11s %14s %12s\n", "call", "count", "total [ms]", "mean [us]", "longest [us]",
               "imbal. [%]", "waits [ms]", "longest [us]");
    for (uint32_t i = 0; i < count; i++)
        print_call(analysis, order[i], csv);
}

/* Prints the ranks that keep the others waiting: each was the last to enter at least twice as often as an average
 * rank. */
static void print_late(const struct ordo_analysis *analysis, const uint64_t *last, uint64_t total)
{
    for (int i = 0; i < analysis->ranks.count && total > 0; i++) {
        int at = analysis->order[i];
        if (last[at] * (uint64_t)analysis->ranks.count >= 2 * total)
            printf("rank %d is the last to enter %llu of %llu collectives\n", analysis->ranks.all[at],
                   (unsigned long long)last[at], (unsigned long long)total);
    }
}

static struct ordo_json call_json(const struct ordo_analysis *analysis, uint32_t name)
{
    const struct ordo_call *call = &analysis->calls[name];
    struct ordo_json object = ordo_json_object();
    ordo_json_put(&object, "name", ordo_json_text(analysis->names.all[name].at));
    ordo_json_put_int(&object, "count", (int64_t)call->count);
    ordo_json_put_real(&object, "total_ns", call->total_ns);
    ordo_json_put_real(&object, "mean_ns", call->total_ns / (double)call->count);
    ordo_json_put_real(&object, "longest_ns", call->longest_ns);
    ordo_json_put_real(&object, "imbalance_percent", 100 * ordo_call_imbalance(call, analysis->ranks.count));
    ordo_json_put_int(&object, "waits", (int64_t)call->waits);
    ordo_json_put_real(&object, "wait_ns", call->wait_ns);
    ordo_json_put_real(&object, "longest_wait_ns", call->wait_longest_ns);
    return object;
}

static struct ordo_json ranks_json(const struct ordo_analysis *analysis, const uint64_t *last)
{
    struct ordo_json ranks = ordo_json_array();
    for (int i = 0; i < analysis->ranks.count; i++) {
        struct ordo_json rank = ordo_json_object();
        int at = analysis->order[i];
        ordo_json_put_int(&rank, "rank", analysis->ranks.all[at]);
        ordo_json_put_int(&rank, "events", (int64_t)analysis->rank_events[at]);
        ordo_json_put_int(&rank, "last_to_enter", (int64_t)last[at]);
        ordo_json_add(&ranks, rank);
    }
    return ranks;
}

static int print_stats_json(const struct ordo_analysis *analysis, const uint32_t *order, uint32_t count,
                            const uint64_t *last)
{
    struct ordo_json document = ordo_json_document("ordo-trace-stats/1"), calls = ordo_json_array();
    for (uint32_t i = 0; i < count; i++)
        ordo_json_add(&calls, call_json(analysis, order[i]));
    ordo_json_put_int(&document, "events", (int64_t)analysis->events);
    ordo_json_put_int(&document, "first_ns", analysis->first_ns);
    ordo_json_put_int(&document, "last_ns", analysis->last_ns);
    ordo_json_put(&document, "calls", calls);
    ordo_json_put(&document, "ranks", ranks_json(analysis, last));
    ordo_json_put(&document, "causality", causality_json(&analysis->causality));
    return ordo_json_write(&document, stdout);
}

/* Sorts the calls by the time spent in them. Returns their number. */
static uint32_t sort_calls(const struct ordo_analysis *analysis, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < analysis->call_room && i < analysis->names.count; i++)
        if (analysis->calls[i].count > 0)
            order[count++] = i;
    sorted_calls = analysis->calls;
    qsort(order, count, sizeof *order, by_total);
    return count;
}

/* Sets last[i] to the number of collectives in which the rank with index i was the last to enter. Returns the sum. */
static uint64_t count_late(const struct ordo_analysis *analysis, uint64_t *last)
{
    uint64_t total = 0;
    for (size_t i = 0; i < analysis->gathering_count; i++)
        if (analysis->gatherings[i].ranks >= 2 && analysis->gatherings[i].last >= 0) {
            last[analysis->gatherings[i].last]++;
            total++;
        }
    return total;
}

static int print_stats(const struct ordo_analysis *analysis, const struct options *options)
{
    uint32_t *order = calloc((size_t)analysis->names.count + 1, sizeof *order);
    uint64_t *last = calloc((size_t)analysis->ranks.count + 1, sizeof *last);
    int failed = !order || !last;
    if (!failed) {
        uint32_t count = sort_calls(analysis, order);
        uint64_t total = count_late(analysis, last);
        if (options->json)
            failed = print_stats_json(analysis, order, count, last);
        else
            print_calls(analysis, order, count, options->csv);
        if (!options->json && !options->csv)
            print_late(analysis, last, total);
    }
    free(order);
    free(last);
    return failed;
}

static int analyse_window(struct ordo_analysis *analysis, struct ordo_traces *traces,
                          const struct ordo_correct_report *report, const struct window_options *options,
                          struct ordo_error *error)
{
    struct window window;
    if (!window_chosen(options))
        return ordo_analysis_make(analysis, traces, error);
    int code = window_find(&window, options, traces, report, error);
    if (!code)
        code = placed_again(traces, error);
    return code ? code : ordo_analysis_make_within(analysis, traces, window.begin_ns, window.end_ns, error);
}

static int run_stats(int argc, char **argv)
{
    static const struct argp_child parents[] = {{&placed_argp, 0, NULL, 0}, {&window_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse_stats,
        "TRACE...",
        "Prints a table of the costs of each call site in global time: the number of calls and their duration; the "
        "imbalance between ranks (0: all equal; 100: the busiest rank spends twice the mean); and the time spent "
        "waiting for the last rank to enter a collective, and for messages that were sent late.\vExit status: 0 "
        "printed; 1 clocks step, or contradict each other or the messages; 64 usage, or a file that is malformed or "
        "missing; 70 internal.",
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
        code = analyse_window(&analysis, &traces, &report, &options.window, &error);
    placed_close(&traces, &report);
    if (code)
        return inputs_fail(argv[0], &error);
    int failed = print_stats(&analysis, &options);
    ordo_analysis_free(&analysis);
    return failed ? cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written") : EXIT_OK;
}

const struct command command_stats = {
    .name = "stats",
    .title = "print a table of imbalance and waiting by call site",
    .schema = "ordo-trace-stats/1",
    .run = run_stats,
};
