/* ordo-lab replay: replays a figure of the literature. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/ordo-lab/figure.h"

struct options {
    const char *figure, *svg;
    uint64_t seed;
};

enum { SEED = 1, SVG };

static const struct argp_option argp_options[] = {
    {"seed", SEED, "N", 0, "Seed of the delays and the oscillators (default 1)", 1},
    {"svg", SVG, "FILE", 0, "Draw the four moments into FILE", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(SEED, "--seed", struct options, seed, 0, INT32_MAX),
    CLI_TEXT_STORE(SVG, "--svg", struct options, svg),
    {0},
};

static error_t parse_replay(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG) {
        if (options->figure || strcmp(argument, "figure2") != 0)
            cli_wrong(state, "'%.40s': not a known figure; give figure2", argument);
        options->figure = argument;
        return 0;
    }
    if (key == ARGP_KEY_END && !options->figure)
        cli_wrong(state, "no figure: give figure2");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_replay,
    "figure2",
    "Simulates Figure 2 of the OSMOSIS report (IBM RZ 3604): a synchronisation tree of the processes P0 to P14, in "
    "which the channel from P7 to P10 is cut. Shows the master of each process at four moments: before the cut; at the "
    "cut; when all processes below the cut know of it; and when the redundant channel from P9 to P12 has taken "
    "over.\vThe tree agrees with the report's text about the figure; the text does not mention the other channels, "
    "which were added. Exit status: 0 the result agrees with the report; 1 it does not; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int draw_figure(const char *path, const struct ordo_net_figure2 *figure, struct ordo_error *error)
{
    struct ordo_file_stream file;
    int code = ordo_file_stream_open(&file, path, 0644, error);
    if (code)
        return code;
    figure_draw(figure, file.stream);
    return ordo_file_stream_close(&file, true, error);
}

static int run_replay(int argc, char **argv)
{
    struct options options = {.seed = 1};
    struct ordo_net_figure2 figure;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (ordo_net_figure2_replay(&figure, options.seed, &error) ||
        (options.svg && draw_figure(options.svg, &figure, &error)))
        return cli_fail(EXIT_INTERNAL, argv[0], error.text);
    figure_print(&figure);
    int code = cli_close_stdout(argv[0]);
    return code ? code : ordo_net_figure2_is_right(&figure) ? EXIT_OK : EXIT_FAILS;
}

const struct command command_replay = {
    .name = "replay",
    .title = "simulate a figure of the OSMOSIS report",
    .run = run_replay,
};
