#include "lab/ordo-lab/evaluation.h"

#include <stdio.h>
#include <stdlib.h>

#include "lab/ordo-lab/result.h"
#include "json/builder.h"

enum { BAR = 40, PERCENT = ORDO_NET_CURVE / 100 };

void evaluation_take(struct evaluation *evaluation, double error_ns)
{
    if (evaluation->count == evaluation->room) {
        size_t room = evaluation->room ? 2 * evaluation->room : 256;
        double *larger = realloc(evaluation->errors_ns, room * sizeof *larger);
        evaluation->full |= !larger;
        if (!larger)
            return;
        evaluation->errors_ns = larger;
        evaluation->room = room;
    }
    evaluation->errors_ns[evaluation->count++] = error_ns;
}

void evaluation_end(struct evaluation *evaluation)
{
    evaluation->histogram = ordo_net_histogram_of(evaluation->errors_ns, evaluation->count);
    ordo_net_score_describe(&evaluation->score, evaluation->errors_ns, evaluation->count);
}

static double edge_ns(const struct ordo_net_histogram *histogram, int bin)
{
    return histogram->low_ns + (histogram->high_ns - histogram->low_ns) * bin / ORDO_NET_HISTOGRAM;
}

static void print_histogram(const struct ordo_net_histogram *histogram)
{
    size_t most = 1;
    for (int bin = 0; bin < ORDO_NET_HISTOGRAM; bin++)
        most = histogram->count[bin] > most ? histogram->count[bin] : most;
    printf("%12s %12s %7s\n", "from, ns", "to", "offsets");
    for (int bin = 0; bin < ORDO_NET_HISTOGRAM; bin++) {
        int width = (int)((histogram->count[bin] * BAR + most - 1) / most);
        printf("%12.0f %12.0f %7zu%s%.*s\n", edge_ns(histogram, bin), edge_ns(histogram, bin + 1),
               histogram->count[bin], width ? "  " : "", width, "########################################");
    }
}

void evaluation_print_table(const struct evaluation *evaluation)
{
    const struct ordo_net_score *score = &evaluation->score;
    printf("%s, %d exchange%s/s for %g s: %zu offsets reported between two ends that read one clock, true offset 0\n",
           evaluation->daemon->program, evaluation->rate, evaluation->rate == 1 ? "" : "s", evaluation->seconds,
           score->claims);
    printf("%-10s %9s %9s %9s %9s %9s %9s %9s %9s\n", "error, ns", "mean", "stddev", "mean abs", "p50", "p75", "p95",
           "p99", "max");
    printf("%-10s %9.0f %9.0f %9.0f %9.0f %9.0f %9.0f %9.0f %9.0f\n", evaluation->daemon->name, score->mean_signed_ns,
           score->stddev_ns, score->mean_absolute_ns, score->p50_ns, score->p75_ns, score->p95_ns, score->p99_ns,
           score->max_ns);
    print_histogram(&evaluation->histogram);
}

void evaluation_print_csv(const struct evaluation *evaluation)
{
    const struct ordo_net_score *score = &evaluation->score;
    const struct ordo_net_histogram *histogram = &evaluation->histogram;
    printf("table,from,to,value\nmean_signed_ns,,,%.9g\nmean_absolute_ns,,,%.9g\nstddev_ns,,,%.9g\n",
           score->mean_signed_ns, score->mean_absolute_ns, score->stddev_ns);
    for (int i = 0; i < ORDO_NET_CURVE; i += PERCENT)
        printf("cdf_percent_ns,0,%d,%.9g\n", i / PERCENT, score->curve_ns[i]);
    for (int bin = 0; bin < ORDO_NET_HISTOGRAM; bin++)
        printf("histogram_ns,%.9g,%.9g,%zu\n", edge_ns(histogram, bin), edge_ns(histogram, bin + 1),
               histogram->count[bin]);
}

static struct ordo_json bin_of(const struct ordo_net_histogram *histogram, int bin)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "from_ns", edge_ns(histogram, bin));
    ordo_json_put_real(&object, "to_ns", edge_ns(histogram, bin + 1));
    ordo_json_put_int(&object, "offsets", (int64_t)histogram->count[bin]);
    return object;
}

int evaluation_print_json(const struct evaluation *evaluation)
{
    struct ordo_json document = ordo_json_document("ordo-lab-evaluate/1"), histogram = ordo_json_array(),
                     cdf = ordo_json_array();
    for (int bin = 0; bin < ORDO_NET_HISTOGRAM; bin++)
        ordo_json_add(&histogram, bin_of(&evaluation->histogram, bin));
    for (int i = 0; i < ORDO_NET_CURVE; i += PERCENT)
        ordo_json_add(&cdf, ordo_json_real(evaluation->score.curve_ns[i]));
    ordo_json_put_text(&document, "daemon", evaluation->daemon->name);
    ordo_json_put_int(&document, "exchanges_per_second", evaluation->rate);
    ordo_json_put_real(&document, "seconds", evaluation->seconds);
    ordo_json_put_int(&document, "offsets", (int64_t)evaluation->score.claims);
    ordo_json_put(&document, "error_ns", result_errors_json(&evaluation->score));
    ordo_json_put(&document, "cdf_ns", cdf);
    ordo_json_put(&document, "histogram", histogram);
    return ordo_json_write(&document, stdout);
}
