#include "lab/cores/lines/lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/call.h"
#include "common/options.h"
#include "lab/cores/lines/defaults.h"
#include "lab/cores/lines/report.h"
#include "lab/cores/lines/start.h"
#include "lab/cores/missing.h"

enum { JSON = 1, PROGRAM, CPUS, SEED, MOST_ARGUMENTS = 200 };

struct options {
    struct cli_call call; /* its subject is the machine */
    const char *program, *cpus, *seed;
    bool json;
};

/* The output of the simulated program. */
struct files {
    struct cores_temporary lines, result, complaint;
};

static const char name[] = "ordo-lab cores lines";

static const struct argp_option argp_options[] = {
    {"machine-cpus", CPUS, "N", 0, "Enlarge or reduce the machine to N CPUs", 1},
    {"seed", SEED, "N", 0, "Seed of the simulation (default 1)", 1},
    {"program", PROGRAM, "FILE", 0, "Program with the hooks (default: ordo-bench-cores, beside ordo-lab)", 1},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-cores-lines/1)", 2},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(CPUS, "--machine-cpus", struct options, cpus),
    CLI_TEXT_STORE(SEED, "--seed", struct options, seed),
    CLI_TEXT_STORE(PROGRAM, "--program", struct options, program),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

static error_t parse_lines(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (cli_take_call(&options->call, key, argument, state))
        return 0;
    if (key == ARGP_KEY_END && !options->call.rest)
        cli_wrong(state, "name a machine and a command: ordo-lab cores lines here -- rlu --threads 2");
    if (key == ARGP_KEY_END && options->call.rest_count > MOST_ARGUMENTS / 2)
        cli_wrong(state, "more than %d words behind '--'", MOST_ARGUMENTS / 2);
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {argp_options,
                                 parse_lines,
                                 "MACHINE -- COMMAND [OPTION...]",
                                 "Names the ten cache lines that cost a command of ordo-bench most on a simulated "
                                 "machine: how long its CPUs waited for "
                                 "each, who uses which of its bytes, and the source lines that wait. Name one "
                                 "algorithm, one stamp and one number of "
                                 "threads, because the report is about all that the command measures.\vExit status: 0 "
                                 "measured; 1 an audit failed; 2 "
                                 "nothing was measured; 64 usage; 70 internal.",
                                 NULL,
                                 NULL,
                                 NULL};

static int files_open(struct files *files, struct ordo_error *error)
{
    int code = cores_temporary_open(&files->lines, error);
    if (!code)
        code = cores_temporary_open(&files->result, error);
    return code ? code : cores_temporary_open(&files->complaint, error);
}

static void files_close(struct files *files)
{
    cores_temporary_close(&files->lines);
    cores_temporary_close(&files->result);
    cores_temporary_close(&files->complaint);
}

static int program_run(const struct options *options, const struct files *files, struct ordo_error *error)
{
    const char *arguments[MOST_ARGUMENTS] = {options->program, "--lines", files->lines.path};
    struct cores_defaults defaults;
    int count = 3;
    if (options->cpus) {
        arguments[count++] = "--machine-cpus";
        arguments[count++] = options->cpus;
    }
    if (options->seed) {
        arguments[count++] = "--seed";
        arguments[count++] = options->seed;
    }
    arguments[count++] = options->call.subject;
    arguments[count++] = "--";
    arguments[count++] = options->call.rest[0];
    cores_defaults_find(&defaults, &options->call, NULL);
    for (int i = 0; i < defaults.count; i++)
        arguments[count++] = defaults.options[i];
    for (int i = 1; i < options->call.rest_count; i++)
        arguments[count++] = options->call.rest[i];
    arguments[count++] = "--json";
    const struct cores_streams streams = {NULL, files->result.path, files->complaint.path, true};
    return cores_start((char *const *)arguments, &streams, error);
}

/* Copies the first line of the program's errors, without its name. */
static void complaint_read(const struct files *files, int code, struct ordo_error *error)
{
    char text[400] = "";
    FILE *file = fopen(files->complaint.path, "re");
    if (file && fgets(text, sizeof text, file))
        text[strcspn(text, "\n")] = '\0';
    if (file)
        (void)fclose(file);
    const char *colon = strncmp(text, "ordo-", 5) == 0 ? strstr(text, ": ") : NULL;
    if (*text)
        (void)ordo_error_set(error, ORDO_E_INVALID, 0, "%s", colon ? colon + 2 : text);
    else
        (void)ordo_error_set(error, ORDO_E_INVALID, 0, "the simulated program ended with %d", code);
}

static int report_print(struct cores_lines_report *report, const struct options *options, struct ordo_error *error)
{
    size_t count;
    report->ops = cores_lines_ops(report);
    if (report->ops <= 0)
        return cli_fail(EXIT_UNKNOWN, name, "no operation was measured: give longer --seconds");
    uint64_t *pcs = cores_lines_pcs(report, &count);
    if (!pcs)
        return cli_fail(EXIT_INTERNAL, name, "out of memory");
    if (cores_sources_open(&report->sources, options->program, pcs, count, error))
        cli_warn(name, error->text);
    free(pcs);
    int failed = 0;
    if (options->json)
        failed = cores_lines_print_json(report);
    else
        cores_lines_print(report);
    cores_sources_close(&report->sources);
    cli_json(NULL);
    return failed ? cli_fail_output(name) : cli_close_stdout(name);
}

/* Runs the program and reports. Returns an exit code. */
static int lines_run(const struct options *options, const struct files *files)
{
    struct ordo_error error = {0};
    struct cores_lines_report report = {0};
    struct ordo_json_value *lines = NULL, *bench = NULL;
    int ended = program_run(options, files, &error);
    if (ended < 0)
        return cli_fail(EXIT_INTERNAL, name, error.text);
    if (ended != EXIT_OK && ended != EXIT_FAILS) {
        complaint_read(files, ended, &error);
        return cli_fail(ended, name, error.text);
    }
    int code = ordo_json_load(files->lines.path, "report this", &lines, &error);
    if (!code)
        code = ordo_json_load(files->result.path, "report this", &bench, &error);
    report.lines = lines;
    report.bench = bench;
    int result = code ? cli_fail(EXIT_INTERNAL, name, error.text) : report_print(&report, options, &error);
    ordo_json_free(lines);
    ordo_json_free(bench);
    return result == EXIT_OK ? ended : result;
}

int cores_command_lines(int argc, char **argv)
{
    char program[PATH_MAX];
    struct options options = {0};
    struct files files = {{-1, ""}, {-1, ""}, {-1, ""}};
    struct ordo_error error = {0};
    argv[0] = (char *)name;
    cli_parse(&argp, argc, argv, &options);
    if (options.json)
        cli_json("ordo-cores-lines/1");
    if (!options.program && !cli_beside(CORES_PROGRAM, program, sizeof program))
        return cli_fail(EXIT_UNKNOWN, name, CORES_MISSING);
    options.program = options.program ? options.program : program;
    int result = files_open(&files, &error) ? cli_fail(EXIT_INTERNAL, name, error.text) : lines_run(&options, &files);
    files_close(&files);
    return result;
}
