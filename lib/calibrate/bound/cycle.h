/* The best corrections that a matrix of deltas allows.
 *
 * delta_ij bounds clock j minus clock i from above. With clocks corrected by k (corrected = clock + k) it becomes
 * delta_ij + k_j - k_i. Along a cycle the corrections cancel, so they do not change the sum of a cycle's deltas, and
 * the largest delta of a cycle is at least its mean. Therefore no corrections make the largest delta smaller than the
 * largest mean of any cycle.
 *
 * This limit can be reached: if L is at least that mean, no cycle of the weights L - delta_ij is negative, so shortest
 * paths exist, and their lengths k obey k_j <= k_i + L - delta_ij, which is delta_ij + k_j - k_i <= L.
 *
 * Corrections are whole ticks, for which the limit is the mean rounded up: with L = ceil(mean) all weights are whole,
 * and so are the paths. L is less than a tick above the mean, and the least value that whole ticks can reach.
 *
 * R. M. Karp, "A characterization of the minimum cycle mean in a digraph", Discrete Mathematics 23 (1978): the mean.
 * R. Bellman, "On a routing problem", Quarterly of Applied Mathematics 16 (1958): the paths. */
#ifndef ORDO_CALIBRATE_BOUND_CYCLE_H
#define ORDO_CALIBRATE_BOUND_CYCLE_H

#include <stdint.h>

/** Computes corrections of n clocks, n at least 2, from deltas[i * n + j], i not j, each smaller than 2^61 / (n + 1).
 * The least correction is 0. Returns the largest corrected delta, or ORDO_CYCLE_NONE if out of memory or if a delta is
 * too large. Exact, because it uses whole numbers only. O(n^3) time, n^2 words of memory. */
int64_t ordo_cycle_correct(const int64_t *deltas, int n, int64_t *corrections);

#define ORDO_CYCLE_NONE INT64_MAX

#endif
