/* planted [--padded]: threads that count on one line, each in a counter of its own, and on a second line in a common counter. A command of
 * ordo-bench-cores in tests/lab/cores_lines.sh. */
#include <stdatomic.h>

#include <ordo/clock.h>

#include "boundary.h"
#include "common/command.h"
#include "harness.h"
#include "report.h"

enum { KEY_PADDED = 512, THREADS = 8, APART = BENCH_LINE / sizeof(atomic_ulong), COUNTS_PER_MEETING = 8 };

struct planted_options {
    struct bench_options common;
    bool padded;
};

static _Alignas(BENCH_LINE) atomic_ulong planted_counts[THREADS * APART];
static _Alignas(BENCH_LINE) atomic_ulong planted_meetings;

extern const struct command *const commands[];

static error_t parse_planted(int key, char *argument, struct argp_state *state)
{
    struct planted_options *options = state->input;
    (void)argument;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &options->common;
    if (key == KEY_PADDED)
        options->padded = true;
    return key == ARGP_KEY_INIT || key == KEY_PADDED ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp planted_argp = {
    .options =
        (const struct argp_option[]){{"padded", KEY_PADDED, NULL, 0, "Keep the threads' counters apart", 0}, {0}},
    .parser = parse_planted,
    .children = (const struct argp_child[]){{&bench_options_argp, 0, NULL, 0}, {0}},
};

static uint64_t count_alone(struct bench_worker *worker)
{
    const struct planted_options *options = worker->context;
    atomic_ulong *own = &planted_counts[(size_t)worker->index * (options->padded ? APART : 1)];
    uint64_t ops = 0;
    while (bench_running(worker)) {
        for (int i = 0; i < COUNTS_PER_MEETING; i++) {
            atomic_fetch_add_explicit(own, 1, memory_order_relaxed); /* alone */
            ordo_clock_pause();
        }
        atomic_fetch_add_explicit(&planted_meetings, 1, memory_order_relaxed); /* together */
        ops++;
    }
    return ops;
}

static int measure_planted(struct planted_options *options, struct bench_report *report,
                           const struct bench_machine *machine, struct ordo_error *error)
{
    const struct bench_variant variant = {
        .algorithm = "planted", .workload = "counters", .context = options, .work = count_alone};
    struct bench_set set = {0};
    int code = bench_measure(&set, &variant, 1, machine, &options->common, error);
    if (!code)
        bench_report_set(report, &set, NULL);
    bench_free(&set);
    return code;
}

static int run_planted(int argc, char **argv)
{
    struct planted_options options = {.common = BENCH_OPTIONS_DEFAULT};
    struct bench_machine machine = {0};
    struct bench_boundary boundary = {0};
    struct bench_report report = {0};
    struct ordo_error error = {0};
    cli_parse(&planted_argp, argc, argv, &options);
    int code = bench_machine_open(&machine, &options.common, &error);
    if (!code)
        code = bench_boundary_open(&boundary, &options.common, &error);
    if (!code) {
        bench_report_begin(&report, stdout, "planted", &machine, &options.common, &boundary);
        code = measure_planted(&options, &report, &machine, &error);
    }
    int result = code ? bench_refuse("planted", &error) : bench_report_end(&report);
    bench_boundary_close(&boundary);
    bench_machine_close(&machine);
    return result;
}

static const struct command command_planted = {
    .name = "planted", .title = "Counters on one line", .schema = "ordo-bench/1", .run = run_planted};

const struct command *const commands[] = {&command_planted, NULL};
