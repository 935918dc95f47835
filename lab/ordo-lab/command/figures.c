/* ordo-lab figures: repeats the figures and tables of published documents, and compares the numbers. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/options.h"
#include "lab/ordo-lab/figures.h"

struct options {
    const char *document, *figure, *svg;
    int64_t seed;
    bool json, markdown, list;
};

enum { SEED = 1, SVG, JSON, MARKDOWN, LIST };

static const struct argp_option argp_options[] = {
    {"list", LIST, NULL, 0, "List the documents and their figures, and exit", 1},
    {"seed", SEED, "N", 0, "Seed of all random numbers (default 1)", 1},
    {"svg", SVG, "FOLDER", 0, "Draw each figure into FOLDER, as DOCUMENT-FIGURE.svg", 2},
    {"json", JSON, NULL, 0, "Print the results as JSON (schema ordo-lab-figures/1)", 2},
    {"markdown", MARKDOWN, NULL, 0, "Print a table in Markdown, a line for each figure, as doc/lab/figures.md", 2},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(SEED, "--seed", struct options, seed, 0, INT32_MAX),
    CLI_TEXT_STORE(SVG, "--svg", struct options, svg),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(MARKDOWN, "--markdown", struct options, markdown),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    {0},
};

static error_t parse_figures(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num < 2) {
        *(state->arg_num ? &options->figure : &options->document) = argument;
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        cli_wrong(state, "'%s': give one document and one figure at most", argument);
    if (key == ARGP_KEY_END && options->json + options->markdown + options->list > 1)
        cli_wrong(state, "--json, --markdown and --list: only one of them can go to stdout: leave the others out");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_figures,
    "[DOCUMENT [FIGURE]]",
    "Repeats the figures and tables of the documents on which Ordo is built, and prints the published numbers next to "
    "ours. Without DOCUMENT, repeats all figures, in at most 60 minutes.\vA number is reproduced if it is within the "
    "factor of the published number that the last column names, and better if it is beyond in the better direction. A "
    "published upper limit that is kept is reproduced. A figure differs if a number or a claim does. Exit status: 0 "
    "every figure is reproduced, is better, or differs for "
    "a "
    "known reason; 1 a figure differs, and the reason is not known; 2 a figure could not be repeated here; 64 usage; "
    "70 "
    "internal.",
    NULL,
    NULL,
    NULL};

/* Repeats one figure, and hands it to the printer and to the picture. Returns the exit code of the figure. */
static int repeat_figure(const struct options *options, struct figures_printer *printer,
                         const struct ordo_document *document, const struct ordo_figure *figure)
{
    struct ordo_error error = {0};
    struct ordo_figure_run *run = NULL;
    int code = ordo_figure_repeat(figure, (uint64_t)options->seed, &run, &error), exit_code;
    enum ordo_figure_verdict verdict = code ? ORDO_FIGURE_ABSENT : ordo_figure_judge(run);
    if (!code && options->svg)
        code = figures_save_picture(options->svg, document, figure, run, &error);
    if (code && code != ORDO_E_MISSING)
        exit_code = cli_fail(code == ORDO_E_MEASURE ? EXIT_UNKNOWN : EXIT_INTERNAL, "ordo-lab figures", error.text);
    else
        exit_code = verdict == ORDO_FIGURE_DIFFERS && !ordo_figure_reason(run) ? EXIT_FAILS : EXIT_OK;
    figures_print(printer, document, figure, run, verdict, error.text);
    ordo_figure_drop(run);
    return exit_code == EXIT_OK && verdict == ORDO_FIGURE_ABSENT && figure->run ? EXIT_UNKNOWN : exit_code;
}

static bool is_chosen(const char *choice, const char *name)
{
    return !choice || strcmp(choice, name) == 0;
}

/* Returns the worst exit code of the chosen figures. */
static int repeat_chosen(const struct options *options, struct figures_printer *printer)
{
    int worst = EXIT_OK;
    for (const struct ordo_document *const *at = ordo_documents; *at; at++)
        for (const struct ordo_figure *figure = (*at)->figures; figure->name; figure++) {
            if (!is_chosen(options->document, (*at)->name) || !is_chosen(options->figure, figure->name))
                continue;
            int code = repeat_figure(options, printer, *at, figure);
            worst = code > worst ? code : worst;
        }
    return worst;
}

static int refuse_choice(const struct options *options)
{
    char text[200];
    (void)snprintf(text, sizeof text, "'%.60s%s%.60s' is not a figure: ordo-lab figures --list names all",
                   options->document, options->figure ? " " : "", options->figure ? options->figure : "");
    return cli_fail(EXIT_USAGE, "ordo-lab figures", text);
}

static bool exists(const struct options *options)
{
    for (const struct ordo_document *const *at = ordo_documents; *at; at++)
        for (const struct ordo_figure *figure = (*at)->figures; figure->name; figure++)
            if (is_chosen(options->document, (*at)->name) && is_chosen(options->figure, figure->name))
                return true;
    return false;
}

static int run_figures(int argc, char **argv)
{
    struct options options = {.seed = 1};
    cli_parse(&argp, argc, argv, &options);
    if (!exists(&options))
        return refuse_choice(&options);
    struct figures_printer printer = figures_printer_begin(options.json       ? FIGURES_JSON
                                                           : options.markdown ? FIGURES_MARKDOWN
                                                                              : FIGURES_TEXT);
    if (options.list)
        figures_print_list(options.document);
    int worst = options.list ? EXIT_OK : repeat_chosen(&options, &printer);
    if (!options.list && figures_printer_end(&printer))
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written");
    int code = cli_close_stdout(argv[0]);
    return code ? code : worst;
}

const struct command command_figures = {
    .name = "figures",
    .title = "repeat the figures of published documents",
    .schema = "ordo-lab-figures/1",
    .run = run_figures,
};
