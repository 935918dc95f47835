/* ordo-bench COMMAND [OPTIONS]: finds the command and runs it. */
#include <argp.h>
#include <ordo/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

#define KEY_LIST 256 /* beyond every character: no short option */

const char *argp_program_version = "ordo-bench " ORDO_VERSION;

static void list_workloads(FILE *stream)
{
    for (const struct ordo_bench_workload *const *w = ordo_bench_workloads; *w; w++)
        fprintf(stream, "%-14s %s\n", (*w)->name, (*w)->title);
}

/* `code`, unless what was printed did not reach its reader. */
static int finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "ordo-bench: the result cannot be written to standard output\n");
    return BENCH_INTERNAL;
}

static const struct ordo_bench_workload *find_workload(const char *name)
{
    for (const struct ordo_bench_workload *const *w = ordo_bench_workloads; *w; w++)
        if (strcmp((*w)->name, name) == 0)
            return *w;
    return NULL;
}

/* The first word that is no option is the command; what follows is the command's own business. */
static error_t parse(int key, char *argument, struct argp_state *state)
{
    int *command = state->input;
    (void)argument;
    switch (key) {
    case KEY_LIST:
        list_workloads(stdout);
        exit(finish_output(BENCH_OK));
    case ARGP_KEY_ARG:
        *command = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run_workload(const struct ordo_bench_workload *workload, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "ordo-bench %s", workload->name);
    argv[0] = name;
    return finish_output(workload->run(argc, argv));
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"list", KEY_LIST, NULL, 0, "List the commands", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "COMMAND [OPTIONS]",
        .doc = "Measures what ordering by hardware clocks costs, beside the usual ways."
               "\vCOMMAND --help lists the options of a command; ordo-bench(1) explains them.",
    };
    int command = 0;
    argp_err_exit_status = BENCH_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &command) != 0)
        return BENCH_INTERNAL;
    const struct ordo_bench_workload *workload = find_workload(argv[command]);
    if (!workload) {
        fprintf(stderr, "ordo-bench: unknown command '%s' (ordo-bench --list shows them)\n", argv[command]);
        return BENCH_USAGE;
    }
    return run_workload(workload, argc - command, argv + command);
}
