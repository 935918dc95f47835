#include "net/window/window.h"

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
    window->about_ps = calloc(hosts, sizeof *window->about_ps);
    window->bounds.potential = calloc(hosts, sizeof *window->bounds.potential);
    window->bounds.refuted = calloc(hosts, sizeof *window->bounds.refuted);
    window->bounds.loop = calloc(hosts, sizeof *window->bounds.loop);
    return window->used && window->hulls && window->points && window->line && window->offset_ps && window->proved &&
           window->order && window->via && window->potential_ps && window->about_ps && window->bounds.potential &&
           window->bounds.refuted && window->bounds.loop;
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
    free(window->about_ps);
    free(window->bounds.potential);
    free(window->bounds.refuted);
    free(window->bounds.loop);
}

/* Returns the middle of the time of all points. The estimated line is most exact at this instant. */
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

/* Limits a difference of clocks to 1000 s, more than any two clocks differ. A lie may give a line any slope; this limit
 * prevents overflow. An edge may be read at any instant, so the limit does no harm. */
static int64_t near_ps(double ps)
{
    const double most_ps = 1e15;
    return llround(fmin(fmax(ps, -most_ps), most_ps));
}

/* Computes the potential of the next host of the tree by the line of its edge. If the tree goes along the edge from b
 * to a, the reading of clock a is not known yet. So the line is first read at the reading of clock b, which gives the
 * reading of clock a. */
static void reach_host(struct ordo_net_window *window, int host, int64_t at_ps)
{
    int edge = window->via[host];
    const struct ordo_net_line *line = &window->line[edge];
    bool along = window->mesh->edge[edge].b == host;
    int before = along ? window->mesh->edge[edge].a : window->mesh->edge[edge].b;
    int64_t there_ps = at_ps + near_ps(window->potential_ps[before]);
    if (!along)
        there_ps -= near_ps(ordo_net_line_at(line, there_ps));
    window->potential_ps[host] = window->potential_ps[before] + (along ? 1 : -1) * ordo_net_line_at(line, there_ps);
}

static void walk_tree(struct ordo_net_window *window, int64_t at_ps)
{
    window->potential_ps[0] = 0;
    for (int i = 1; i < window->joined; i++)
        reach_host(window, window->order[i], at_ps);
    for (int host = 0; host < window->mesh->hosts; host++)
        window->about_ps[host] = window->via[host] >= -1 ? near_ps(window->potential_ps[host]) : 0;
}

/* Computes the offset and the proved interval of an edge when clock a shows `at_ps`. */
static void read_edge(struct ordo_net_window *window, int edge, int64_t at_ps)
{
    struct ordo_interval proved = ordo_net_hulls_prove(&window->hulls[edge], at_ps, &window->limits);
    if (window->points[edge].forwards > 0)
        proved = ordo_interval_intersect(proved, ordo_net_cones_prove(&window->points[edge], at_ps, &window->limits));
    window->offset_ps[edge] = ordo_net_line_at(&window->line[edge], at_ps);
    window->proved[edge] = proved;
}

static struct ordo_net_readings readings_of(const struct ordo_net_window *window)
{
    return (struct ordo_net_readings){window->mesh, window->used, window->proved, window->about_ps,
                                      window->limits.rate};
}

static bool read_edges(struct ordo_net_window *window, int64_t at_ps)
{
    const struct ordo_net_readings readings = readings_of(window);
    for (int i = 0; i < window->mesh->edges; i++) {
        int a = window->mesh->edge[i].a;
        if (window->used[i] && window->via[a] >= -1)
            read_edge(window, i, at_ps + window->about_ps[a]);
    }
    return ordo_net_mesh_bound(&readings, window->liars, &window->bounds);
}

/* True if about_ps of a host is outside the bounds of its potential, because of a lie. Moves about_ps to the middle of
 * the bounds. */
static bool is_astray(struct ordo_net_window *window)
{
    bool astray = false;
    for (int host = 1; host < window->mesh->hosts; host++) {
        struct ordo_interval bound = window->bounds.potential[host];
        if (bound.low == INT64_MIN || (window->about_ps[host] >= bound.low && window->about_ps[host] <= bound.high))
            continue;
        window->about_ps[host] = bound.low + (bound.high - bound.low) / 2;
        astray = true;
    }
    return astray;
}

bool ordo_net_window_pairs(const struct ordo_net_window *window, int64_t *most_ps)
{
    const struct ordo_net_readings readings = readings_of(window);
    return ordo_net_mesh_bound_pairs(&readings, window->liars, most_ps);
}

/* Edges between hosts that are not joined need no special case: no path from host 0 uses them. */
bool ordo_net_window_at(struct ordo_net_window *window, int64_t at_ps)
{
    enum { MOST_READINGS = 3 }; /* each brings about_ps nearer to the potential, by a factor like `rate` */
    bool made = true;
    walk_tree(window, at_ps);
    for (int i = 0; made && i < MOST_READINGS && (i == 0 || (window->liars && is_astray(window))); i++)
        made = read_edges(window, at_ps);
    return made && (!window->balanced ||
                    ordo_net_mesh_balance(window->mesh, window->used, window->offset_ps, window->potential_ps));
}
