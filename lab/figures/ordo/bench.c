/* The results of ordo-bench. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "common/call.h"
#include "lab/figures/ordo/ordo.h"
#include "lab/figures/program.h"

int ordo_paper_program(const char *const *arguments, struct ordo_json_value **document, struct ordo_error *error)
{
    char path[PATH_MAX];
    *document = NULL;
    if (!cli_beside(arguments[0], path, sizeof path))
        return ordo_error_set(error, ORDO_E_MISSING, 0, "%s is not beside this program: build it", arguments[0]);
    return ordo_figure_program(arguments, document, error);
}

static bool is_word_of_bench(const struct ordo_json_value *object, const char *key, const char *word)
{
    const char *found = ordo_json_word_of(ordo_json_get(object, key));
    return word ? found && strcmp(found, word) == 0 : !found;
}

static bool is_result(const struct ordo_json_value *result, const char *algorithm, const char *stamp,
                      const char *workload)
{
    return is_word_of_bench(result, "algorithm", algorithm) && is_word_of_bench(result, "stamp", stamp) &&
           is_word_of_bench(result, "workload", workload);
}

/* The range is that of the abstract, over all algorithms and machines. The least gain has no tolerance. The largest has a
 * factor of 2, because the models of OCC and Hekaton take the time to hand over a counter from this machine, and that
 * time changes by more than 2 with the placement of virtual CPUs. */
void ordo_paper_gains(struct ordo_figure_run *run, double least, double most)
{
    ordo_figure_value(run, "least gain over a logical clock, many threads (model)", "times", ORDO_PAPER_LEAST_GAIN,
                      least, ORDO_FIGURE_MORE, 1);
    ordo_figure_value(run, "largest gain over a logical clock, many threads (model)", "times", 39.7, most,
                      ORDO_FIGURE_LIMIT, 2);
}

static double speed_of(const struct ordo_json_value *result)
{
    return ordo_json_number(ordo_json_get(result, "ops_per_s"), "median", NAN);
}

double ordo_paper_speed(const struct ordo_json_value *document, const char *algorithm, const char *stamp,
                        const char *workload, int threads)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        if (is_result(result, algorithm, stamp, workload) && ordo_json_whole(result, "threads", 0) == threads)
            return speed_of(result);
    }
    return NAN;
}

double ordo_paper_ratio(const struct ordo_json_value *document, const char *of, const char *over, const char *workload,
                        int threads)
{
    const struct ordo_json_value *ratios = ordo_json_get(document, "ratios");
    for (size_t i = 0; i < ordo_json_count(ratios); i++) {
        const struct ordo_json_value *ratio = ordo_json_item(ratios, i);
        if (is_word_of_bench(ratio, "of", of) && is_word_of_bench(ratio, "over", over) &&
            is_word_of_bench(ratio, "workload", workload) && ordo_json_whole(ratio, "threads", 0) == threads)
            return ordo_json_number(ratio, "median", NAN);
    }
    return NAN;
}

void ordo_paper_draw(struct ordo_figure_panel *panel, const char *name, const struct ordo_json_value *document,
                     const char *algorithm, const char *stamp, const char *workload)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        if (is_result(result, algorithm, stamp, workload))
            ordo_figure_point(curve, (double)ordo_json_whole(result, "threads", 0), speed_of(result) / 1e6);
    }
}
