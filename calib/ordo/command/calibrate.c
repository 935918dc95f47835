/* ordo calibrate: measures every pair of CPUs and publishes ORDO_BOUNDARY. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/record.h>

#include "base/file.h"
#include "calibrate/record/publish.h"
#include "calibrate/record/refute.h"
#include "common/calibrate.h"
#include "common/report.h"
#include "ordo/kernel.h"
#include "ordo/publish.h"

enum { FILES_MOST = 16 };

struct options {
    struct ordo_calibrate_options session;
    bool quiet, list;
    const char *record;
    const struct ordo_report *print; /* the report for stdout; NULL: the report "text", and the paths of the record */
    struct {
        const struct ordo_report *report;
        const char *path;
    } files[FILES_MOST];
    int file_count;
    bool dry_run;
    bool users_own; /* publish at the path of the user's own record */
};

enum {
    RUNS = 1,
    REPEAT,
    SETTLE,
    PARALLEL,
    MARGIN,
    CPUS,
    OUTPUT,
    DRY_RUN,
    JSON,
    CSV,
    SVG,
    HEADER,
    FORCE,
    VALID_FOR,
    REPORT,
    LIST
};

static const struct argp_option argp_options[] = {
    {"cpus", CPUS, "LIST", 0,
     "Measure only these CPUs, such as 0-3,8 (default: all online CPUs that the cgroup allows; the affinity does not "
     "matter)",
     1},
    {"runs", RUNS, "N", 0, "Runs per direction of a pair, divided among the sweeps (default 100000)", 1},
    {"repeat", REPEAT, "N", 0,
     "Number of sweeps over all pairs, a second apart; the largest boundary counts; at least 2, because one sweep "
     "cannot show a drift (default 3)",
     1},
    {"settle", SETTLE, "N", 0,
     "Stop measuring a direction of a pair when its minimum has not moved for N runs (default 0: never)", 1},
    {"parallel", PARALLEL, NULL, 0,
     "Measure disjoint pairs at the same time: faster on many CPUs, and the boundary can only be larger", 1},
    {"margin", MARGIN, "TICKS", 0, "Add this many ticks to the boundary, or nanoseconds, as in 20ns (default 0)", 1},
    {"force", FORCE, NULL, 0,
     "Publish even if the clock is faulted or incapable, or the boundary is implausible; the record is then marked as "
     "forced",
     1},
    {"output", OUTPUT, "FILE", 0,
     "Publish the record as FILE, and the result as JSON as FILE.json (default: $ORDO_RECORD, else " ORDO_RECORD_PATH
     " for root, else $XDG_RUNTIME_DIR" ORDO_RECORD_USER_PATH ")",
     2},
    {"valid-for", VALID_FOR, "DAYS", 0,
     "Days for which programs may open the record (default 365, or 7 if the kernel does not list the clock)", 2},
    {"dry-run", DRY_RUN, NULL, 0, "Measure and print, but publish nothing", 2},
    {"json", JSON, NULL, 0, "Print the whole result as JSON (schema ordo-calibration/1)", 3},
    {"csv", CSV, NULL, 0, "Print one line per ordered pair as CSV", 3},
    {"svg", SVG, "FILE", 0, "Write the differences of all pairs to FILE as a heat map", 3},
    {"emit-header", HEADER, "FILE", 0, "Write a C header to FILE that defines ORDO_BOUNDARY in ticks", 3},
    {"report", REPORT, "NAME[=FILE]", 0, "Print the report NAME, one of --list, or write it to FILE", 3},
    {"list", LIST, NULL, 0, "List the reports, and exit", 3},
    {"quiet", 'q', NULL, 0, "Show no progress bar, and only the last line of the result", 3},
    {0},
};

/* Reads a margin: in ticks, or in nanoseconds if "ns" follows. */
static void parse_margin(const struct argp_state *state, struct ordo_calibrate_options *session, char *text)
{
    size_t length = strlen(text);
    bool in_ns = length > 2 && strcmp(text + length - 2, "ns") == 0;
    if (in_ns)
        text[length - 2] = '\0';
    session->margin_ticks = in_ns ? 0 : cli_number(state, "--margin", text, 0, UINT64_C(1) << 60);
    session->margin_ns = in_ns ? cli_number(state, "--margin", text, 0, UINT64_C(1) << 40) : 0;
}

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(CPUS, "--cpus", struct options, session.cpus),
    CLI_STORE(RUNS, "--runs", struct options, session.runs, 1, 1e9),
    CLI_STORE(REPEAT, "--repeat", struct options, session.sweeps, 1, 1000),
    CLI_STORE(SETTLE, "--settle", struct options, session.settle, 0, 1e9),
    CLI_FLAG_STORE(PARALLEL, "--parallel", struct options, session.parallel),
    CLI_FLAG_STORE(FORCE, "--force", struct options, session.force),
    CLI_STORE(VALID_FOR, "--valid-for", struct options, session.valid_days, 1, 36500),
    CLI_TEXT_STORE(OUTPUT, "--output", struct options, record),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_FLAG_STORE(DRY_RUN, "--dry-run", struct options, dry_run),
    CLI_FLAG_STORE('q', "--quiet", struct options, quiet),
    {0},
};

