/* ordo-bench rlu: Read-Log-Update with hardware timestamps and with a logical clock, compared with RCU and locks. */
#include <stdlib.h>

#include "common/command.h"
#include "rlu/figures.h"
#include "rlu/run.h"

static int measure_rlu_cell(struct rlu_run *run, enum rlu_structure structure, int update_percent,
                            struct ordo_error *error)
{
    struct bench_set set;
    int code = rlu_run_measure(run, structure, update_percent, &set, error);
    if (!code) {
        bench_report_set(&run->report, &set, rlu_extras);
        rlu_report_ratios(&run->report, &set, &run->options);
    }
    bench_free(&set);
    return code;
}

/* Measures one cell, or one for each size of --multi-get. */
static int measure_rlu_sizes(struct rlu_run *run, enum rlu_structure structure, int update_percent,
                             struct ordo_error *error)
{
    const struct rlu_options *options = &run->options;
    int code = ORDO_OK;
    for (int i = 0; i < (options->size_count ? options->size_count : 1) && !code; i++) {
        run->multiget_keys = (unsigned)options->sizes[i]; /* 0 if there is none */
        code = measure_rlu_cell(run, structure, update_percent, error);
    }
    return code;
}

static int measure_rlu(struct rlu_run *run, struct ordo_error *error)
{
    const struct rlu_options *options = &run->options;
    int code = ORDO_OK;
    for (int structure = 0; structure < RLU_STRUCTURES; structure++)
        for (int i = 0; i < options->update_count && !code; i++)
            if (options->structures.chosen[structure])
                code = measure_rlu_sizes(run, (enum rlu_structure)structure, options->updates[i], error);
    return code;
}

static int run_rlu(int argc, char **argv)
{
    struct ordo_error error = {0};
    int result;
    struct rlu_run *run = calloc(1, sizeof *run);
    if (run) {
        rlu_options_parse(&run->options, argc, argv);
        int code = rlu_run_open(run, "rlu", &error);
        if (!code)
            code = measure_rlu(run, &error);
        result = rlu_run_close(run, "rlu", code, &error);
    } else {
        result = cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    }
    free(run);
    return result;
}

const struct command command_rlu = {
    .name = "rlu",
    .title = "Read-Log-Update with hardware timestamps and a logical clock, compared with RCU and locks",
    .schema = "ordo-bench/1",
    .run = run_rlu,
};
