#include "quick.h"

#include <stdlib.h>

#include "base/time.h"
#include "calibrate/watch/hop.h"
#include "calibrate/watch/look.h"
#include "calibrate/watch/walk.h"

enum { LOOKS_NS = 30000000, LEAST_RATE_NS = 5000000, PASSES = 8 };

/* Lists the CPUs of `cpus` that this thread may run on, in the order of `cpus`. Returns their number. `*missing`
 * becomes the first CPU that the thread may not run on, or -1. */
static int find_reachable(const unsigned *cpus, int count, unsigned *reachable, long *missing)
{
    int found = 0;
    *missing = -1;
    for (int i = 0; i < count; i++)
        if (ordo_hop_to(cpus[i]))
            reachable[found++] = cpus[i];
        else if (*missing < 0)
            *missing = (long)cpus[i];
    return found;
}

static void fill_pair_list(struct quick_pair *pairs, int found, const struct ordo_stop *stops, int made)
{
    for (int i = 0; i < found; i++)
        pairs[i] = (struct quick_pair){stops[i].cpu, stops[i + 1].cpu, ordo_walk_interval(stops, made, i)};
}

/* Narrows the intervals of the walk by exchanges between pairs. A pair with a busy CPU keeps the interval of the walk.
 * Returns the number of answered exchanges. */
static int narrow_pairs(struct quick_pair *pairs, int found, int64_t until_ns)
{
    struct ordo_looker *looker = ordo_looker_open(NULL);
    struct ordo_visit visit;
    int answered = 0;
    for (int i = 0; looker && i < PASSES * found && ordo_raw_ns() < until_ns; i++) {
        struct quick_pair *pair = &pairs[i % found];
        if (ordo_looker_look(looker, pair->a, pair->b, &visit, NULL) != ORDO_OK)
            continue;
        pair->offset = ordo_interval_intersect(pair->offset, ordo_offset_of_visit(&visit));
        answered++;
    }
    ordo_looker_close(looker);
    return answered;
}

/* Returns the clock's rate between the walk and now, on the first CPU; 0 if unknown. */
static double rate(const struct ordo_stop *first)
{
    struct ordo_stop last[2];
    int64_t left_ns = first->raw_ns + LEAST_RATE_NS - ordo_raw_ns();
    ordo_sleep_ns(left_ns);
    if (ordo_walk_take(&first->cpu, 1, last) < 1 || last->raw_ns <= first->raw_ns)
        return 0;
    return (double)(int64_t)(last->arrived_ticks - first->left_ticks) * 1e9 / (double)(last->raw_ns - first->raw_ns);
}

/* Walks over these CPUs, then makes exchanges. True if all CPUs were reached and the rate is known. */
static bool measure_offsets(const unsigned *cpus, int count, struct ordo_stop *stops, struct quick *quick)
{
    int64_t until_ns = ordo_raw_ns() + LOOKS_NS;
    int made = ordo_walk_take(cpus, count, stops);
    if (count == 0 || made != count + 1)
        return false;
    quick->found = count > 2 ? count : count - 1;
    fill_pair_list(quick->pairs, quick->found, stops, made);
    quick->answered = narrow_pairs(quick->pairs, quick->found, until_ns);
    quick->tick_hz = rate(&stops[0]);
    return quick->tick_hz > 0;
}

int quick_measure(const unsigned *cpus, int count, struct quick *quick, struct ordo_error *error)
{
    struct ordo_stop *stops = calloc((size_t)count + 1, sizeof *stops);
    unsigned *reachable = calloc((size_t)count + 1, sizeof *reachable);
    char unused[8];
    long missing = -1;
    int code = stops && reachable ? ORDO_OK : ordo_error_errno(error, "check");
    if (!code && !measure_offsets(reachable, find_reachable(cpus, count, reachable, &missing), stops, quick) &&
        missing < 0)
        missing = (long)cpus[0]; /* the cgroup changed meanwhile */
    if (missing >= 0)
        code =
            ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %ld: this process may not run there to measure it", missing);
    ordo_hop_release(unused, sizeof unused);
    free(reachable);
    free(stops);
    return code;
}
