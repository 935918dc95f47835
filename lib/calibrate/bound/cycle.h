/* The best corrections that a matrix of deltas allows.
 *
 * delta_ij bounds clock j minus clock i from above. If clocks are corrected by k (corrected = clock + k), the bound
 * becomes delta_ij + k_j - k_i. Along a cycle the corrections cancel, so they do not change the sum of the cycle's
 * deltas, nor its mean. The largest corrected delta of a cycle is at least this mean. Therefore no corrections make the
 * largest delta smaller than the largest mean of any cycle.
 *
 * This limit can be reached. If L is at least the largest mean, no cycle with the weights L - delta_ij is negative, so
 * shortest paths exist. Their lengths k satisfy k_j <= k_i + L - delta_ij, that is, delta_ij + k_j - k_i <= L.
 *
 * Corrections are whole ticks, so the limit is the mean rounded up: with L = ceil(mean) all weights are integers, and
 * so are the lengths of the paths. No smaller L is possible with whole ticks.
 *
 * R. M. Karp, "A characterization of the minimum cycle mean in a digraph", Discrete Mathematics 23 (1978): the mean.
 * R. Bellman, "On a routing problem", Quarterly of Applied Mathematics 16 (1958): the paths. */
#ifndef ORDO_CALIBRATE_BOUND_CYCLE_H
#define ORDO_CALIBRATE_BOUND_CYCLE_H

#include <stdint.h>

/** Computes corrections of n clocks, n at least 2, from deltas[i * n + j], i not j, each smaller than 2^61 / (n + 1).
 * The smallest correction is 0. Returns the largest corrected delta, or ORDO_CYCLE_NONE if out of memory or if a delta
 * is too large. The result is exact, because all numbers are integers. Takes O(n^3) time and n^2 words of memory. */
int64_t ordo_cycle_correct(const int64_t *deltas, int n, int64_t *corrections);

#define ORDO_CYCLE_NONE INT64_MAX

#endif
