#include <stdlib.h>

#include "net/graph/mesh.h"

static const int64_t nowhere_ps = INT64_MAX;

/* Whether the way from `from` on by a step of at most `length_ps` is shorter than what is known of `to`. */
static bool shorten(int64_t *distance_ps, int from, int to, int64_t length_ps)
{
    if (distance_ps[from] == nowhere_ps)
        return false;
    int64_t way_ps;
    if (__builtin_add_overflow(distance_ps[from], length_ps, &way_ps) || way_ps >= distance_ps[to])
        return false;
    distance_ps[to] = way_ps;
    return true;
}

/* b - a <= high, and a - b <= -low: shortest ways from host 0 (sign 1), or to it (-1). False where a loop is negative, so that
 * the ways never end. */
static bool relax(const struct ordo_net_mesh *mesh, const bool *used, const struct ordo_interval *offset,
                  int64_t *distance_ps, int sign)
{
    bool changed = true;
    for (int round = 0; changed && round <= mesh->hosts; round++) {
        changed = false;
        for (int i = 0; i < mesh->edges; i++) {
            int a = sign > 0 ? mesh->edge[i].a : mesh->edge[i].b, b = sign > 0 ? mesh->edge[i].b : mesh->edge[i].a;
            if (used && !used[i])
                continue;
            changed |= shorten(distance_ps, a, b, offset[i].high);
            changed |= shorten(distance_ps, b, a, -offset[i].low);
        }
    }
    return !changed;
}

bool ordo_net_mesh_tighten(const struct ordo_net_mesh *mesh, const bool *used, const struct ordo_interval *offset,
                           struct ordo_interval *potential)
{
    size_t hosts = (size_t)mesh->hosts;
    int64_t *high_ps = calloc(hosts, 2 * sizeof *high_ps);
    if (!high_ps)
        return false;
    int64_t *low_ps = high_ps + hosts;
    for (size_t host = 0; host < hosts; host++)
        high_ps[host] = low_ps[host] = host == 0 ? 0 : nowhere_ps;
    bool agree = relax(mesh, used, offset, high_ps, 1) && relax(mesh, used, offset, low_ps, -1);
    for (size_t host = 0; host < hosts; host++)
        potential[host] = (struct ordo_interval){low_ps[host] == nowhere_ps ? INT64_MIN : -low_ps[host], high_ps[host]};
    free(high_ps);
    return agree;
}
