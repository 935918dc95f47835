#include "calibrate/bound/cycle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

/* True if no sum of n + 1 deltas overflows. */
static bool small_enough(const int64_t *deltas, int n)
{
    int64_t most = (INT64_C(1) << 61) / (n + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && (deltas[i * n + j] >= most || deltas[i * n + j] <= -most))
                return false;
    return true;
}

/* Extends all walks by one edge: after[j] = max over i != j of before[i] + delta_ij, the weight of the heaviest walk
 * that ends in j. */
static void lengthen(const int64_t *deltas, int n, const int64_t *before, int64_t *after)
{
    for (int j = 0; j < n; j++)
        after[j] = INT64_MIN;
    for (int i = 0; i < n; i++) {
        const int64_t *row = deltas + (size_t)i * (size_t)n;
        for (int j = 0; j < i; j++)
            after[j] = ordo_max(after[j], before[i] + row[j]);
        for (int j = i + 1; j < n; j++)
            after[j] = ordo_max(after[j], before[i] + row[j]);
    }
}

static int64_t divide_up(int64_t value, int64_t by)
{
    return value / by + (value % by > 0);
}

/* Karp's theorem: the largest cycle mean is the maximum over v of the minimum over k < n of
 *
 *     (W_n(v) - W_k(v)) / (n - k),
 *
 * where W_k(v) is the weight of the heaviest walk of k edges that ends in v. Each quotient is rounded up. Because
 * rounding preserves the order, the result is the mean rounded up. */
static int64_t cycle_mean_up(const int64_t *walks, int n)
{
    const int64_t *longest = walks + (size_t)n * (size_t)n;
    int64_t mean = INT64_MIN;
    for (int v = 0; v < n; v++) {
        int64_t least = INT64_MAX;
        for (int k = 0; k < n; k++)
            least = ordo_min(least, divide_up(longest[v] - walks[(size_t)k * (size_t)n + (size_t)v], n - k));
        mean = ordo_max(mean, least);
    }
    return mean;
}

/* Finds, as Bellman, the shortest paths with the weights `limit` - delta, from an additional node that has an edge of
 * weight 0 to every other node. Because no cycle is negative, no shortest path has more than n edges. */
static void find_paths(const int64_t *deltas, int n, int64_t limit, int64_t *paths)
{
    bool moved = true;
    memset(paths, 0, (size_t)n * sizeof *paths);
    for (int edges = 0; moved && edges <= n; edges++) {
        moved = false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int64_t through = i == j ? 0 : paths[i] + limit - deltas[(size_t)i * (size_t)n + (size_t)j];
                if (i != j && through < paths[j]) {
                    paths[j] = through;
                    moved = true;
                }
            }
    }
}

static int64_t largest_corrected(const int64_t *deltas, int n, const int64_t *corrections)
{
    int64_t largest = INT64_MIN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j)
                largest =
                    ordo_max(largest, deltas[(size_t)i * (size_t)n + (size_t)j] + corrections[j] - corrections[i]);
    return largest;
}

int64_t ordo_cycle_correct(const int64_t *deltas, int n, int64_t *corrections)
{
    size_t row = (size_t)n;
    if (!small_enough(deltas, n))
        return ORDO_CYCLE_NONE;
    int64_t *walks = calloc((row + 1) * row, sizeof *walks); /* [edges][last] */
    if (!walks)
        return ORDO_CYCLE_NONE;
    for (size_t k = 0; k < row; k++)
        lengthen(deltas, n, walks + k * row, walks + (k + 1) * row);
    find_paths(deltas, n, cycle_mean_up(walks, n), corrections);
    free(walks);
    int64_t least = 0;
    for (int i = 0; i < n; i++)
        least = ordo_min(least, corrections[i]);
    for (int i = 0; i < n; i++)
        corrections[i] -= least;
    return largest_corrected(deltas, n, corrections);
}
