/* ordo-lab cores: runs a command of ordo-bench on a simulated machine of many CPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/call.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/cores/calibrate/calibrate.h"
#include "lab/cores/lines/defaults.h"
#include "lab/cores/lines/lines.h"
#include "lab/cores/machine/machine.h"
#include "lab/cores/predictions/predictions.h"
#include "lab/ordo-lab/cores.h"
#include "json/builder.h"

enum { MACHINE_CPUS = 1, SEED, SKEW, RATE, STALL, STALL_EACH, QUANTUM, LIST, JSON };
enum { ADDED = 32, OPTION_TEXT = 64 };

/* The words of the command line that are passed on to the program as they are. */
struct options {
    struct cli_call call; /* its subject is the machine */
    const char *cpus, *seed, *skew, *rate, *stall, *stall_each, *quantum;
    bool list, json;
};

static const struct argp_option argp_options[] = {
    {"machine-cpus", MACHINE_CPUS, "N", 0, "Enlarge or reduce the machine to N CPUs (default: its own number)", 1},
    {"seed", SEED, "N", 0, "Seed of skews and stalls (default 1)", 1},
    {"skew", SKEW, "TICKS", 0, "The clocks of two CPUs differ by at most TICKS (default 0)", 2},
    {"rate-ppb", RATE, "PPB", 0, "The rates of two clocks differ by at most PPB (default 0)", 2},
    {"stall-ns", STALL, "NS", 0, "CPUs lose NS at random moments (mean; default 0)", 2},
    {"stall-each-ns", STALL_EACH, "NS", 0, "Mean time between two stalls of a CPU (default 0: none)", 2},
    {"quantum-us", QUANTUM, "US", 0, "Time after which a thread makes way for another one of its CPU (default 3000)",
     2},
    {"list", LIST, NULL, 0, "List the machines, and exit", 3},
    {"json", JSON, NULL, 0, "With --list: print JSON (schema ordo-lab-cores/1)", 3},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(MACHINE_CPUS, "--machine-cpus", struct options, cpus),
    CLI_TEXT_STORE(SEED, "--seed", struct options, seed),
    CLI_TEXT_STORE(SKEW, "--skew", struct options, skew),
    CLI_TEXT_STORE(RATE, "--rate-ppb", struct options, rate),
    CLI_TEXT_STORE(STALL, "--stall-ns", struct options, stall),
    CLI_TEXT_STORE(STALL_EACH, "--stall-each-ns", struct options, stall_each),
    CLI_TEXT_STORE(QUANTUM, "--quantum-us", struct options, quantum),
    CLI_FLAG_STORE(LIST, "--list", struct options, list),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

/* The words that are no machine. */
static const struct cores_word {
    const char *name;
    cores_word_run *run;
} words[] = {
    {"calibrate", cores_command_calibrate},
    {"lines", cores_command_lines},
    {"predict", cores_command_predict},
    {0},
};

static error_t parse_cores(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (cli_take_call(&options->call, key, argument, state))
        return 0;
    if (key == ARGP_KEY_END && !options->list && !options->call.subject)
        cli_wrong(state, "name a machine and a command, as in: ordo-lab cores epyc-512 -- rlu; --list lists machines");
    if (key == ARGP_KEY_END && !options->list && !options->call.rest)
        cli_wrong(state, "%.60s: give a command of ordo-bench behind --, as in: -- rlu", options->call.subject);
    if (key == ARGP_KEY_END && options->json && !options->list)
        cli_wrong(state, "--json without --list: give it to the command, behind --");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_cores,
    "MACHINE -- COMMAND [OPTION...]",
    "Runs a command of ordo-bench (clock, contention, merge, oplog, rlu, stm, txn) on a simulated machine of many "
    "CPUs, "
    "in virtual time: the unmodified code, on published latencies of the machine.\vMACHINE is a name of --list, or the "
    "path of a JSON file. Defaults of the command: --runs 3 for the low, likely and high values of the machine's "
    "ranges, "
    "--seconds 0.0005 of virtual time, --boundary of 300 ticks more than --skew, --baseline none (rlu, stm) and "
    "--producers 0 (merge). The same options "
    "and seed give the same result. Exit status: as of the command; 2 if this build has no simulated machines; 64 "
    "usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int list_machine(struct ordo_json *machines, bool is_json, const char *name, struct ordo_error *error)
{
    struct cores_machine *machine = NULL;
    int code = cores_machine_open(&machine, name, 0, error);
    if (code)
        return code;
    struct ordo_json row = ordo_json_object();
    ordo_json_put_text(&row, "name", name);
    ordo_json_put_int(&row, "cpus", machine->cpus);
    ordo_json_put_text(&row, "title", machine->title);
    if (!is_json)
        printf("%-18s %5d CPUs  %s\n", name, machine->cpus, machine->title);
    ordo_json_add(machines, row);
    cores_machine_close(machine);
    return ORDO_OK;
}

static int list_machines(bool is_json, const char *program)
{
    struct ordo_error error = {0};
    struct ordo_json document = ordo_json_document("ordo-lab-cores/1"), machines = ordo_json_array();
    const char *name;
    int code = ORDO_OK;
    for (size_t i = 0; !code && (name = cores_machine_name(i)); i++)
        code = list_machine(&machines, is_json, name, &error);
    ordo_json_put(&document, "machines", machines);
    if (code || !is_json)
        ordo_json_drop(&document);
    else if (ordo_json_write(&document, stdout))
        return cli_fail_output(program);
    return code ? cli_fail(EXIT_INTERNAL, program, error.text) : cli_close_stdout(program);
}

/* A command line under construction. */
struct line {
    char **words;
    int count;
    char texts[ADDED][OPTION_TEXT]; /* of the added options */
    int added;
};

/* Adds "--name=value". */
static void add_option(struct line *line, const char *name, const char *value)
{
    char *text = line->texts[line->added++];
    (void)snprintf(text, OPTION_TEXT, "%s=%s", name, value);
    line->words[line->count++] = text;
}

static void add_given(struct line *line, const char *name, const char *value)
{
    if (value)
        add_option(line, name, value);
}

/* Starts the program with the machine's options, the command, its defaults, and the options of the user. */
static int start_bench(const struct options *options, char *program)
{
    struct line line = {.words = calloc((size_t)options->call.rest_count + ADDED, sizeof *line.words)};
    struct cores_defaults defaults;
    static char end[] = "--";
    if (!line.words)
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    line.words[line.count++] = program;
    add_given(&line, "--machine-cpus", options->cpus);
    add_given(&line, "--seed", options->seed);
    add_given(&line, "--skew", options->skew);
    add_given(&line, "--rate-ppb", options->rate);
    add_given(&line, "--stall-ns", options->stall);
    add_given(&line, "--stall-each-ns", options->stall_each);
    add_given(&line, "--quantum-us", options->quantum);
    line.words[line.count++] = (char *)options->call.subject;
    line.words[line.count++] = end;
    line.words[line.count++] = options->call.rest[0];
    cores_defaults_find(&defaults, &options->call, options->skew);
    for (int i = 0; i < defaults.count; i++)
        line.words[line.count++] = defaults.options[i];
    memcpy(line.words + line.count, options->call.rest + 1,
           (size_t)(options->call.rest_count - 1) * sizeof *line.words);
    int code = cores_program_start(line.words);
    free(line.words);
    return code;
}

static int run_word(const struct cores_word *word, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", argv[0], word->name);
    argv[1] = name;
    return word->run(argc - 1, argv + 1);
}

static int run_cores(int argc, char **argv)
{
    struct options options = {0};
    for (const struct cores_word *word = words; argc > 1 && word->name; word++)
        if (strcmp(word->name, argv[1]) == 0)
            return run_word(word, argc, argv);
    cli_parse(&argp, argc, argv, &options);
    return options.list ? list_machines(options.json, argv[0]) : start_bench(&options, argv[0]);
}

const struct command command_cores = {
    .name = "cores",
    .title = "run ordo-bench on a simulated machine of many CPUs",
    .schema = "ordo-lab-cores/1",
    .run = run_cores,
};
