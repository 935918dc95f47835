/* ordo-trace plot: a trace as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ordo-trace/placed.h"
#include "ordo-trace/window.h"
#include "trace/plot/gantt.h"
#include "trace/plot/skew.h"

enum { RANKS_MOST = 4096 };

struct options {
    struct placed_options placed;
    struct window_options window;
    const char *output, *names, *ranks;
    int width;
    bool skew, no_messages;
};

enum { SKEW = 1, RANKS, NAMES, WIDTH, NO_MESSAGES };

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "Write the picture (SVG) to FILE; - is stdout (required)", 0},
    {"skew", SKEW, NULL, 0,
     "Instead of a chart, draw for each collective how far apart the ranks enter and leave it, and which rank is the "
     "last to enter",
     0},
    {"ranks", RANKS, "N,...", 0, "Draw these ranks (default: all, at most 4096)", 0},
    {"names", NAMES, "NAME,...", 0, "Draw these operations only (default: all)", 0},
    {"no-messages", NO_MESSAGES, NULL, 0, "Draw no arrows for messages", 0},
    {"width", WIDTH, "PIXELS", 0, "Width of the picture, with --skew at least 700 (default 1200)", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE('o', "--output", struct options, output),
    CLI_FLAG_STORE(SKEW, "--skew", struct options, skew),
    CLI_TEXT_STORE(RANKS, "--ranks", struct options, ranks),
    CLI_TEXT_STORE(NAMES, "--names", struct options, names),
    CLI_FLAG_STORE(NO_MESSAGES, "--no-messages", struct options, no_messages),
    CLI_STORE(WIDTH, "--width", struct options, width, 300, 100000),
    {0},
};

static int chosen[RANKS_MOST], chosen_count;

static error_t parse_plot(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->placed;
        state->child_inputs[1] = &options->window;
        return 0;
    case RANKS:
        chosen_count = cli_numbers(state, "--ranks", argument, 0, (1 << 20) - 1, chosen, RANKS_MOST);
        return 0;
    case ARGP_KEY_SUCCESS:
        if (!options->output)
            cli_wrong(state, "no output for the picture: give --output FILE");
        if (options->skew && window_chosen(&options->window))
            cli_wrong(state, "--skew: draws the whole trace: leave out --begin, --end, --zero and --around");
        if (options->skew && options->width < ORDO_SKEW_WIDTH_LEAST)
            cli_wrong(state, "--width %d: is too narrow for --skew: give at least %d", options->width,
                      ORDO_SKEW_WIDTH_LEAST);
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

static void choose_ranks(const struct ordo_analysis *analysis)
{
    for (int i = 0; i < analysis->ranks.count && chosen_count < RANKS_MOST; i++)
        chosen[chosen_count++] = analysis->ranks.all[analysis->order[i]];
}

/* Refuses a picture that would be empty. */
static int refuse_empty(const struct ordo_analysis *analysis, struct ordo_error *error)
{
    bool has_shapes = analysis->causality.messages > 0;
    for (uint32_t i = 0; i < analysis->call_room && !has_shapes; i++)
        has_shapes = analysis->calls[i].count > 0;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s",
                          has_shapes ? "no region and no message is in this range, of these ranks and with these names"
                                     : "the trace has neither regions nor messages, of which a picture consists: see "
                                       "its events with 'ordo-trace report'");
}

static int draw_gantt(struct ordo_traces *traces, struct ordo_analysis *analysis,
                      const struct ordo_correct_report *report, const struct options *options, FILE *stream,
                      struct ordo_error *error)
{
    struct ordo_gantt_result result;
    struct window window;
    int code = window_choose(&window, &options->window, traces, analysis, report, error);
    if (code)
        return code;
    if (chosen_count == 0)
        choose_ranks(analysis);
    struct ordo_gantt_options gantt = {.begin_ns = window.begin_ns,
                                       .end_ns = window.end_ns,
                                       .zero_ns = window.zero_ns,
                                       .ranks = chosen,
                                       .rank_count = chosen_count,
                                       .names = options->names,
                                       .width = options->width,
                                       .messages = !options->no_messages};
    code = placed_again(traces, error);
    if (!code)
        code = ordo_gantt_draw(traces, analysis, &gantt, stream, &result, error);
    if (!code && result.bars + result.arrows == 0)
        code = refuse_empty(analysis, error);
    if (!code && result.left_out > 0)
        fprintf(stderr,
                "ordo-trace plot: %llu messages more than %llu were left out: choose a shorter time with --begin and "
                "--end\n",
                (unsigned long long)result.left_out, (unsigned long long)result.arrows);
    return code;
}

static int draw_chosen(struct ordo_traces *traces, const struct ordo_correct_report *report, const void *context,
                       FILE *stream, struct ordo_error *error)
{
    const struct options *options = context;
    struct ordo_analysis analysis;
    int code = ordo_analysis_make(&analysis, traces, error);
    if (code)
        return code;
    if (options->skew) {
        int panels = ordo_skew_draw(&analysis, options->width, stream);
        if (panels < 0)
            code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
        else if (panels == 0)
            code = ordo_error_set(error, ORDO_E_INVALID, 0, "the trace has no collective of two ranks");
    } else {
        code = draw_gantt(traces, &analysis, report, options, stream, error);
    }
    ordo_analysis_free(&analysis);
    return code;
}

static int run_plot(int argc, char **argv)
{
    static const struct argp_child parents[] = {{&placed_argp, 0, NULL, 0}, {&window_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        argp_options,
        parse_plot,
        "TRACE...",
        "Draws a trace in global time: a row for each rank, a bar for each region, and an arrow for each message, "
        "which is red if the message is received before it was sent. A bar certainly begins and ends within its "
        "hatched edges. A nested region is drawn inside the bar of the outer region, up to five levels deep.\vExit "
        "status: 0 drawn; 1 clocks step, or contradict each other or the messages; 64 usage, or a file that is "
        "malformed or missing; 70 internal. If it is not 0, nothing is written.",
        parents,
        NULL,
        NULL};
    struct options options = {.placed = placed_defaults(), .width = 1200};
    cli_parse(&argp, argc, argv, &options);
    return placed_write(argv[0], options.output, &options.placed, draw_chosen, &options);
}

const struct command command_plot = {
    .name = "plot",
    .title = "draw a Gantt chart of a trace, or which ranks are late to collectives",
    .run = run_plot,
};
