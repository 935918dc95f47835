/* Runs the simulations of a ratio: an engine with the hardware clock over the same engine with a counter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/cores/machine/machine.h"
#include "lab/cores/predictions/predictions.h"
#include "lab/cores/predictions/runs.h"

enum { CPUS_TEXT = 2048 };

static bool is_named(const struct ordo_json_value *object, const char *key, const char *name)
{
    const char *word = ordo_json_word(object, key);
    return word && strcmp(word, name) == 0;
}

/* Lists one CPU of each core, in ascending order; empty if the cores do not suffice, and the first CPUs are taken. */
static void list_one_each_core(const struct cores_machine *machine, int threads, char text[CPUS_TEXT])
{
    size_t used = 0;
    int chosen = 0;
    text[0] = '\0';
    for (int cpu = 0; cpu < machine->cpus && chosen < threads; cpu++) {
        bool seen = false;
        for (int other = 0; other < cpu && !seen; other++)
            seen = machine->core[other] == machine->core[cpu];
        if (seen)
            continue;
        used += (size_t)snprintf(text + used, CPUS_TEXT - used, "%s%d", chosen++ ? "," : "", cpu);
        if (used >= CPUS_TEXT)
            break;
    }
    if (chosen < threads || used >= CPUS_TEXT)
        text[0] = '\0';
}

static int64_t boundary_ticks(const struct cores_machine *machine, int boundary_ns)
{
    return (int64_t)ceil(boundary_ns * 1e-9 * (double)machine->clock_hz);
}

static int ratio_call(struct cores_call *call, const struct cores_prediction *prediction, int threads,
                      struct ordo_error *error)
{
    const struct cores_predicted_ratio *ratio = prediction->ratio;
    struct cores_machine *machine;
    char cpus[CPUS_TEXT];
    int64_t work_ns = 0;
    int code = ratio->stamps ? cores_predict_work(prediction, &work_ns, error) : ORDO_OK;
    code = code ? code : cores_machine_open(&machine, prediction->machine, 0, error);
    if (code)
        return code;
    list_one_each_core(machine, threads, cpus);
    cores_call_begin(call);
    cores_call_option(call, prediction->machine, "--");
    cores_call_words(call, ratio->command);
    if (ratio->stamps)
        cores_call_number(call, "--work", work_ns);
    cores_call_number(call, "--threads", threads);
    cores_call_option(call, "--cpus", cpus[0] ? cpus : NULL);
    cores_call_option(call, "--seconds", ratio->seconds);
    cores_call_number(call, "--boundary", boundary_ticks(machine, ratio->boundary_ns));
    cores_call_words(call, "--runs 3 --json");
    cores_machine_close(machine);
    return ORDO_OK;
}

static int read_ratio(const struct cores_predicted_ratio *ratio, const struct ordo_json_value *document,
                      struct cores_predicted *point, struct ordo_error *error)
{
    const struct ordo_json_value *ratios = ordo_json_get(document, "ratios");
    *point = (struct cores_predicted){0};
    for (size_t i = 0; i < ordo_json_count(ratios); i++) {
        const struct ordo_json_value *item = ordo_json_item(ratios, i);
        if (!is_named(item, "of", ratio->of) || !is_named(item, "over", ratio->over))
            continue;
        point->low = ordo_json_number(item, "low", NAN);
        point->likely = ordo_json_number(item, "median", NAN);
        point->high = ordo_json_number(item, "high", NAN);
    }
    if (!(point->low > 0 && point->low <= point->likely && point->likely <= point->high && isfinite(point->high)))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "the result has no ratio of %s over %s", ratio->of,
                              ratio->over);
    return ORDO_OK;
}

int cores_predict_ratio(const struct cores_prediction *prediction, int cores, struct cores_predicted *point,
                        struct ordo_error *error)
{
    struct cores_call call;
    struct ordo_json_value *document;
    int code = ratio_call(&call, prediction, cores, error);
    code = code ? code : cores_call_run(&call, &document, error);
    if (code)
        return code;
    code = read_ratio(prediction->ratio, document, point, error);
    ordo_json_free(document);
    return code;
}

/* Returns the time of a transaction of the engine; NAN if the result has none. */
static double transaction_ns(const struct ordo_json_value *document, const char *engine)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        if (is_named(result, "algorithm", engine) && is_named(result, "stamp", "logical"))
            return ordo_json_number(result, "ns_per_op", NAN);
    }
    return NAN;
}

int cores_predict_work(const struct cores_prediction *prediction, int64_t *work_ns, struct ordo_error *error)
{
    static const struct cores_prediction *known; /* all points of a prediction have the same work */
    static int64_t known_ns;
    struct cores_call call;
    struct ordo_json_value *document;
    *work_ns = known_ns;
    if (prediction == known)
        return ORDO_OK;
    cores_call_begin(&call);
    cores_call_option(&call, prediction->machine, "--");
    cores_call_words(&call, prediction->ratio->transaction);
    int code = cores_call_run(&call, &document, error);
    if (code)
        return code;
    double ns = transaction_ns(document, prediction->ratio->engine);
    ordo_json_free(document);
    if (!(ns >= prediction->ratio->stamps))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "'%.80s': no time of %s", prediction->ratio->transaction,
                              prediction->ratio->engine);
    known = prediction;
    *work_ns = known_ns = llround(ns / prediction->ratio->stamps);
    return ORDO_OK;
}
