/* ordo-bench stm: transactional memory with hardware timestamps and with counters, compared with GCC's transactional
 * memory and with locks. */
#include <stdlib.h>

#include "common/command.h"
#include "stm/figures.h"
#include "stm/run.h"

static int measure_stm_cell(struct stm_run *run, enum stm_structure structure, int update_percent,
                            struct ordo_error *error)
{
    struct bench_set set;
    int code = stm_run_measure(run, structure, update_percent, &set, error);
    if (!code) {
        bench_report_set(&run->report, &set, stm_extras);
        stm_report_ratios(&run->report, &set, &run->options);
    }
    bench_free(&set);
    return code;
}

static int measure_stm(struct stm_run *run, struct ordo_error *error)
{
    const struct stm_options *options = &run->options;
    int code = ORDO_OK;
    for (int structure = 0; structure < STM_STRUCTURES; structure++)
        for (int i = 0; i < options->update_count && !code; i++)
            if (options->structures.chosen[structure])
                code = measure_stm_cell(run, (enum stm_structure)structure, options->updates[i], error);
    return code;
}

static int run_stm(int argc, char **argv)
{
    struct ordo_error error = {0};
    int result;
    struct stm_run *run = calloc(1, sizeof *run);
    if (run) {
        stm_options_parse(&run->options, argc, argv);
        int code = stm_run_open(run, "stm", &error);
        if (!code)
            code = measure_stm(run, &error);
        result = stm_run_close(run, "stm", code, &error);
    } else {
        result = cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    }
    free(run);
    return result;
}

const struct command command_stm = {
    .name = "stm",
    .title = "transactional memory with hardware timestamps and counters, compared with GCC's and locks",
    .schema = "ordo-bench/1",
    .run = run_stm,
};
