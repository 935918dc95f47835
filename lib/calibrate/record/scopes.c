#include "calibrate/record/scopes.h"

#include <stdlib.h>

static uint32_t place_of(const struct ordo_scopes *scopes, int index, int kind)
{
    const struct ordo_place *place = &scopes->places[index];
    return kind == ORDO_SCOPE_L3 ? place->l3 : kind == ORDO_SCOPE_PACKAGE ? place->package : place->numa;
}

static int64_t boundary_of(const struct ordo_scopes *scopes, const int *members, int count)
{
    const int64_t most = INT64_C(1) << 61; /* larger deltas are never measured, and would overflow in the sums below */
    int64_t largest = count > 1 ? INT64_MIN : 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int64_t delta = scopes->delta_ticks[(size_t)members[i] * (size_t)scopes->count + (size_t)members[j]];
            if (i != j && (delta > most || delta < -most))
                return 0;
            if (i != j)
                largest = ordo_max(largest, delta);
        }
    return ordo_max(largest + scopes->added_ticks, 0);
}

/* Calls `visit` for the scope of this kind whose first CPU is `first`. Does nothing if there is no such scope. */
static int visit_from(const struct ordo_scopes *scopes, int kind, int first, int *members, unsigned *cpus,
                      int (*visit)(void *context, const struct ordo_scope_found *scope), void *context)
{
    uint32_t number = place_of(scopes, first, kind);
    int count = 0;
    for (int i = 0; i < scopes->count; i++)
        if (place_of(scopes, i, kind) == number) {
            cpus[count] = scopes->cpus[i];
            members[count++] = i;
        }
    if (number == ORDO_PLACE_NONE || members[0] != first)
        return 0;
    struct ordo_scope_found found = {ordo_scope_word(kind), cpus, count, boundary_of(scopes, members, count)};
    return visit(context, &found);
}

int ordo_scopes_visit(const struct ordo_scopes *scopes,
                      int (*visit)(void *context, const struct ordo_scope_found *scope), void *context)
{
    static const int kinds[] = {ORDO_SCOPE_L3, ORDO_SCOPE_PACKAGE, ORDO_SCOPE_NUMA};
    int *members = calloc((size_t)scopes->count + 1, sizeof *members);
    unsigned *cpus = calloc((size_t)scopes->count + 1, sizeof *cpus);
    int stopped = members && cpus ? 0 : -1;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int first = 0; first < scopes->count && !stopped; first++)
            stopped = visit_from(scopes, kinds[k], first, members, cpus, visit, context);
    free(members);
    free(cpus);
    return stopped;
}

struct ordo_scopes ordo_scopes_of(const struct ordo_calibration *calibration)
{
    return (struct ordo_scopes){.count = calibration->count,
                                .cpus = calibration->cpus,
                                .places = calibration->places,
                                .delta_ticks = calibration->delta_ticks,
                                .added_ticks =
                                    (int64_t)calibration->granule_ticks + (int64_t)calibration->margin_ticks};
}
