/* ordo report: writes the measurements of this machine to one anonymous file; validates such files; compares two of
 * them. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ordo/record.h>

#include "base/file.h"
#include "calibrate/collection/compare.h"
#include "calibrate/collection/machine.h"
#include "calibrate/collection/make.h"
#include "calibrate/collection/read.h"
#include "calibrate/collection/write.h"
#include "common/command.h"
#include "common/options.h"
#include "common/place.h"
#include "machine/clock/source.h"
#include "machine/comparison/cost.h"
#include "machine/topology/topology.h"

struct options {
    const char *output, *path;
    bool validate, compare, json;
    char **files;
    int count;
};

enum { OUTPUT = 1, PATH, VALIDATE, COMPARE, JSON };

static const struct argp_option argp_options[] = {
    {"output", OUTPUT, "FILE", 0,
     "Write the report to FILE, replacing it (a link is followed); - is standard output (the default)", 0},
    {"path", PATH, "RECORD", 0, "Report this record; the default is the record that ordo_open would open", 0},
    {"validate", VALIDATE, NULL, 0, "Check that each FILE is a report, is anonymous and does not contradict itself", 0},
    {"compare", COMPARE, NULL, 0, "Compare two reports, A and B, in nanoseconds", 0},
    {"json", JSON, NULL, 0, "With --compare: print JSON (schema ordo-report-comparison/1)", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(OUTPUT, "--output", struct options, output),
    CLI_TEXT_STORE(PATH, "--path", struct options, path),
    CLI_FLAG_STORE(VALIDATE, "--validate", struct options, validate),
    CLI_FLAG_STORE(COMPARE, "--compare", struct options, compare),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

static void check_report_options(const struct options *options, const struct argp_state *state)
{
    if (options->validate && options->compare)
        cli_wrong(state, "--validate and --compare: give one of them, not both");
    if (options->output && !*options->output)
        cli_wrong(state, "--output '': names no file");
    if (options->path && !*options->path)
        cli_wrong(state, "--path '': names no record");
    if ((options->validate || options->compare) && (options->output || options->path))
        cli_wrong(state, "--output and --path: only for writing a report: leave them out");
    if (options->json && !options->compare)
        cli_wrong(state, "--json: only with --compare; a report is JSON without it");
    if (options->validate && options->count < 1)
        cli_wrong(state, "--validate: give it the FILE of a report");
    if (options->compare && options->count != 2)
        cli_wrong(state, "--compare: give it two files, A and B, not %d", options->count);
    if (!options->validate && !options->compare && options->count)
        cli_wrong(state, "'%s': FILE is only for --validate and --compare; to write a report there, give --output",
                  options->files[0]);
}

static error_t parse_report_command(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_ARGS:
        options->files = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_report_options(options, state);
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

/* ---- writing a report ---- */

static double cost_of(const char *name, double tick_hz)
{
    const struct ordo_clock_source *source = ordo_clock_source_find(name);
    return source && ordo_clock_source_call(source) ? ordo_clock_cost_measure(source, tick_hz).median_ns : -1;
}

/* Returns the time of the record's measurement. The record must be of the present boot, as every valid record is. */
static time_t measured_at(const struct ordo_record *head)
{
    int64_t uptime_ns = ordo_record_uptime_ns(), age_ns = uptime_ns - (int64_t)head->as_of_ns;
    return time(NULL) - (time_t)(uptime_ns >= 0 && age_ns > 0 ? age_ns / 1000000000 : 0);
}

static int make_report(const struct ordo_record_view *record, struct ordo_collection_report **report,
                       struct ordo_error *error)
{
    struct ordo_collection_machine machine;
    struct ordo_topology *topology;
    int code = ordo_topology_open(&topology, NULL, error);
    if (code)
        return code;
    ordo_collection_machine_read(&machine, NULL);
    machine.counter_ns = cost_of(ORDO_CLOCK_NAME, (double)record->head.tick_hz);
    machine.kernel_clock_ns = cost_of("monotonic", (double)record->head.tick_hz);
    struct ordo_collection_source source = {record, topology, &machine, measured_at(&record->head)};
    code = ordo_collection_make(&source, report, error);
    ordo_topology_close(topology);
    return code;
}

