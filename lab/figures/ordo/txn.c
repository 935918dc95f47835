/* OCC and Hekaton with the stamps ordo and logical, over many threads by the model of `ordo-bench txn`. Its logical clock
 * is a counter whose cache line is handed over for each timestamp, which is the case of many cores. */
#include <math.h>
#include <string.h>

#include "lab/figures/ordo/ordo.h"

enum { MOST = 240 };

static int run_workload(const char *workload, const char *runs, struct ordo_json_value **document,
                        struct ordo_error *error)
{
    const char *const arguments[] = {"ordo-bench", "txn",     "--model",      "--engine", "occ,hekaton", "--workload",
                                     workload,     "--stamp", "ordo,logical", "--rows",   "65536",       "--boundary",
                                     "1000",       "--runs",  runs,           "--json",   NULL};
    return ordo_paper_program(arguments, document, error);
}

/* Draws the points of a model, and returns the gain of Ordo at 240 threads; NAN if there are none. */
static double draw_model(struct ordo_figure_run *run, const struct ordo_json_value *model)
{
    const struct ordo_json_value *points = ordo_json_get(model, "points");
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, ordo_json_word_of(ordo_json_get(model, "algorithm")), "threads",
                          "million transactions per second", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *ordo = ordo_figure_curve(panel, "Ordo", ORDO_FIGURE_LINE);
    struct ordo_figure_curve *logical = ordo_figure_curve(panel, "logical clock", ORDO_FIGURE_LINE);
    double gain = NAN;
    for (size_t i = 0; i < ordo_json_count(points); i++) {
        const struct ordo_json_value *point = ordo_json_item(points, i);
        int threads = (int)ordo_json_whole(point, "threads", 0);
        double with = ordo_json_number(point, "ordo_per_s", NAN);
        double without = ordo_json_number(point, "logical_worst_per_s", NAN);
        ordo_figure_point(ordo, threads, with / 1e6);
        ordo_figure_point(logical, threads, without / 1e6);
        gain = threads == MOST ? with / without : gain;
    }
    return gain;
}

static int compare_engines(struct ordo_figure_run *run, const char *workload, const char *runs,
                           struct ordo_error *error)
{
    struct ordo_json_value *document;
    int code = run_workload(workload, runs, &document, error);
    if (code)
        return code;
    const struct ordo_json_value *models = ordo_json_get(document, "model");
    bool near = ordo_json_count(models) == 2;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < ordo_json_count(models); i++) {
        double gain = draw_model(run, ordo_json_item(models, i));
        least = fmin(least, gain);
        most = fmax(most, gain);
    }
    ordo_paper_gains(run, least, most);
    static const char *const engines[][2] = {{"occ/ordo", "occ/logical"}, {"hekaton/ordo", "hekaton/logical"}};
    for (int i = 0; i < 2; i++) {
        double ratio = ordo_paper_ratio(document, engines[i][0], engines[i][1], workload, 2);
        near &= ratio > 0.5 && ratio < 2;
    }
    ordo_figure_claim(run, near, "at 2 threads, measured here, neither stamp is twice as fast");
    ordo_json_free(document);
    return ORDO_OK;
}

int ordo_paper_ycsb(struct ordo_figure_run *run, struct ordo_error *error)
{
    return compare_engines(run, "ycsb-c", "15", error);
}

int ordo_paper_tpcc(struct ordo_figure_run *run, struct ordo_error *error)
{
    return compare_engines(run, "tpcc", "3", error);
}

int ordo_paper_counter(double *per_s, struct ordo_error *error)
{
    struct ordo_json_value *document;
    int code = run_workload("ycsb-c", "7", &document, error);
    *per_s = code ? NAN : ordo_paper_speed(document, "counter-contended", NULL, "timestamps", 2);
    ordo_json_free(document);
    return code;
}

int ordo_paper_stamps(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_json_value *document;
    int code = run_workload("ycsb-c", "7", &document, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "a timestamp, by threads", "threads",
                                                        "million timestamps per second", ORDO_FIGURE_LOG_Y);
    ordo_paper_draw(panel, "Ordo", document, "stamp", "ordo", "timestamps");
    ordo_paper_draw(panel, "counter, handed over", document, "counter-handed-over", NULL, "timestamps");
    double clock[3], counter[3];
    for (int i = 1; i <= 2; i++) {
        clock[i] = ordo_paper_speed(document, "stamp", "ordo", "timestamps", i);
        counter[i] = ordo_paper_speed(document, "counter-handed-over", NULL, "timestamps", i);
    }
    ordo_json_free(document);
    ordo_figure_claim(run, clock[2] / clock[1] > 10 * counter[2] / counter[1],
                      "a second thread slows a counter that is handed over at least 10 times as much as the clock");
    ordo_figure_claim(run, counter[2] < counter[1],
                      "two threads take fewer timestamps than one from a counter that is handed over");
    ordo_figure_claim(run, clock[1] < counter[1], "with one thread the counter is cheaper");
    ordo_figure_claim(run, clock[2] > 2 * counter[2],
                      "with two threads the clock is more than twice as fast as a counter that is handed over");
    return ORDO_OK;
}
