/* ordo-trace report: a trace as one page for a browser. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ordo-trace/placed.h"
#include "ordo-trace/window.h"
#include "trace/page/page.h"

struct options {
    struct placed_options placed;
    const char *output, *title;
    struct window_options window;
    uint64_t most;
};

enum { TITLE = 1, MOST };

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "Write the page (HTML) to FILE; - is stdout (required)", 0},
    {"title", TITLE, "TEXT", 0, "The title of the page (default: the name of the first trace)", 0},
    {"most", MOST, "N", 0,
     "Draw an overview of at most N/4 bars and N/4 messages if there are more than N (default 4000000)", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE('o', "--output", struct options, output),
    CLI_TEXT_STORE(TITLE, "--title", struct options, title),
    CLI_STORE(MOST, "--most", struct options, most, 1, 100000000),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->placed;
        state->child_inputs[1] = &options->window;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (!options->output)
            cli_wrong(state, "where the page is to go is missing: give --output FILE");
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

/* Returns the part of a path after its last slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Tells the length and the number of the merged bars and messages. */
static void tell_merged(const struct ordo_page_result *result)
{
    if (result->bars_ns > 0)
        fprintf(stderr,
                "report: an overview: %" PRIu64
                " bars and points shorter than %.4g us are merged with their neighbours; "
                "choose a shorter time with --begin and --end to see them\n",
                result->merged_bars, (double)result->bars_ns * 1e-3);
    if (result->arrows_ns > 0)
        fprintf(stderr, "report: an overview: %" PRIu64 " messages shorter than %.4g us are merged with others\n",
                result->merged_arrows, (double)result->arrows_ns * 1e-3);
}

static int write_page(struct ordo_traces *traces, struct ordo_analysis *analysis,
                      const struct ordo_correct_report *report, const struct options *options, FILE *stream,
                      struct ordo_error *error)
{
    struct ordo_page_result result;
    struct window window;
    int code = window_choose(&window, &options->window, traces, analysis, report, error);
    if (code)
        return code;
    struct ordo_page_options page = {.title =
                                         options->title ? options->title : name_of(traces->files[0].reader.input.path),
                                     .begin_ns = window.begin_ns,
                                     .end_ns = window.end_ns - 1,
                                     .most = options->most,
                                     .raw = traces->clocks == NULL && !traces->files[0].reader.corrected};
    code = placed_again(traces, error);
    if (!code)
        code = ordo_page_write(traces, analysis, &page, stream, &result, error);
    if (!code)
        tell_merged(&result);
    return code;
}

static int report_traces(struct ordo_traces *traces, const struct ordo_correct_report *report, const void *context,
                         FILE *stream, struct ordo_error *error)
{
    struct ordo_analysis analysis;
    int code = ordo_analysis_make(&analysis, traces, error);
    if (code)
        return code;
    code = write_page(traces, &analysis, report, context, stream, error);
    ordo_analysis_free(&analysis);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child parents[] = {{&placed_argp, 0, NULL, 0}, {&window_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse,
        "TRACE...",
        "Writes a page that a browser opens without a network: a timeline in global time that zooms, with a row for "
        "each thread of each rank, arrows for messages and hatched edges for the uncertainty; tables of the calls and "
        "their "
        "waiting times, of late ranks and of collectives; the clocks of the ranks; and the oddities of the files.\v"
        "Exit status: 0 written; 1 clocks step, or contradict each other or the messages; 64 usage, or a file that is "
        "malformed or missing; 70 internal. If it is not 0, nothing is written.",
        parents,
        NULL,
        NULL};
    struct options options = {.placed = placed_defaults(), .most = 4000000};
    cli_parse(&argp, argc, argv, &options);
    return placed_write(argv[0], options.output, &options.placed, report_traces, &options);
}

const struct command command_report = {
    .name = "report",
    .title = "write a trace as a page for a browser: a timeline that zooms, and tables",
    .run = run,
};
