/* Runs the simulations of a prediction. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/call.h"
#include "lab/cores/machine/machine.h"
#include "lab/cores/missing.h"
#include "lab/cores/predictions/predictions.h"
#include "lab/figures/program.h"
#include "json/reader.h"

enum { MOST_ARGUMENTS = 40, NUMBER_TEXT = 16 };

/* The arguments of ordo-bench-cores, and the texts of its numbers. */
struct call {
    const char *arguments[MOST_ARGUMENTS + 1];
    int count;
    char threads[NUMBER_TEXT], seed[NUMBER_TEXT];
};

static void call_add(struct call *call, const char *option, const char *value)
{
    if (value && call->count + 2 <= MOST_ARGUMENTS) {
        call->arguments[call->count++] = option;
        call->arguments[call->count++] = value;
    }
}

static void call_make(struct call *call, const struct cores_prediction *prediction,
                      const struct cores_predicted_loop *loop, int threads, int seed)
{
    *call = (struct call){.arguments = {CORES_PROGRAM}, .count = 1};
    (void)snprintf(call->threads, sizeof call->threads, "%d", threads);
    (void)snprintf(call->seed, sizeof call->seed, "%d", seed);
    call_add(call, "--slack-ns", prediction->slack_ns);
    call_add(call, "--seed", call->seed);
    call_add(call, "--stall-ns", loop->stall_ns);
    call_add(call, "--stall-each-ns", loop->stall_each_ns);
    call_add(call, prediction->machine, "--");
    call_add(call, "contention", "--json");
    call_add(call, "--algorithm", loop->algorithm);
    call_add(call, "--threads", call->threads);
    call_add(call, "--cpus", prediction->cpus);
    call_add(call, "--work", prediction->work_ns);
    call_add(call, "--seconds", loop->seconds);
    call_add(call, "--runs", "3");
    call_add(call, "--boundary", "300");
}

/* True if the audit of the loop did not find a wrong result. The program then prints its document, too, and ends with
 * 1. */
static bool audit_passed(const struct ordo_json_value *result)
{
    const char *audit = ordo_json_word(result, "audit");
    return !audit || strcmp(audit, "failed") != 0;
}

/* The three rounds of a run take the low, likely and high values of the machine's ranges; their median and extremes are
 * the three values of the point, whichever round gave them. */
static int loop_run(const struct cores_prediction *prediction, const struct cores_predicted_loop *loop, int threads,
                    int seed, struct cores_predicted *value, struct ordo_error *error)
{
    struct call call;
    struct ordo_json_value *document;
    char program[PATH_MAX];
    if (!cli_beside(CORES_PROGRAM, program, sizeof program))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, CORES_MISSING);
    call_make(&call, prediction, loop, threads, seed);
    int code = ordo_figure_program(call.arguments, &document, error);
    if (code)
        return code;
    const struct ordo_json_value *result = ordo_json_item(ordo_json_get(document, "results"), 0);
    bool audited = audit_passed(result);
    const struct ordo_json_value *median = ordo_json_get(result, prediction->figure);
    value->low = ordo_json_number(median, "low", NAN);
    value->likely = ordo_json_number(median, "median", NAN);
    value->high = ordo_json_number(median, "high", NAN);
    ordo_json_free(document);
    if (!audited)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s at %d cores: '%s' failed its audit, so the simulation is wrong: report it",
                              prediction->name, threads, loop->algorithm);
    if (!(value->low > 0 && value->low <= value->likely && value->likely <= value->high))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s at %d cores: no result '%s'", prediction->name, threads,
                              prediction->figure);
    return ORDO_OK;
}

/* Adds the mean over the seeds. */
static int loop_mean(const struct cores_prediction *prediction, const struct cores_predicted_loop *loop, int threads,
                     struct cores_predicted *mean, struct ordo_error *error)
{
    *mean = (struct cores_predicted){0};
    for (int seed = 1; seed <= prediction->seeds; seed++) {
        struct cores_predicted value;
        int code = loop_run(prediction, loop, threads, seed, &value, error);
        if (code)
            return code;
        mean->low += value.low / prediction->seeds;
        mean->likely += value.likely / prediction->seeds;
        mean->high += value.high / prediction->seeds;
    }
    return ORDO_OK;
}

/* Rounds to four digits: the rest is no knowledge. */
static double rounded(double value)
{
    double unit = pow(10, floor(log10(value)) - 3);
    return unit < 1 ? round(value / unit) / round(1 / unit) : round(value / unit) * unit;
}

static void point_finish(struct cores_predicted *point, int spread_percent)
{
    double spread = spread_percent * 0.01;
    point->low = rounded(point->low / (1 + spread));
    point->likely = rounded(point->likely);
    point->high = rounded(point->high * (1 + spread));
}

/* Returns the mean transfer time between two of the first `cpus` CPUs. */
static double mean_transfer_ps(const struct cores_machine *machine, int cpus)
{
    double sum = 0;
    for (int i = 0; i < cpus; i++)
        for (int j = 0; j < cpus; j++)
            sum += i == j ? 0 : machine->transfer_ps[(size_t)i * (size_t)machine->cpus + (size_t)j];
    return sum / cpus / (cpus - 1);
}

/* A queue of requests that never ends: its line moves between two random CPUs for each request, so the rate is inverse
 * to the mean transfer time. Scales a rate from `from` threads to `to`. */
static int saturated_scale(const struct cores_prediction *prediction, int from, int to, struct cores_predicted *rate,
                           struct ordo_error *error)
{
    struct cores_machine *machine;
    int code = cores_machine_open(&machine, prediction->machine, 0, error);
    if (code)
        return code;
    double factor = mean_transfer_ps(machine, from) / mean_transfer_ps(machine, to);
    *rate = (struct cores_predicted){rate->low * factor, rate->likely * factor, rate->high * factor};
    cores_machine_close(machine);
    return ORDO_OK;
}

/* The loop that all threads disturb each other in. */
static int shared_rate(const struct cores_prediction *prediction, const struct cores_predicted_loop *loop, int cores,
                       struct cores_predicted *rate, struct ordo_error *error)
{
    bool crowded = prediction->crowded_above && cores > prediction->crowded_above;
    int most = crowded && cores > prediction->saturated_above ? prediction->saturated_above : cores;
    int code = loop_mean(prediction, crowded ? &prediction->crowded : loop, most, rate, error);
    return code || most == cores ? code : saturated_scale(prediction, most, cores, rate, error);
}

/* The loop whose threads share nothing. */
static int alone_rate(const struct cores_prediction *prediction, int cores, struct cores_predicted *rate,
                      struct ordo_error *error)
{
    int most = cores > prediction->alone_above ? prediction->alone_above : cores;
    double factor = (double)cores / most;
    int code = loop_mean(prediction, &prediction->of, most, rate, error);
    *rate = (struct cores_predicted){rate->low * factor, rate->likely * factor, rate->high * factor};
    return code;
}

int cores_predict_point(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
                        struct ordo_error *error)
{
    struct cores_predicted below = {1, 1, 1};
    int code = prediction->alone_above ? alone_rate(prediction, cores, point, error)
                                       : shared_rate(prediction, &prediction->of, cores, point, error);
    if (!code && prediction->over.algorithm)
        code = shared_rate(prediction, &prediction->over, cores, &below, error);
    if (code)
        return code;
    *point = (struct cores_predicted){point->low / below.high, point->likely / below.likely, point->high / below.low};
    point_finish(point, prediction->spread_percent);
    return ORDO_OK;
}