/* Makes the text of a report, and validates it. */
static int make_text(const struct ordo_record_view *record, char **text, size_t *bytes, struct ordo_error *error)
{
    struct ordo_collection_report *report = NULL, *again = NULL;
    int code = make_report(record, &report, error);
    if (!code)
        code = ordo_collection_fit(report, text, bytes, error);
    if (!code)
        code = ordo_collection_parse(*text, *bytes, "report", &again, error);
    ordo_collection_free(again);
    ordo_collection_free(report);
    return code;
}

static int write_output(const char *program, const char *output, const char *text, size_t bytes)
{
    struct ordo_error error;
    if (output)
        return ordo_file_replace(output, text, bytes, 0644, &error) ? cli_fail(EXIT_INTERNAL, program, error.text)
                                                                    : EXIT_OK;
    (void)fwrite(text, 1, bytes, stdout);
    return cli_close_stdout(program);
}

/* True if both names refer to the same file, or would if it existed. */
static bool same_file(const char *a, const char *b)
{
    char place[2][PATH_MAX], *slash;
    struct stat info[2];
    if (stat(a, &info[0]) == 0 && stat(b, &info[1]) == 0)
        return info[0].st_dev == info[1].st_dev && info[0].st_ino == info[1].st_ino;
    for (int i = 0; i < 2; i++) {
        const char *path = i ? b : a, *name = strrchr(path, '/');
        char folder[PATH_MAX];
        (void)snprintf(folder, sizeof folder, "%.*s", name ? (int)(name - path) + 1 : 1, name ? path : ".");
        if (!realpath(folder, place[i]) || strlen(place[i]) + strlen(name ? name : path) + 2 > PATH_MAX)
            return false;
        slash = place[i] + strlen(place[i]);
        (void)snprintf(slash, (size_t)(place[i] + PATH_MAX - slash), "/%s", name ? name + 1 : path);
    }
    return strcmp(place[0], place[1]) == 0;
}

/* True if the file is a record, of any machine or clock. */
static bool is_record(const char *path)
{
    char magic[sizeof ORDO_RECORD_MAGIC - 1];
    struct stat info;
    int fd =
        stat(path, &info) == 0 && S_ISREG(info.st_mode) ? open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;
    bool found = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
                 memcmp(magic, ORDO_RECORD_MAGIC, sizeof magic) == 0;
    if (fd >= 0)
        (void)close(fd);
    return found;
}

