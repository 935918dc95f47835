/* ordo clocks: compares the clock sources of this machine. */
#include "clocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "clocks_csv.h"
#include "clocks_json.h"
#include "clocks_svg.h"
#include "clocks_text.h"
#include "progress.h"

enum { MOST_SECONDS = 86400 };

#define VALUE(member) CLI_VALUE(struct cli_clocks_options, member)

static const struct cli_row rows[] = {
    {.name = "seconds",
     .group = 1,
     .argument = "S",
     .usual = "10",
     .least = 0.05,
     .most = MOST_SECONDS,
     VALUE(seconds),
     .help = "Seconds for which the clocks are read: every millisecond, but at most 100000 times"},
    {.name = "cpus",
     .group = 1,
     .argument = "LIST",
     VALUE(cpus),
     .help = "Compare on these CPUs, such as 0-3,8; the first is the reference (default: all online CPUs that the "
             "cgroup allows)"},
    {.name = "phc",
     .group = 1,
     .argument = "DEVICE",
     VALUE(phc),
     .help =
         "The clock of a network card to read, such as /dev/ptp1 or its interface, such as eth0 (default: the first "
         "one found)"},
    {.name = "aux",
     .group = 1,
     .argument = "N",
     VALUE(aux),
     .help = "The auxiliary clock of the kernel to read, from 0 to 7 (default: the first one that is on)"},
    {.name = "json", .group = 2, VALUE(json), .help = "Print the whole result as JSON (schema ordo-clocks/1)"},
    {.name = "csv", .group = 2, VALUE(csv), .help = "Print one line per clock as CSV"},
    {.name = "svg",
     .group = 2,
     .argument = "FILE",
     VALUE(svg),
     .help = "Draw the distribution of the offsets and the Allan deviations into FILE, with gnuplot"},
    {.name = "quiet", .letter = 'q', .group = 2, VALUE(quiet), .help = "Show no progress bar"},
    {0},
};

static const char *check_form(void *own, char text[400])
{
    const struct cli_clocks_options *options = own;
    (void)text;
    if (options->aux && (strspn(options->aux, "01234567") != 1 || options->aux[1]))
        return "--aux: not a number from 0 to 7";
    return options->json && options->csv ? "--json and --csv: only one of them can go to stdout: leave the other out"
                                         : NULL;
}

static const struct cli_part parts[] = {{.rows = rows, .check = check_form}, {0}};

const struct cli_table cli_clocks_table = {
    "Compares the clocks that programs can read here: the cost of a reading, the differences between CPUs, the changes "
    "over time, the steering, and the purposes that each clock is fit for, with the reasons.\vBounds are proved by "
    "readings of the counter around each reading, and by messages between CPUs; accuracy, precision and stability are "
    "statistics. Exit status: 0 compared, even if the clocks are fit for nothing; 2 the clocks could not be measured, "
    "or a device or gnuplot is missing; 64 usage, or a CPU that cannot be used; 70 a file or stdout could not be "
    "written.",
    parts};

static void on_comparison(void *context, double share, const char *words)
{
    progress_show(context, share, words);
}

/* Draws the picture into a temporary file next to `path` and renames that file, so that `path` never is an incomplete
 * picture. */
static int save_svg(const char *path, const struct ordo_comparison *comparison, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int code = clocks_write_svg(comparison, stream, error);
    if (fclose(stream) != 0 && !code)
        code = ordo_error_errno(error, "%s", path);
    if (!code)
        code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}

static int print_comparison(const char *program, const struct cli_clocks_options *options,
                            const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks)
{
    int failed = options->json  ? clocks_write_json(comparison, ranks, stdout)
                 : options->csv ? clocks_write_csv(comparison, stdout)
                                : clocks_write_text(comparison, ranks, stdout);
    return failed ? cli_fail_output(program) : cli_close_stdout(program);
}

static int exit_code_of(int code)
{
    switch (code) {
    case ORDO_E_INVALID:
        return EXIT_USAGE;
    case ORDO_E_SYSTEM:
        return EXIT_INTERNAL;
    default:
        return EXIT_UNKNOWN;
    }
}

static int compare_clocks(const struct cli_clocks_options *options, struct ordo_comparison **comparison,
                          struct ordo_error *error)
{
    struct progress progress;
    progress_begin(&progress, options->quiet);
    int code = ordo_comparison_run(
        &(struct ordo_comparison_options){
            .seconds = options->seconds, .cpus = options->cpus, .progress = on_comparison, .context = &progress},
        comparison, error);
    progress_end(&progress);
    return code;
}

int cli_clocks_run(const char *program, const struct cli_clocks_options *options, struct cli_clocks_ranks ranks)
{
    struct ordo_comparison *comparison = NULL;
    struct ordo_error error = {0};
    if (options->svg && ordo_file_prepare_output(options->svg, &error))
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (options->phc && ordo_clock_phc_open(options->phc, &error))
        return cli_failf(EXIT_UNKNOWN, program, "--phc %s", error.text);
    if (options->aux && ordo_clock_aux_choose(options->aux[0] - '0', &error))
        return cli_failf(EXIT_UNKNOWN, program, "--aux %s", error.text);
    int code = compare_clocks(options, &comparison, &error);
    if (code)
        return cli_fail(exit_code_of(code), program, error.text);
    if (options->svg && (code = save_svg(options->svg, comparison, &error)))
        code = cli_fail(code == ORDO_E_MISSING ? EXIT_UNKNOWN : EXIT_INTERNAL, program, error.text);
    else
        code = print_comparison(program, options, comparison, ranks);
    ordo_comparison_free(comparison);
    return code;
}

int cli_clocks(int argc, char **argv)
{
    struct cli_clocks_options options = {0};
    cli_read(&cli_clocks_table, argc, argv, &options);
    return cli_clocks_run(argv[0], &options, (struct cli_clocks_ranks){0});
}
