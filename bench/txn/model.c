#include "model.h"

#include <string.h>

#include "trial.h"

/* The measured cost of an increment of the counter:
 * - contended: all threads increment at once, and a CPU keeps the line for several increments;
 * - handed over: the threads increment in turn, and every increment moves the line. */
struct line {
    double contended_ns, handed_over_ns;
};

/* An engine at one thread count, with the stamp ordo and with the stamp logical. */
struct pair {
    const char *engine, *workload;
    int threads;
    double ordo_per_s, logical_per_s; /* transactions per second of one thread */
    double stamps;                    /* per transaction, with the stamp logical */
};

static const int modelled[] = {1, 2, 4, 8, 16, 32, 60, 120, 240};

#define MODELLED (sizeof modelled / sizeof *modelled)

/* Returns the transactions per second with the stamp logical: proportional to the threads, up to the limit at which the
 * counter's line moves all the time. */
static double with_counter(const struct pair *pair, int threads, double line_ns)
{
    double work = threads * pair->logical_per_s, line = 1e9 / (pair->stamps * line_ns);
    return work < line ? work : line;
}

static void print_line(FILE *stream, const struct pair *pair, const struct line *line)
{
    fprintf(
        stream,
        "\nMODEL, not a measurement: %s of %s on larger machines, transactions per second\n"
        "It assumes that threads slow each other by no more than the %d measured here do, but for the counter, whose "
        "line\nmoves once for each of the %.2f timestamps of a transaction: in %.1f ns (as measured, contended) at "
        "best,\nin %.1f ns (as measured, handed over) at worst.\n"
        "%9s %14s %31s %27s\n",
        pair->engine, pair->workload, pair->threads, pair->stamps, line->contended_ns, line->handed_over_ns, "threads",
        "ordo", "logical, worst and best case", "ordo over logical");
    for (size_t i = 0; i < MODELLED; i++) {
        double ordo = modelled[i] * pair->ordo_per_s;
        double worst = with_counter(pair, modelled[i], line->handed_over_ns);
        double best = with_counter(pair, modelled[i], line->contended_ns);
        fprintf(stream, "%9d %14.0f %15.0f %15.0f %13.2f %13.2f\n", modelled[i], ordo, worst, best, ordo / worst,
                ordo / best);
    }
}

static struct ordo_json points_of(const struct pair *pair, const struct line *line)
{
    struct ordo_json points = ordo_json_array();
    for (size_t i = 0; i < MODELLED; i++) {
        struct ordo_json point = ordo_json_object();
        ordo_json_put_int(&point, "threads", modelled[i]);
        ordo_json_put_real(&point, "ordo_per_s", modelled[i] * pair->ordo_per_s);
        ordo_json_put_real(&point, "logical_worst_per_s", with_counter(pair, modelled[i], line->handed_over_ns));
        ordo_json_put_real(&point, "logical_best_per_s", with_counter(pair, modelled[i], line->contended_ns));
        ordo_json_add(&points, point);
    }
    return points;
}

static struct ordo_json line_json(const struct pair *pair, const struct line *line, bool busy)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "kind", "model, not a measurement");
    ordo_json_put_bool(&object, "busy", busy);
    ordo_json_put_text(&object, "algorithm", pair->engine);
    ordo_json_put_text(&object, "workload", pair->workload);
    ordo_json_put_int(&object, "fitted_at_threads", pair->threads);
    ordo_json_put_real(&object, "stamps_per_transaction", pair->stamps);
    ordo_json_put_real(&object, "counter_contended_ns", line->contended_ns);
    ordo_json_put_real(&object, "counter_handed_over_ns", line->handed_over_ns);
    ordo_json_put(&object, "points", points_of(pair, line));
    return object;
}

/* Finds the results of `ordo` and of the same engine with the stamp logical; returns false if these were not
 * measured. */
static bool find_pair(const struct bench_set *set, const struct bench_cell *ordo, struct pair *pair)
{
    char name[BENCH_NAME];
    const char *stamp = ordo->variant->stamp;
    (void)snprintf(name, sizeof name, "%s/logical", ordo->variant->algorithm);
    const struct bench_cell *logical = bench_find(set, name, ordo->threads);
    if (!stamp || strcmp(stamp, "ordo") != 0 || !logical)
        return false;
    const struct txn_work *work = &txn_cell_result(logical)->work;
    *pair = (struct pair){
        .engine = ordo->variant->algorithm,
        .workload = ordo->variant->workload,
        .threads = ordo->threads,
        .ordo_per_s = bench_ops_per_s(set, ordo).median / ordo->threads,
        .logical_per_s = bench_ops_per_s(set, logical).median / ordo->threads,
        .stamps = (double)work->counts.stamps / (double)work->transactions,
    };
    return pair->stamps > 0;
}

void txn_model_report(struct bench_report *report, const struct bench_set *set, const struct bench_set *stamps)
{
    int most = set->cells[set->cell_count - 1].threads;
    const struct bench_cell *contended = bench_find(stamps, "counter-contended", most);
    const struct bench_cell *handed_over = bench_find(stamps, "counter-handed-over", most);
    if (most == 1 || !contended || !handed_over)
        return;
    const struct line line = {.contended_ns = bench_ns_per_op(stamps, contended) / most,
                              .handed_over_ns = bench_ns_per_op(stamps, handed_over) / most};
    for (int i = 0; i < set->cell_count; i++) {
        struct pair pair;
        if (set->cells[i].threads != most || !find_pair(set, &set->cells[i], &pair))
            continue;
        if (report->json) {
            ordo_json_append(&report->document, "model", line_json(&pair, &line, bench_report_busy(report)));
        } else {
            print_line(report->stream, &pair, &line);
            bench_report_print_busy(report);
        }
    }
}
