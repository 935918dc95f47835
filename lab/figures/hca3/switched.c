/* Figure 10 by real messages: two ranks on this machine, whose clock_gettime differs by 1000 s like those of two nodes
 * that booted at different times. A time namespace makes the difference. */
#include <math.h>
#include <stdlib.h>

#include "common/call.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/program.h"

static const double apart_s = 1000;

/* Runs a command of ordo-mpi, $2, on both ranks with the clock $3, or prints "{}" if this machine cannot. A
 * measurement without a valid round (2) prints its document all the same. */
static const char switched_script[] =
    "command -v mpirun >/dev/null && unshare --time --monotonic 1000 --fork true 2>/dev/null || exec echo '{}'; "
    "export OMPI_MCA_rmaps_base_oversubscribe=1; tool=$1 clock=$3; "
    "set -- \"$2\" --unverified --alg hca3 --clock \"$clock\" --json -q $4; "
    "mpirun -n 1 \"$tool\" \"$@\" : -n 1 unshare --time --monotonic 1000 --boottime 1000 --fork \"$tool\" \"$@\" || "
    "{ code=$?; [ \"$1 $code\" = \"roundtime 2\" ] || exit $code; }";

/* A time source: by how much the clocks of the ranks differ, and the median time of an allreduce in global time. */
struct source {
    double apart_s, allreduce_us;
};

static int run_switched(const char *tool, const char *command, const char *clock, const char *options,
                        struct ordo_json_value **document, struct ordo_error *error)
{
    const char *const arguments[] = {"sh", "-c", switched_script, "sh", tool, command, clock, options, NULL};
    return ordo_figure_program(arguments, document, error);
}

/* NANs: this machine cannot. */
static int measure_source(const char *tool, const char *clock, struct source *source, struct ordo_error *error)
{
    struct ordo_json_value *synced = NULL, *timed = NULL;
    int code = run_switched(tool, "sync", clock, "", &synced, error);
    code = code ? code : run_switched(tool, "roundtime", clock, "--op=allreduce --seconds=0.3", &timed, error);
    const struct ordo_json_value *model = ordo_json_item(ordo_json_get(synced, "models"), 1);
    const struct ordo_json_value *operation = ordo_json_item(ordo_json_get(timed, "operations"), 0);
    source->apart_s = ordo_json_number(model, "offset_ns", NAN) / 1e9;
    source->allreduce_us = ordo_json_number(ordo_json_get(operation, "run_time_ns"), "median", NAN) / 1e3;
    ordo_json_free(synced);
    ordo_json_free(timed);
    return code;
}

/* Both sources, and whether an allreduce takes the same time with both, to a factor of 2. */
struct sources {
    struct source gettime, timeofday;
    bool agree;
};

/* Measures up to three times, because other programs may delay one of the measurements, or all rounds of one. */
static int measure_sources(const char *tool, struct sources *sources, struct ordo_error *error)
{
    enum { TRIES = 3 };
    int code = ORDO_OK;
    *sources = (struct sources){0};
    for (int i = 0; i < TRIES && !code && !sources->agree; i++) {
        code = measure_source(tool, "monotonic", &sources->gettime, error);
        code = code ? code : measure_source(tool, "realtime", &sources->timeofday, error);
        double ratio = sources->gettime.allreduce_us / sources->timeofday.allreduce_us;
        sources->agree = !code && ratio < 2 && ratio > 0.5;
    }
    return code;
}

int hca3_switch_sources(struct ordo_figure_run *run, struct ordo_error *error)
{
    char tool[4096];
    struct sources sources;
    if (!cli_beside("ordo-mpi", tool, sizeof tool))
        return ORDO_OK;
    int code = measure_sources(tool, &sources, error);
    if (code || !isfinite(sources.gettime.apart_s) || !isfinite(sources.timeofday.apart_s))
        return code;
    ordo_figure_claim(run, fabs(sources.gettime.apart_s - apart_s) < 1e-5 && fabs(sources.timeofday.apart_s) < 1e-5,
                      "two real ranks: clock_gettime differs by the 1000 s that were set, gettimeofday does not");
    ordo_figure_claim(run, sources.agree,
                      "two real ranks: in global time, an allreduce takes the same time with both sources: to a factor "
                      "of 2, in one of three trials");
    return ORDO_OK;
}
