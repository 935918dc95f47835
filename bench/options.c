#include "options.h"

#include <ordo/scope.h>

#include <string.h>

#define MOST_THREADS 4096
#define MOST_RUNS 100000
#define LEAST_SECONDS 1e-6
#define MOST_SECONDS 3600
/* With more ticks, one wait for the boundary would last longer than any trial. */
#define MOST_BOUNDARY_TICKS UINT32_MAX

/* Larger than every character, because there are no short options. */
enum key {
    KEY_THREADS = 256,
    KEY_SECONDS,
    KEY_RUNS,
    KEY_CPUS,
    KEY_RECORD,
    KEY_SCOPE,
    KEY_BOUNDARY,
    KEY_KERNEL_CLOCK,
    KEY_JSON
};

static const struct cli_store stores[] = {
    CLI_STORE(KEY_SECONDS, "--seconds", struct bench_options, seconds, LEAST_SECONDS, MOST_SECONDS),
    CLI_STORE(KEY_RUNS, "--runs", struct bench_options, runs, 1, MOST_RUNS),
    CLI_TEXT_STORE(KEY_CPUS, "--cpus", struct bench_options, cpus),
    CLI_TEXT_STORE(KEY_RECORD, "--record", struct bench_options, record),
    CLI_FLAG_STORE(KEY_KERNEL_CLOCK, "--kernel-clock", struct bench_options, kernel_clock),
    CLI_FLAG_STORE(KEY_JSON, "--json", struct bench_options, json),
    {0},
};

static int parse_scope(const struct argp_state *state, const char *word)
{
    for (int scope = ORDO_SCOPE_L3; scope <= ORDO_SCOPE_ALLOWED; scope++)
        if (strcmp(word, ordo_scope_word(scope)) == 0)
            return scope;
    cli_wrong(state, "--scope '%s': not one of l3, package, numa, allowed", word);
    return 0;
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    struct bench_options *options = state->input;
    switch (key) {
    case KEY_THREADS:
        options->thread_counts =
            cli_numbers(state, "--threads", argument, 1, MOST_THREADS, options->threads, BENCH_THREAD_COUNTS);
        return 0;
    case KEY_SCOPE:
        options->scope = parse_scope(state, argument);
        return 0;
    case KEY_BOUNDARY:
        options->boundary_ticks = cli_number(state, "--boundary", argument, 0, MOST_BOUNDARY_TICKS);
        options->boundary_given = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_wrong(state, "'%s': this command takes options only: leave it out", argument);
        return 0;
    case ARGP_KEY_END:
        if (options->record && options->boundary_given)
            cli_wrong(state, "--boundary and --record: give one of them, not both");
        if (options->scope && options->boundary_given)
            cli_wrong(state, "--boundary and --scope: give one of them, not both");
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

const struct argp bench_options_argp = {
    .options =
        (const struct argp_option[]){
            {"threads", KEY_THREADS, "LIST", 0,
             "Numbers of threads, such as 1,2,4 (default: 1, 2, 4 and so on, and the number of CPUs)", 0},
            {"seconds", KEY_SECONDS, "S", 0, "Duration of a trial in seconds (default 0.05)", 0},
            {"runs", KEY_RUNS, "N", 0, "Rounds to measure, after one round of warm-up (default 15)", 0},
            {"cpus", KEY_CPUS, "LIST", 0,
             "CPUs to run on, such as 0-3,8; N threads use the first N of them (default: the affinity of the process)",
             0},
            {"record", KEY_RECORD, "FILE", 0, "Boundary record to open (default: the record that ordo_open would open)",
             0},
            {"scope", KEY_SCOPE, "KIND", 0,
             "Use the record's boundary for a part of the machine: the l3, package or numa node that has all CPUs of "
             "the run, or only these CPUs (allowed)",
             0},
            {"boundary", KEY_BOUNDARY, "TICKS", 0, "Boundary to use instead of a record", 0},
            {"kernel-clock", KEY_KERNEL_CLOCK, NULL, 0,
             "Make the stamp any read the kernel's clock (its record is FILE.monotonic), as it does if the counter is "
             "refused",
             0},
            {"json", KEY_JSON, NULL, 0, "Print the result as JSON (schema ordo-bench/1)", 0},
            {0},
        },
    .parser = parse_common,
};