/* Notes a report to be written to the file `path`, or to stdout if `path` is NULL. */
static void take_report(struct options *options, const struct ordo_report *report, const char *path,
                        const struct argp_state *state)
{
    if (path && options->file_count == FILES_MOST)
        cli_wrong(state, "--report: more than %d files: leave some out", FILES_MOST);
    if (!path && options->print)
        cli_wrong(state, "--json, --csv and --report: only one of them can go to stdout: leave the others out");
    if (!path) {
        options->print = report;
        return;
    }
    options->files[options->file_count].report = report;
    options->files[options->file_count++].path = path;
}

/* Reads NAME, or NAME=FILE. */
static void parse_report(struct options *options, char *text, const struct argp_state *state)
{
    char names[400] = "", *path = strchr(text, '=');
    if (path)
        *path++ = '\0';
    const struct ordo_report *report = ordo_report_find(text);
    for (const struct ordo_report *const *at = ordo_reports; !report && *at; at++)
        cli_add_name(names, sizeof names, (*at)->name);
    if (!report)
        cli_wrong(state, "--report %.40s: not one of %s", text, names);
    if (path && !*path)
        cli_wrong(state, "--report %.40s=: no file: name one after the '='", text);
    take_report(options, report, path, state);
}

static error_t parse_calibrate(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    struct ordo_calibrate_options *session = &options->session;
    switch (key) {
    case MARGIN:
        parse_margin(state, session, argument);
        return 0;
    case JSON:
    case CSV:
        take_report(options, ordo_report_find(key == JSON ? "json" : "csv"), NULL, state);
        return 0;
    case SVG:
    case HEADER:
        take_report(options, ordo_report_find(key == SVG ? "svg" : "header"), argument, state);
        return 0;
    case REPORT:
        parse_report(options, argument, state);
        return 0;
    case ARGP_KEY_END:
        session->sweeps = session->sweeps == 1 ? 2 : session->sweeps;
        if (session->runs < (uint64_t)(session->sweeps ? session->sweeps : 2))
            cli_wrong(state, "--runs: fewer runs than the %d sweeps among which they are divided",
                      session->sweeps ? session->sweeps : 2);
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

/* Checks that the files can be written. This comes before the measurement, because a failure afterwards would lose the
 * measurement. */
static int prepare_files(struct options *options, char *record_path, char *json_path, struct ordo_error *error)
{
    for (int i = 0; i < options->file_count; i++)
        if (ordo_file_prepare_output(options->files[i].path, error))
            return error->code;
    if (options->dry_run)
        return ORDO_OK;
    if (!options->record) {
        if (ordo_record_default_path(record_path, PATH_MAX, error))
            return error->code;
        options->record = record_path;
        const char *named = getenv("ORDO_RECORD");
        options->users_own = geteuid() != 0 && !(named && *named);
    }
    if (snprintf(json_path, PATH_MAX, "%s.json", options->record) >= PATH_MAX)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--output: the path is too long");
    if (ordo_file_prepare(options->record, true, error))
        return error->code;
    return ordo_file_prepare(json_path, false, error);
}

/* Called if a file cannot be written: publishes nothing, but still compares the measurement with the present record,
 * and marks the record if it is refuted. */
static int give_up_calibration(const struct options *options, struct ordo_calibration *result, struct ordo_error *error)
{
    if (!options->dry_run)
        ordo_record_judge(options->record, result);
    if (result->refuted.proved)
        ordo_refutation_append(error, result->refuted.marked);
    return EXIT_INTERNAL;
}

/* Writes the requested reports first and the record last. After the record is published, only the output to stdout can
 * fail. */
static int save_files(const struct options *options, struct ordo_calibration *result, struct ordo_error *error)
{
    for (int i = 0; i < options->file_count; i++)
        if (cli_save_report(options->files[i].path, result, options->files[i].report->name, error))
            return give_up_calibration(options, result, error);
    return options->dry_run ? EXIT_OK : publish_result(options->record, result, error);
}

/* After a failed calibration, reports why the kernel's clock has no record, or that programs can use this clock. */
static void tell_of_kernel_clock(const char *program, const struct kernel_clock *kernel)
{
    if (!kernel->measured && kernel->reason[0])
        fprintf(stderr, "%s: warning: the kernel's clock has no record: %s\n", program, kernel->reason);
    else if (kernel->path[0])
        fprintf(stderr,
                "%s: the kernel's clock can order events instead: ORDO_BOUNDARY %llu ns, published in %s for "
                "<ordo/any.h>\n",
                program, (unsigned long long)kernel->boundary_ns, cli_show(kernel->path));
}

static void print_kernel_clock(const struct kernel_clock *kernel)
{
    if (!kernel->measured)
        return;
    printf("the kernel's clock: ORDO_BOUNDARY %llu ns", (unsigned long long)kernel->boundary_ns);
    if (kernel->path[0])
        printf(", published in %s (generation %llu)", cli_show(kernel->path), (unsigned long long)kernel->generation);
    printf("\n");
}

static int print_result(const char *program, const struct options *options, const struct ordo_calibration *result,
                        const struct kernel_clock *kernel)
{
    if (!kernel->measured)
        tell_of_kernel_clock(program, kernel);
    for (int i = 0; i < result->warning_count; i++)
        fprintf(stderr, "%s: warning: %s\n", program, cli_show(result->warnings[i]));
    if (options->users_own)
        fprintf(stderr, "%s: not root: published in %s, for this user's programs only%s\n", program,
                cli_show(options->record),
                ordo_record_exists(ORDO_RECORD_PATH, "") ? "; they pass over " ORDO_RECORD_PATH : "");
    if (options->print)
        return cli_print_report(program, result, options->print->name);
    if (options->quiet)
        printf("ORDO_BOUNDARY %llu ticks (%.1f ns)\n", (unsigned long long)result->boundary_ticks,
               ordo_calibration_ns(result, (int64_t)result->boundary_ticks));
    else if (cli_print_report(program, result, "text") != EXIT_OK)
        return EXIT_INTERNAL;
    if (!options->dry_run && !options->quiet)
        printf("published in %s (generation %llu), as JSON in %s.json\n", cli_show(options->record),
               (unsigned long long)result->generation, cli_show(options->record));
    if (!options->quiet)
        print_kernel_clock(kernel);
    return cli_close_stdout(program);
}

static int list_reports(const char *program)
{
    for (const struct ordo_report *const *at = ordo_reports; *at; at++)
        printf("%-8s %s\n", (*at)->name, (*at)->title);
    return cli_close_stdout(program);
}

static int run_calibrate(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_calibrate,
        NULL,
        "Measures how far apart the clocks of every pair of CPUs can be, and publishes the largest distance as "
        "ORDO_BOUNDARY. Measures the kernel's clock in the same way, and publishes its boundary in a second record, "
        "for programs that can use either clock.\vExit status: 0 published; 1 the counter cannot order events, or is "
        "faulted or incapable: only the record of the kernel's clock was written; 2 the clocks could not be measured, "
        "the result was implausible, or this process may not use a CPU of the old record; 64 usage; 70 a file could "
        "not be written.",
        NULL,
        NULL,
        NULL};
    struct options options = {.session = {.runs = 100000}};
    char record_path[PATH_MAX], json_path[PATH_MAX];
    struct ordo_calibration *result = NULL;
    struct ordo_error error = {0};
    struct kernel_clock kernel = {.measured = false};
    cli_parse(&argp, argc, argv, &options);
    if (options.list)
        return list_reports(argv[0]);
    if (prepare_files(&options, record_path, json_path, &error))
        return cli_fail(error.code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL, argv[0], error.text);
    options.session.replaces = options.dry_run ? NULL : options.record;
    int exit_code = cli_calibrate(&options.session, options.quiet, &result, &error);
    if (!exit_code)
        exit_code = save_files(&options, result, &error);
    if (exit_code == EXIT_OK || exit_code == EXIT_FAILS)
        kernel_clock_renew(&options.session, options.dry_run ? NULL : options.record, options.quiet, &kernel);
    if (exit_code) {
        (void)cli_fail(exit_code, argv[0], error.text);
        tell_of_kernel_clock(argv[0], &kernel);
    } else if ((exit_code = print_result(argv[0], &options, result, &kernel)) && !options.dry_run)
        fprintf(stderr, "%s: the record was published nevertheless, in %s (generation %llu)\n", argv[0],
                cli_show(options.record), (unsigned long long)result->generation);
    ordo_calibration_free(result);
    return exit_code;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .title = "measure every pair of CPUs and publish ORDO_BOUNDARY",
    .schema = "ordo-calibration/1",
    .run = run_calibrate,
};
