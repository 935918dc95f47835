/* The result as CSV: one line for each protocol; a value that does not exist is an empty field. */
#include <math.h>

#include "lab/ordo-lab/result.h"

static void print_field(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        printf(",");
}

void result_print_csv(const struct result *result)
{
    printf("protocol,hosts,mean_signed_ns,mean_absolute_ns,stddev_ns,p50_ns,p75_ns,p95_ns,p99_ns,max_ns,bound_ns,bound_"
           "held,"
           "bytes_per_second_per_host,converged_after_s\n");
    for (int i = 0; i < result->count; i++) {
        const struct ordo_net_score *score = &result->protocols[i].outcome.score;
        printf("\"%s\",%d", result->protocols[i].name, score->hosts);
        print_field(score->mean_signed_ns);
        print_field(score->mean_absolute_ns);
        print_field(score->stddev_ns);
        print_field(score->p50_ns);
        print_field(score->p75_ns);
        print_field(score->p95_ns);
        print_field(score->p99_ns);
        print_field(score->max_ns);
        print_field(score->bound_ns);
        printf(",%s", score->bound_held ? "yes" : "no");
        print_field(score->bytes_per_second_per_host);
        print_field(score->converged_after_s);
        printf("\n");
    }
}
