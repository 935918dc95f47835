#include "net/huygens/window.h"

#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "net/offset/cone.h"

bool ordo_net_window_make(struct ordo_net_window *window, const struct ordo_net_mesh *mesh)
{
    size_t edges = (size_t)mesh->edges, hosts = (size_t)mesh->hosts;
    *window = (struct ordo_net_window){.mesh = mesh, .balanced = true};
    window->used = calloc(edges, sizeof *window->used);
    window->hulls = calloc(edges, sizeof *window->hulls);
    window->points = calloc(edges, sizeof *window->points);
    window->line = calloc(edges, sizeof *window->line);
    window->offset_ps = calloc(edges, sizeof *window->offset_ps);
    window->proved = calloc(edges, sizeof *window->proved);
    window->order = calloc(hosts, sizeof *window->order);
    window->via = calloc(hosts, sizeof *window->via);
    window->potential_ps = calloc(hosts, sizeof *window->potential_ps);
    window->bound = calloc(hosts, sizeof *window->bound);
    return window->used && window->hulls && window->points && window->line && window->offset_ps && window->proved &&
           window->order && window->via && window->potential_ps && window->bound;
}

void ordo_net_window_forget(struct ordo_net_window *window)
{
    for (int i = 0; window->hulls && window->points && window->used && i < window->mesh->edges; i++) {
        ordo_net_hulls_free(&window->hulls[i]);
        window->points[i] = (struct ordo_net_samples){0};
        window->used[i] = false;
    }
}

void ordo_net_window_free(struct ordo_net_window *window)
{
    ordo_net_window_forget(window);
    free(window->used);
    free(window->hulls);
    free(window->points);
    free(window->line);
    free(window->offset_ps);
    free(window->proved);
    free(window->order);
    free(window->via);
    free(window->potential_ps);
    free(window->bound);
}

/* Where the points are, so that the line is told where it is known best. */
static int64_t middle_of(const struct ordo_net_samples *samples)
{
    int64_t first_ps = ordo_min(samples->forward[0].at_ps, samples->reverse[0].at_ps);
    int64_t last_ps =
        ordo_max(samples->forward[samples->forwards - 1].at_ps, samples->reverse[samples->reverses - 1].at_ps);
    return first_ps + (last_ps - first_ps) / 2;
}

bool ordo_net_window_take(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples,
                          const struct ordo_net_offset_estimator *estimator)
{
    if (samples->forwards == 0 || samples->reverses == 0)
        return true;
    window->line[edge].at_ps = middle_of(samples);
    if (!ordo_net_hulls_make(&window->hulls[edge], samples) ||
        !estimator->estimate(samples, &window->hulls[edge], &window->line[edge]))
        return false;
    window->used[edge] = true;
    return true;
}

bool ordo_net_window_prove(struct ordo_net_window *window, int edge, const struct ordo_net_samples *samples)
{
    ordo_net_hulls_free(&window->hulls[edge]);
    window->points[edge] = *samples;
    return ordo_net_hulls_make(&window->hulls[edge], samples);
}

void ordo_net_window_close(struct ordo_net_window *window)
{
    window->joined = ordo_net_mesh_walk(window->mesh, window->used, window->order, window->via);
}

/* How far the truth, which lies in the interval, can be from a value. */
static int64_t unsure_of(struct ordo_interval interval, double value_ps)
{
    return ordo_max(interval.high - (int64_t)floor(value_ps), (int64_t)ceil(value_ps) - interval.low);
}

/* Reads an edge when clock a shows `at_ps`, which is uncertain by `unsure_ps`: [W1]. */
static void read_edge(struct ordo_net_window *window, int edge, int64_t at_ps, int64_t unsure_ps)
{
    int64_t wider_ps = (int64_t)ceil(window->limits.rate * (double)ordo_max(unsure_ps, 0)) + 1;
    struct ordo_interval proved = ordo_net_hulls_prove(&window->hulls[edge], at_ps, &window->limits);
    if (window->points[edge].forwards > 0)
        proved = ordo_interval_intersect(proved, ordo_net_cones_prove(&window->points[edge], at_ps, &window->limits));
    window->offset_ps[edge] = ordo_net_line_at(&window->line[edge], at_ps);
    window->proved[edge] = (struct ordo_interval){proved.low - wider_ps, proved.high + wider_ps};
}

/* The same for an edge whose clock b shows `at_ps`. Clock a then shows at_ps - o: with the likely offset, that is off by what b
 * is, and by what the offset is, which changes by R times that: for R < 1/2 twice the sum is enough. */
static void read_edge_backwards(struct ordo_net_window *window, int edge, int64_t at_ps, int64_t unsure_ps)
{
    int64_t there_ps = at_ps - llround(ordo_net_line_at(&window->line[edge], at_ps));
    read_edge(window, edge, there_ps, 0);
    int64_t offset_unsure_ps = unsure_of(window->proved[edge], window->offset_ps[edge]);
    int64_t rounded_ps = llabs(at_ps - there_ps - llround(window->offset_ps[edge]));
    read_edge(window, edge, there_ps, 2 * (unsure_ps + offset_unsure_ps + rounded_ps));
}

/* One host further along the tree: [W2]. */
static void reach(struct ordo_net_window *window, int host, int64_t at_ps)
{
    int edge = window->via[host];
    bool along = window->mesh->edge[edge].b == host;
    int before = along ? window->mesh->edge[edge].a : window->mesh->edge[edge].b;
    struct ordo_interval known = window->bound[before], proved;
    double known_ps = window->potential_ps[before];
    (along ? read_edge : read_edge_backwards)(window, edge, at_ps + llround(known_ps), unsure_of(known, known_ps) + 1);
    proved = window->proved[edge];
    window->potential_ps[host] = known_ps + (along ? 1 : -1) * window->offset_ps[edge];
    window->bound[host] = along ? (struct ordo_interval){known.low + proved.low, known.high + proved.high}
                                : (struct ordo_interval){known.low - proved.high, known.high - proved.low};
}

static void walk_tree(struct ordo_net_window *window, int64_t at_ps)
{
    window->potential_ps[0] = 0;
    window->bound[0] = (struct ordo_interval){0, 0};
    for (int i = 1; i < window->joined; i++)
        reach(window, window->order[i], at_ps);
}

static void read_edges(struct ordo_net_window *window, int64_t at_ps)
{
    for (int i = 0; i < window->mesh->edges; i++) {
        int a = window->mesh->edge[i].a;
        if (window->used[i] && window->via[a] >= -1)
            read_edge(window, i, at_ps + llround(window->potential_ps[a]),
                      unsure_of(window->bound[a], window->potential_ps[a]) + 1);
    }
}

/* Edges between hosts that are not joined to host 0 have no say, which needs no exception: no way leads to them. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps)
{
    walk_tree(window, at_ps);
    read_edges(window, at_ps);
    if (window->balanced && !ordo_net_mesh_balance(window->mesh, window->used, window->offset_ps, window->potential_ps))
        return false;
    window->sound = ordo_net_mesh_tighten(window->mesh, window->used, window->proved, window->bound);
    return true;
}