/* True if `output` would overwrite the record, or a file that a calibration writes next to the record. */
static bool spoils_record(const char *output, const char *record)
{
    static const char *const endings[] = {"", ".json", ORDO_RECORD_MONOTONIC, ORDO_RECORD_MONOTONIC ".json"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (snprintf(path, sizeof path, "%s%s", record, endings[i]) < (int)sizeof path && same_file(output, path))
            return true;
    return is_record(output);
}

static int run_make(const char *program, const struct options *options)
{
    struct ordo_record_view view;
    struct ordo_error error = {0};
    const void *mapped;
    size_t count, bytes;
    char buffer[4096], *text = NULL;
    const char *path = cli_find_record(program, options->path, false, buffer, sizeof buffer);
    const char *output = options->output && strcmp(options->output, "-") != 0 ? options->output : NULL;
    char shown[120];
    ordo_json_show(output ? output : "", shown, sizeof shown);
    if (output && spoils_record(output, path))
        return cli_failf(EXIT_USAGE, program, "--output %s: is a record, or belongs to one: name another file", shown);
    int code = output ? ordo_file_prepare_output(output, &error) : ORDO_OK;
    if (code)
        return cli_fail(EXIT_INTERNAL, program, error.text);
    if (ordo_record_map(path, &mapped, &count, &error))
        return cli_failf(EXIT_UNKNOWN, program, "%s%s", error.text, ordo_file_remedy(error.sys_errno));
    code = ordo_record_parse(mapped, count, &view);
    if (code)
        (void)ordo_record_refuse(&error, code, 0, path);
    else
        code = ordo_record_holds(&view, &error);
    if (!code)
        code = make_text(&view, &text, &bytes, &error);
    (void)munmap((void *)(uintptr_t)mapped, count);
    int exit_code = code ? cli_fail(EXIT_UNKNOWN, program, error.text) : write_output(program, output, text, bytes);
    free(text);
    return exit_code;
}

/* ---- reading reports ---- */

/* Loads a report.
 * EXIT_OK: loaded. EXIT_FAILS: the file is not a report. EXIT_UNKNOWN: the file cannot be read. */
static int load_file(const char *path, struct ordo_collection_report **report, struct ordo_error *error)
{
    int code = ordo_collection_load(path, report, error);
    return code == ORDO_E_MALFORMED ? EXIT_FAILS : code ? EXIT_UNKNOWN : EXIT_OK;
}

/* Validates all files. Returns the worst result; an unreadable file does not hide an invalid one. */
static int run_validate(const char *program, const struct options *options)
{
    int worst = EXIT_OK;
    for (int i = 0; i < options->count; i++) {
        struct ordo_collection_report *report;
        struct ordo_error error;
        char shown[200];
        int code = load_file(options->files[i], &report, &error);
        ordo_json_show(options->files[i], shown, sizeof shown);
        if (code)
            cli_warn(program, error.text);
        else
            printf("%s: valid: %d CPU%s, %s\n", shown, report->count, report->count == 1 ? "" : "s", report->trust);
        if (code == EXIT_FAILS || worst == EXIT_OK)
            worst = code;
        ordo_collection_free(report);
    }
    int exit_code = cli_close_stdout(program);
    return exit_code ? exit_code : worst;
}

static int run_compare(const char *program, const struct options *options)
{
    struct ordo_collection_report *a = NULL, *b = NULL;
    struct ordo_compared_reports comparison;
    struct ordo_error error;
    int failed = 0, code = load_file(options->files[0], &a, &error);
    if (!code)
        code = load_file(options->files[1], &b, &error);
    if (code) {
        ordo_collection_free(a);
        return cli_fail(code, program, error.text);
    }
    ordo_collection_compare(a, b, &comparison);
    if (options->json)
        failed = ordo_collection_write_json(&comparison, a, b, stdout);
    else
        ordo_collection_write_table(&comparison, a, b, stdout);
    ordo_collection_free(a);
    ordo_collection_free(b);
    return failed ? cli_fail_output(program) : cli_close_stdout(program);
}

static int run_report(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_report_command,
        "\n--validate FILE...\n--compare A B",
        "Writes a report: the measurements of this machine as one anonymous JSON file of less than 100000 bytes "
        "(schema ordo-report/1). With --validate, checks reports; with --compare, compares two reports.\vExit status: "
        "0 the report was written, every FILE is valid, or A and B were compared; 1 a FILE is not valid (the reason is "
        "printed); 2 a FILE or the record cannot be read, or the record is refused; 64 usage, or the output is a "
        "record; 70 the output failed.",
        NULL,
        NULL,
        NULL};
    struct options options = {0};
    cli_parse(&argp, argc, argv, &options);
    return options.validate  ? run_validate(argv[0], &options)
           : options.compare ? run_compare(argv[0], &options)
                             : run_make(argv[0], &options);
}

const struct command command_report = {
    .name = "report",
    .title = "write, check and compare anonymous reports of machines",
    .schema = "ordo-report-comparison/1",
    .run = run_report,
};
