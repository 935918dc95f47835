/* ordo-bench plot: draws results as curves over the number of threads, the share of updates or the size of multi-gets. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "choice.h"
#include "common/command.h"
#include "common/options.h"
#include "plot/gnuplot.h"
#include "report.h"

enum key { KEY_AGAINST = 256, KEY_OUTPUT };

struct plot_options {
    enum plot_axis axis;
    const char *output; /* NULL: standard output */
    char **files;
    int file_count;
};

static const char *const plot_axis_words[] = {"threads", "update-percent", "multi-get", NULL}; /* as enum plot_axis */

static error_t parse_plot(int key, char *argument, struct argp_state *state)
{
    struct plot_options *options = state->input;
    switch (key) {
    case KEY_AGAINST:
        options->axis =
            (enum plot_axis)bench_word_parse(state, "--against", argument, strlen(argument), plot_axis_words);
        return 0;
    case KEY_OUTPUT:
        options->output = argument;
        return 0;
    case ARGP_KEY_ARGS:
        options->files = state->argv + state->next;
        options->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_wrong(state, "no FILE: give results that a command printed with --json");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int read_documents(struct plot_panels *panels, const struct plot_options *options, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < options->file_count && !code; i++) {
        const char *path = options->files[i], *slash = strrchr(path, '/');
        const char *label = options->file_count > 1 ? slash ? slash + 1 : path : NULL;
        code = plot_read(panels, options->axis, path, label, error);
    }
    return code;
}

static int draw_panels(const struct plot_panels *panels, const struct plot_options *options, struct ordo_error *error)
{
    char *picture = NULL;
    size_t bytes = 0;
    if (!options->output)
        return plot_draw(panels, options->axis, stdout, error);
    FILE *stream = open_memstream(&picture, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", options->output);
    int code = plot_draw(panels, options->axis, stream, error);
    if (fclose(stream) != 0 && !code)
        code = ordo_error_errno(error, "%s", options->output);
    if (!code)
        code = ordo_file_replace(options->output, picture, bytes, 0644, error);
    free(picture);
    return code;
}

static int run_plot(int argc, char **argv)
{
    static const struct argp_option own[] = {
        {"against", KEY_AGAINST, "AXIS", 0,
         "The x axis: threads (the default), update-percent, or multi-get: the keys of a multi-get", 0},
        {"output", KEY_OUTPUT, "FILE", 0, "Write the picture to FILE (default: standard output)", 0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_plot,
        .args_doc = "FILE...",
        .doc = "Draws results that --json wrote, as SVG: throughput over threads, over the share of updates, or over "
               "the keys of a multi-get.",
    };
    struct plot_options options = {.axis = PLOT_THREADS};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    struct plot_panels panels = {0};
    int code = read_documents(&panels, &options, &error);
    if (!code)
        code = draw_panels(&panels, &options, &error);
    plot_free(&panels);
    return code ? bench_refuse("plot", &error) : EXIT_OK;
}

const struct command command_plot = {
    .name = "plot",
    .title = "draw results as curves of throughput over threads or over the share of updates, in SVG",
    .run = run_plot,
};
