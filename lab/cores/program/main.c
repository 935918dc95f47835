/* ordo-bench-cores OPTIONS -- COMMAND [OPTIONS]: runs a command of ordo-bench on a simulated machine. `ordo-lab cores`
 * calls it; it is not on the user's path. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "common/call.h"
#include "common/command.h"
#include "common/options.h"
#include "lab/cores/program/absent.h"
#include "lab/cores/run/run.h"
#include "lab/cores/wrap/lines.h"
#include "lab/cores/wrap/memory.h"
#include "lab/cores/wrap/simulated.h"

extern const struct command *const commands[];

#define NAME "ordo-lab cores"

enum { CPUS = 1, SEED, SLACK, QUANTUM, STALL, STALL_EACH, SKEW, RATE, LINES };

struct options {
    struct cli_call call; /* its subject is the machine */
    const char *lines;
    int cpus;
    int64_t seed;
    double slack_ns, quantum_us, stall_ns, stall_each_ns;
    int64_t skew_ticks, rate_ppb;
};

static const struct argp_option argp_options[] = {
    {"machine-cpus", CPUS, "N", 0, "Enlarge or reduce the machine to N CPUs", 1},
    {"seed", SEED, "N", 0, "Seed of skews and stalls (default 1)", 1},
    {"slack-ns", SLACK, "NS", 0, "By which a CPU may run ahead in its own caches (default 1)", 1},
    {"quantum-us", QUANTUM, "US", 0, "After which a thread makes way for another one (default 3000)", 1},
    {"stall-ns", STALL, "NS", 0, "CPUs lose this time at random moments (mean)", 1},
    {"stall-each-ns", STALL_EACH, "NS", 0, "Mean time between two stalls of a CPU", 1},
    {"skew", SKEW, "TICKS", 0, "The clocks of two CPUs differ by at most TICKS (default 0)", 1},
    {"rate-ppb", RATE, "PPB", 0, "Their rates differ by at most PPB (default 0)", 1},
    {"lines", LINES, "FILE", 0, "Write the cache lines that cost most to FILE", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(CPUS, "--machine-cpus", struct options, cpus, 1, 2048),
    CLI_STORE(SEED, "--seed", struct options, seed, 0, INT32_MAX),
    CLI_STORE(SLACK, "--slack-ns", struct options, slack_ns, 0, 1e6),
    CLI_STORE(QUANTUM, "--quantum-us", struct options, quantum_us, 0.001, 1e9),
    CLI_STORE(STALL, "--stall-ns", struct options, stall_ns, 0, 1e12),
    CLI_STORE(STALL_EACH, "--stall-each-ns", struct options, stall_each_ns, 0, 1e15),
    CLI_STORE(SKEW, "--skew", struct options, skew_ticks, 0, INT32_MAX),
    CLI_STORE(RATE, "--rate-ppb", struct options, rate_ppb, 0, 1000000),
    CLI_TEXT_STORE(LINES, "--lines", struct options, lines),
    {0},
};

static error_t parse_main(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (cli_take_call(&options->call, key, argument, state))
        return 0;
    if (key == ARGP_KEY_END && !options->call.rest)
        cli_wrong(state, "name a machine and a command: ordo-lab cores MACHINE -- rlu");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {argp_options, parse_main, "MACHINE -- COMMAND", NULL, NULL, NULL, NULL};

static int run_bench(int argc, char **argv)
{
    static const struct program program = {
        .name = NAME,
        .call = "ordo-lab cores MACHINE --",
        .purpose = "Measures on a simulated machine.",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}

/* Ends the program if the command is one that cannot be simulated. With the option --json of the command, errors are JSON. */
static void check_command(const struct options *options)
{
    for (int i = 0; i < options->call.rest_count; i++)
        if (strcmp(options->call.rest[i], "--json") == 0)
            cli_json("ordo-bench/1");
    const char *baseline = absent_baseline(options->call.rest_count, options->call.rest);
    if (baseline)
        exit(cli_failf(EXIT_USAGE, NAME, "--baseline %s: liburcu cannot be simulated: give mutex, rwlock or none",
                       baseline));
}

/* Addresses decide which lines share a set of a cache: the process begins again without random addresses, once. */
static void fix_addresses(char **argv)
{
    int before = personality(0xffffffff);
    if (before >= 0 && !(before & ADDR_NO_RANDOMIZE) && personality((unsigned long)before | ADDR_NO_RANDOMIZE) >= 0)
        (void)execv("/proc/self/exe", argv);
}

static int run_main(const struct options *options)
{
    struct cores_machine *machine = NULL;
    struct ordo_error error = {0};
    int result = EXIT_INTERNAL, code = cores_machine_open(&machine, options->call.subject, options->cpus, &error);
    struct cores_options run = {.machine = machine,
                                .seed = (uint64_t)options->seed,
                                .slack_ps = (uint64_t)(options->slack_ns * 1000),
                                .quantum_ps = (uint64_t)(options->quantum_us * 1e6),
                                .stall_ps = (uint64_t)(options->stall_ns * 1000),
                                .stall_each_ps = (uint64_t)(options->stall_each_ns * 1000),
                                .skew_ticks = (uint64_t)options->skew_ticks,
                                .rate_ppb = options->rate_ppb,
                                .counts_lines = options->lines};
    cores_simulated_open(&run);
    if (!code)
        code = cores_memory_open(machine->cpus, &error);
    char **argv = options->call.rest - 1; /* "--" makes room for the program's name */
    argv[0] = NAME;
    if (!code)
        code = cores_run(&run, run_bench, options->call.rest_count + 1, argv, &result, &error);
    if (!code && options->lines)
        code = cores_lines_write(options->lines, &error);
    if (code)
        return cli_fail(code == ORDO_E_INVALID ? EXIT_USAGE : EXIT_INTERNAL, NAME, error.text);
    cores_machine_close(machine);
    return result;
}

int main(int argc, char **argv)
{
    static char name[] = NAME;
    struct options options = {.seed = 1, .slack_ns = 1, .quantum_us = 3000};
    fix_addresses(argv);
    argv[0] = name;
    cli_parse(&argp, argc, argv, &options);
    check_command(&options);
    return run_main(&options);
}
