/* ordo-bench oplog: objects that are updated often and read rarely: a log for each thread, compared with locks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"
#include "common/command.h"
#include "oplog/figures.h"

#define VARIANTS 9

struct run {
    struct oplog_options options;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
    struct oplog_bench benches[VARIANTS]; /* of the set that is being measured */
    struct bench_variant variants[VARIANTS];
    int count;
    char workload[64];
};

/* Checks that there is a boundary if the stamp ordo is chosen. Other stamps need none. */
static int check_oplog_boundary(const struct run *run, struct ordo_error *error)
{
    for (int i = 0; oplog_stamp_words[i]; i++)
        if (run->options.stamps.chosen[i] && strcmp(oplog_stamp_words[i], "any") == 0 &&
            bench_boundary_check_any(&run->boundary, error))
            return error->code;
    return run->options.stamps.chosen[0] ? bench_boundary_require(&run->boundary, error) : ORDO_OK;
}

static int open_run(struct run *run, struct ordo_error *error)
{
    struct bench_options *common = &run->options.common;
    int code = bench_machine_open(&run->machine, common, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, common, error);
    if (!code)
        code = check_oplog_boundary(run, error);
    if (!code)
        bench_report_begin(&run->report, stdout, "oplog", &run->machine, common, &run->boundary);
    return code;
}

static void make_oplog_variants(struct run *run, enum oplog_structure structure, int read_permille)
{
    const struct oplog_options *options = &run->options;
    bool bounded = run->boundary.source != BENCH_BOUNDARY_NONE; /* false: only stamps without a boundary are measured */
    (void)snprintf(run->workload, sizeof run->workload, "%s, %d.%d%% reads", oplog_structure_words[structure],
                   read_permille / 10, read_permille % 10);
    run->count = 0;
    for (const struct oplog_engine *const *engine = oplog_engines; *engine && run->count < VARIANTS; engine++) {
        if ((*engine)->structure != structure || !oplog_chosen(options, *engine))
            continue;
        struct oplog_bench *bench = &run->benches[run->count];
        const struct ordo *watch = bench_boundary_watch(&run->boundary, (*engine)->stamp);
        *bench = (struct oplog_bench){.engine = *engine,
                                      .sizes = options->sizes,
                                      .read_permille = (unsigned)read_permille,
                                      .order = options->order,
                                      .settle_later = options->settle_later,
                                      .log_entries = options->log_entries,
                                      .boundary_ticks = watch     ? ordo_boundary(watch)
                                                        : bounded ? ordo_boundary(&run->boundary.handle)
                                                                  : 0,
                                      .watch = watch};
        run->variants[run->count++] = oplog_variant(bench, run->workload);
    }
}

static int measure_oplog_cell(struct run *run, enum oplog_structure structure, int read_permille,
                              struct ordo_error *error)
{
    struct bench_set set;
    make_oplog_variants(run, structure, read_permille);
    int code = bench_measure(&set, run->variants, run->count, &run->machine, &run->options.common, error);
    for (int i = 0; i < run->count; i++)
        oplog_bench_close(&run->benches[i]);
    if (!code) {
        bench_report_set(&run->report, &set, oplog_extras);
        oplog_report_ratios(&run->report, &set, &run->options);
    }
    bench_free(&set);
    return code;
}

static int measure_oplog(struct run *run, struct ordo_error *error)
{
    const struct oplog_options *options = &run->options;
    int code = ORDO_OK;
    for (int structure = 0; structure < OPLOG_STRUCTURES; structure++)
        for (int i = 0; i < options->share_count && !code; i++)
            if (options->structures.chosen[structure])
                code = measure_oplog_cell(run, (enum oplog_structure)structure, options->shares[i], error);
    return code;
}

static int close_run(struct run *run, int code, const struct ordo_error *error)
{
    int result;
    if (code) {
        bench_report_abandon(&run->report);
        result = bench_refuse("oplog", error);
    } else {
        result = bench_report_end(&run->report);
    }
    bench_boundary_close(&run->boundary);
    bench_machine_close(&run->machine);
    return result;
}

static int run_oplog(int argc, char **argv)
{
    struct ordo_error error = {0};
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    oplog_options_parse(&run->options, argc, argv);
    int code = open_run(run, &error);
    if (!code)
        code = measure_oplog(run, &error);
    int result = close_run(run, code, &error);
    free(run);
    return result;
}

const struct command command_oplog = {
    .name = "oplog",
    .title = "Oplog, per-thread logs that readers apply, compared with locks and one queue",
    .schema = "ordo-bench/1",
    .run = run_oplog,
};
