#include "calibrate/measure/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/gang.h"

/* The matches that are measured at the same time. Members 2i and 2i + 1 of the gang are sides a and b of match i. */
struct group {
    const struct ordo_sweep *sweep;
    const struct ordo_schedule_match *matches;
    struct ordo_pair **pairs;
};

static unsigned member_cpu(const struct group *group, int index)
{
    const struct ordo_schedule_match *match = &group->matches[index / 2];
    return group->sweep->cpus[index % 2 ? match->b : match->a];
}

static int pin_member(void *context, int index, struct ordo_error *error)
{
    struct group *group = context;
    return ordo_topology_pin(group->sweep->topology, member_cpu(group, index), error);
}

static int measure_member(void *context, int index, struct ordo_error *error)
{
    struct group *group = context;
    struct ordo_pair *pair = group->pairs[index / 2];
    struct ordo_error reason;
    uint32_t clock = group->sweep->clock;
    int code = index % 2 ? ordo_pair_measure_b(pair, clock, group->sweep->runs, &reason)
                         : ordo_pair_measure_a(pair, clock, group->sweep->runs, &reason);
    if (code)
        return ordo_error_set(error, code, 0, "cpu %u and cpu %u: %.120s", member_cpu(group, index & ~1),
                              member_cpu(group, index | 1), reason.text);
    return ordo_topology_check_pinned(group->sweep->topology, member_cpu(group, index), error);
}

static int measure_group(struct group *group, int matches, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < matches && !code; i++) {
        unsigned near = group->sweep->cpus[group->matches[i].a];
        group->pairs[i] = ordo_topology_alloc(group->sweep->topology, near, sizeof **group->pairs, error);
        if (!group->pairs[i])
            code = ORDO_E_SYSTEM;
    }
    return code ? code : ordo_gang_run(2 * matches, pin_member, measure_member, group, error);
}

/* Measures `count` matches at the same time, and stores each result in the visit that `slot` returns. */
static int visit_group(const struct ordo_sweep *sweep, const struct ordo_schedule_match *matches, int count,
                       struct ordo_visit **slots, uint64_t *fewest_runs, struct ordo_error *error)
{
    struct ordo_pair **pairs = calloc((size_t)count, sizeof *pairs);
    struct group group = {sweep, matches, pairs};
    if (!pairs)
        return ordo_error_errno(error, "sweep");
    int code = measure_group(&group, count, error);
    for (int i = 0; i < count; i++) {
        if (!code) {
            uint64_t fewer = pairs[i]->runs_ab < pairs[i]->runs_ba ? pairs[i]->runs_ab : pairs[i]->runs_ba;
            *fewest_runs = fewer < *fewest_runs ? fewer : *fewest_runs;
            *slots[i] = pairs[i]->visit;
        }
        ordo_topology_free(sweep->topology, pairs[i], sizeof **pairs);
    }
    free(pairs);
    return code;
}

int ordo_sweep_pair(const struct ordo_sweep *sweep, struct ordo_schedule_match match, struct ordo_visit *visit,
                    uint64_t *fewest_runs, struct ordo_error *error)
{
    return visit_group(sweep, &match, 1, &visit, fewest_runs, error);
}

int ordo_sweep_all(const struct ordo_sweep *sweep, struct ordo_visit *visits, uint64_t *fewest_runs,
                   struct ordo_error *error)
{
    size_t half = (size_t)sweep->count / 2 + 1;
    struct ordo_schedule_match *matches = calloc(half, sizeof *matches);
    struct ordo_visit **slots = calloc(half, sizeof *slots);
    int code = matches && slots ? ORDO_OK : ordo_error_errno(error, "sweep");
    int done = 0;
    for (int round = 0; round < ordo_schedule_rounds(sweep->count) && !code; round++) {
        int count = ordo_schedule_round(sweep->count, round, matches);
        int together = sweep->parallel ? count : 1;
        for (int i = 0; i < count; i++)
            slots[i] = &visits[matches[i].a * sweep->count + matches[i].b];
        for (int i = 0; i < count && !code; i += together) {
            code = visit_group(sweep, &matches[i], together, &slots[i], fewest_runs, error);
            done += together;
            if (sweep->progress && !code && sweep->progress(sweep->progress_context, done))
                code = ordo_error_set(error, ORDO_E_CANCELLED, 0, "calibration: cancelled after %d pairs of a sweep",
                                      done);
        }
    }
    free(matches);
    free(slots);
    return code;
}
