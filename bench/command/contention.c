/* ordo-bench contention: what threads pay for operations on one shared cache line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"
#include "choice.h"
#include "common/command.h"
#include "contention/figures.h"
#include "contention/work.h"

enum key { KEY_ALGORITHM = 512, KEY_WORK };

struct contention_options {
    struct bench_options common;
    struct bench_choice algorithms; /* indices into contention_words; without a choice, all */
    uint64_t work_ns;
};

struct run {
    struct contention_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct contention *shared;
    struct bench_report report;
};

/* In the order of contention_loops. */
static const char *const contention_words[] = {"none", "add",      "cas",    "mutex", "ticket",
                                               "tsc",  "monotone", "strict", "clock", NULL};

static error_t parse_contention(int key, char *argument, struct argp_state *state)
{
    struct contention_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_ALGORITHM:
        bench_choice_parse(state, "--algorithm", argument, contention_words, &options->algorithms);
        return 0;
    case KEY_WORK:
        options->work_ns = cli_number(state, "--work", argument, 0, CONTENTION_MOST_WORK_NS);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp contention_argp = {
    .options =
        (const struct argp_option[]){
            {"algorithm", KEY_ALGORITHM, "LIST", 0,
             "Algorithms, among none, add, cas, mutex, ticket, tsc, monotone, strict, clock (default: all)", 0},
            {"work", KEY_WORK, "NS", 0,
             "Private work of a thread after each operation, in nanoseconds, from 0 to 1000000 (default 0)", 0},
            {0},
        },
    .parser = parse_contention,
    .children = (const struct argp_child[]){{&bench_options_argp, 0, NULL, 0}, {0}},
    .doc = "Measures what threads pay for operations on one shared cache line, compared with clocks that share none.",
};

/* Opens every part of `run`. The caller may close all parts afterwards, even after an error. No loop waits for the
 * boundary; it only belongs to the provenance. */
static int set_up_contention(struct run *run, struct ordo_error *error)
{
    struct bench_options *common = &run->options.common;
    int code = bench_machine_open(&run->machine, common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, common, error);
    if (code)
        return code;
    run->shared = aligned_alloc(BENCH_LINE, sizeof *run->shared);
    if (!run->shared)
        return ordo_error_errno(error, "%zu bytes", sizeof *run->shared);
    contention_set_up(run->shared, &run->boundary.handle, run->options.work_ns);
    return ORDO_OK;
}

static int measure_contention(struct run *run, struct ordo_error *error)
{
    const struct contention_options *options = &run->options;
    struct bench_variant variants[CONTENTION_LOOPS];
    struct bench_set set = {0};
    char workload[64];
    int count = 0;
    (void)snprintf(workload, sizeof workload, "one line, %ju ns of work", (uintmax_t)options->work_ns);
    for (const struct contention_loop *loop = contention_loops; loop->algorithm; loop++)
        if (!options->algorithms.given || bench_choice_has(&options->algorithms, contention_words, loop->algorithm))
            variants[count++] = contention_variant(loop, run->shared, workload);
    int code = bench_measure(&set, variants, count, &run->machine, &options->common, error);
    if (!code) {
        bench_report_set(&run->report, &set, contention_extras);
        contention_report_ratios(&run->report, &set, &options->common);
    }
    bench_free(&set);
    return code;
}

static int run_contention(int argc, char **argv)
{
    struct run run = {.options = {.common = BENCH_OPTIONS_DEFAULT}};
    struct ordo_error error = {0};
    cli_parse(&contention_argp, argc, argv, &run.options);
    int code = set_up_contention(&run, &error);
    if (!code) {
        bench_report_begin(&run.report, stdout, "contention", &run.machine, &run.options.common, &run.boundary);
        code = measure_contention(&run, &error);
        if (code)
            bench_report_abandon(&run.report);
    }
    int result = code ? bench_refuse("contention", &error) : bench_report_end(&run.report);
    free(run.shared);
    bench_boundary_close(&run.boundary);
    bench_machine_close(&run.machine);
    return result;
}

const struct command command_contention = {
    .name = "contention",
    .title = "cost of one shared cache line: counters, locks and a monotone clock, compared with clock reads",
    .schema = "ordo-bench/1",
    .run = run_contention,
};
