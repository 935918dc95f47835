/* Runs the simulations of a prediction. */
#include <math.h>

#include "lab/cores/machine/machine.h"
#include "lab/cores/predictions/predictions.h"
#include "lab/cores/predictions/runs.h"

static void call_make(struct cores_call *call, const struct cores_prediction *prediction,
                      const struct cores_predicted_loop *loop, int threads, int seed)
{
    cores_call_begin(call);
    cores_call_option(call, "--slack-ns", prediction->slack_ns);
    cores_call_number(call, "--seed", seed);
    cores_call_option(call, "--stall-ns", loop->stall_ns);
    cores_call_option(call, "--stall-each-ns", loop->stall_each_ns);
    cores_call_option(call, prediction->machine, "--");
    cores_call_words(call, "contention --json --runs 3 --boundary 300");
    cores_call_option(call, "--algorithm", loop->algorithm);
    cores_call_number(call, "--threads", threads);
    cores_call_option(call, "--cpus", prediction->cpus);
    cores_call_option(call, "--work", prediction->work_ns);
    cores_call_option(call, "--seconds", loop->seconds);
}

/* The three rounds of a run take the low, likely and high values of the machine's ranges; their median and extremes are
 * the three values of the point, whichever round gave them. */
static int loop_run(const struct cores_prediction *prediction, const struct cores_predicted_loop *loop, int threads,
                    int seed, struct cores_predicted *value, struct ordo_error *error)
{
    struct cores_call call;
    struct ordo_json_value *document;
    call_make(&call, prediction, loop, threads, seed);
    int code = cores_call_run(&call, &document, error);
    if (code)
        return code;
    const struct ordo_json_value *result = ordo_json_item(ordo_json_get(document, "results"), 0);
    const struct ordo_json_value *median = ordo_json_get(result, prediction->figure);
    value->low = ordo_json_number(median, "low", NAN);
    value->likely = ordo_json_number(median, "median", NAN);
    value->high = ordo_json_number(median, "high", NAN);
    ordo_json_free(document);
    if (!(value->low > 0 && value->low <= value->likely && value->likely <= value->high))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "the result has no '%s' with low <= median <= high",
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
    int most = crowded && prediction->saturated_above && cores > prediction->saturated_above
                   ? prediction->saturated_above
                   : cores;
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

static int predict_loops(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
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
    return ORDO_OK;
}

int cores_predict_point(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
                        struct ordo_error *error)
{
    int code = prediction->ratio ? cores_predict_ratio(prediction, cores, point, error)
                                 : predict_loops(prediction, cores, point, error);
    if (!code)
        point_finish(point, prediction->spread_percent);
    return code;
}
