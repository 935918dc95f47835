/* The keys that the transaction benchmark draws, and its summary of latencies. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/quantile.h"
#include "txn/latency.h"
#include "txn/tpcc_random.h"
#include "txn/zipf.h"

#define DRAWS 400000

/* Returns the share of the first `ranks` among the draws. `law`: their share by Zipf's law. */
static double zipf_share(uint64_t count, double theta, uint64_t ranks, double *law)
{
    struct txn_random random = {1};
    struct txn_zipf zipf;
    uint64_t hits = 0;
    double all = 0;
    txn_zipf_init(&zipf, count, theta);
    *law = 0;
    for (uint64_t r = 0; r < count; r++) {
        double p = pow((double)(r + 1), -theta);
        all += p;
        *law += r < ranks ? p : 0;
    }
    *law /= all;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t rank = txn_zipf_rank(&zipf, &random);
        cr_assert_lt(rank, count);
        hits += rank < ranks;
    }
    return (double)hits / DRAWS;
}

Test(zipf, the_draws_follow_zipfs_law)
{
    static const double thetas[] = {0, 0.6, 0.9, 0.99};
    for (size_t t = 0; t < sizeof thetas / sizeof *thetas; t++)
        for (uint64_t ranks = 1; ranks <= 100; ranks *= 10) {
            double law, share = zipf_share(1000, thetas[t], ranks, &law);
            cr_assert_float_eq(share, law, 0.04 * law + 0.002, "theta %g, first %ju: %g, expected %g", thetas[t],
                               (uintmax_t)ranks, share, law);
        }
}

Test(zipf, distinct_ranks_have_distinct_keys)
{
    static const uint64_t counts[] = {2, 10, 1000, 65536, 262144};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        char *seen = calloc(counts[c], 1);
        struct txn_zipf zipf;
        txn_zipf_init(&zipf, counts[c], 0.5);
        for (uint64_t rank = 0; rank < counts[c]; rank++) {
            uint64_t key = txn_zipf_key(&zipf, rank);
            cr_assert_lt(key, counts[c]);
            cr_assert_not(seen[key]);
            seen[key] = 1;
        }
        free(seen);
    }
}

Test(latency, the_error_of_a_quantile_is_below_one_histogram_bucket)
{
    struct txn_random random = {2};
    struct txn_latency *latency = calloc(2, sizeof *latency);
    int64_t *exact = malloc(DRAWS * sizeof *exact);
    for (int i = 0; i < DRAWS; i++) {
        exact[i] = (int64_t)(txn_random_next(&random) >> txn_random_range(&random, 20, 63));
        txn_latency_add(&latency[i % 2], (uint64_t)exact[i]);
    }
    txn_latency_merge(&latency[0], &latency[1]);
    ordo_stats_sort_int(exact, DRAWS);
    static const double shares[] = {0.001, 0.5, 0.9, 0.99, 0.999, 1};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        double known = (double)exact[(int)ceil(shares[s] * DRAWS) - 1];
        double found = (double)txn_latency_quantile(latency, shares[s]);
        cr_assert(found >= known && found <= known * (1 + 1.0 / 64), "%g: %g, expected %g", shares[s], found, known);
    }
    free(exact);
    free(latency);
}

Test(latency, the_histogram_has_buckets_for_the_smallest_and_largest_latency)
{
    struct txn_latency *latency = calloc(1, sizeof *latency);
    cr_assert_eq(txn_latency_quantile(latency, 0.5), 0);
    txn_latency_add(latency, UINT64_MAX);
    txn_latency_add(latency, 0);
    cr_assert_eq(txn_latency_quantile(latency, 0.5), 0);
    cr_assert_eq(txn_latency_quantile(latency, 1), UINT64_MAX);
    free(latency);
}

Test(tpcc, a_last_name_joins_the_syllables_of_three_digits)
{
    static const struct {
        uint32_t number;
        const char *name;
    } known[] = {{0, "BARBARBAR"}, {371, "PRICALLYOUGHT"}, {40, "BARPRESBAR"}, {999, "EINGEINGEING"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char name[TPCC_LAST_NAME_BYTES];
        tpcc_last_name(known[i].number, name);
        cr_assert_str_eq(name, known[i].name);
    }
}

Test(tpcc, nonuniform_numbers_stay_in_range_and_are_not_uniform)
{
    struct txn_random random = {3};
    unsigned *counts = calloc(TPCC_CUSTOMERS + 1, sizeof *counts), most = 0;
    for (int i = 0; i < DRAWS; i++) {
        uint32_t customer = tpcc_random_customer(&random), item = tpcc_random_item(&random);
        cr_assert(customer >= 1 && customer <= TPCC_CUSTOMERS && item >= 1 && item <= TPCC_ITEMS);
        cr_assert_lt(tpcc_random_last_name(&random), TPCC_LAST_NAMES);
        most = ++counts[customer] > most ? counts[customer] : most;
    }
    cr_assert_gt(most, 4 * DRAWS / TPCC_CUSTOMERS, "the most frequent customer: %u", most);
    free(counts);
}
