#include "quick.h"

#include <stdlib.h>

#include "base/time.h"
#include "calibrate/watch/hop.h"
#include "calibrate/watch/look.h"
#include "calibrate/watch/walk.h"

enum { LOOKS_NS = 30000000, LEAST_RATE_NS = 5000000, PASSES = 8 };

/* A CPU that the walk had to leave out. */
static int find_missing(const unsigned *cpus, int count, const struct ordo_stop *stops, int made,
                        struct ordo_error *error)
{
    for (int i = 0; i <= count; i++)
        if (i >= made || stops[i].cpu != cpus[i % count])
            return ordo_error_set(error, ORDO_E_MEASURE, 0, "cpu %u: this process may not run there to measure it",
                                  cpus[i % count]);
    return ORDO_OK;
}

static void fill(struct quick_pair *pairs, int found, const struct ordo_stop *stops, int made)
{
    for (int i = 0; i < found; i++)
        pairs[i] = (struct quick_pair){stops[i].cpu, stops[i + 1].cpu, ordo_walk_interval(stops, made, i)};
}

/* What the walk showed can only become narrower. A CPU that is busy is left with that. */
static void narrow(struct quick_pair *pairs, int found, int64_t until_ns)
{
    struct ordo_looker *looker = ordo_looker_open(NULL);
    struct ordo_visit visit;
    for (int i = 0; looker && i < PASSES * found && ordo_raw_ns() < until_ns; i++) {
        struct quick_pair *pair = &pairs[i % found];
        if (ordo_looker_look(looker, pair->a, pair->b, &visit, NULL) == ORDO_OK)
            pair->offset = ordo_interval_intersect(pair->offset, ordo_offset_of_visit(&visit));
    }
    ordo_looker_close(looker);
}

/* The rate between the walk and now, on the first CPU. */
static double rate(const struct ordo_stop *first)
{
    struct ordo_stop last[2];
    int64_t left_ns = first->raw_ns + LEAST_RATE_NS - ordo_raw_ns();
    ordo_sleep_ns(left_ns);
    if (ordo_walk_take(&first->cpu, 1, last) < 1 || last->raw_ns <= first->raw_ns)
        return 0;
    return (double)(int64_t)(last->arrived_ticks - first->left_ticks) * 1e9 / (double)(last->raw_ns - first->raw_ns);
}

int quick_measure(const unsigned *cpus, int count, struct quick_pair *pairs, int *found, double *tick_hz,
                  struct ordo_error *error)
{
    struct ordo_stop *stops = calloc((size_t)count + 1, sizeof *stops);
    char unused[8];
    *found = count > 2 ? count : count - 1;
    if (!stops)
        return ordo_error_errno(error, "check");
    int64_t until_ns = ordo_raw_ns() + LOOKS_NS;
    int made = ordo_walk_take(cpus, count, stops);
    int code = find_missing(cpus, count, stops, made, error);
    if (!code) {
        fill(pairs, *found, stops, made);
        narrow(pairs, *found, until_ns);
        *tick_hz = rate(&stops[0]);
    }
    ordo_hop_release(unused, sizeof unused);
    free(stops);
    return code;
}
