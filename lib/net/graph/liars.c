#include "net/graph/liars.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"

static const struct ordo_interval anything = {INT64_MIN, INT64_MAX};
static const int64_t nowhere_ps = INT64_MAX;
static const int64_t farthest_ps = INT64_C(1) << 60; /* 13 days: larger than any honest potential */

/* One set F, and the memory to judge it. */
struct trial {
    const struct ordo_net_readings *readings;
    struct ordo_net_bounds *bounds;
    bool *out;                          /* by host: true if it is in F */
    int *level;                         /* by host: its distance from host 0 in the tree of [L5]; -1: not in the tree */
    struct ordo_interval *known, *wide; /* known: by host, from the tree [L5]; wide: by edge, its widened interval */
    int64_t *high_ps, *low_ps;          /* by host: length of the shortest path from host 0, and to host 0 */
    int *last, *mark;                   /* last: by host, the last edge of this path; mark: for host_of_loop */
    int contrary;                       /* a host of a negative loop; -1: there is none */
    int64_t *most_ps;                   /* by ordered pair, the result of [L7] */
};

/* Returns the number of members of each F, if an F leaves out `kept` hosts at least. */
static int fewer(int hosts, int liars, int kept)
{
    return (int)ordo_max(0, ordo_min(liars, hosts - kept));
}

static int members_for_hosts(int hosts, int liars)
{
    return fewer(hosts, liars, 2); /* [L1] */
}

static int members_for_pairs(int hosts, int liars)
{
    return fewer(hosts, liars, 3); /* [L7] */
}

/* Returns the number of sets of `members` hosts without host 0, at most INT_MAX. */
static int sets_of(int hosts, int members)
{
    int64_t sets = 1;
    for (int i = 1; i <= members && sets < INT_MAX; i++)
        sets = sets * (hosts - i) / i;
    return (int)ordo_min(sets, INT_MAX);
}

int ordo_net_liars_sets(int hosts, int liars)
{
    return sets_of(hosts, members_for_hosts(hosts, liars));
}

double ordo_net_pairs_steps(const struct ordo_net_mesh *mesh, int liars)
{
    return (double)sets_of(mesh->hosts, members_for_pairs(mesh->hosts, liars)) * mesh->hosts * mesh->edges;
}

static bool counts(const struct trial *trial, int i)
{
    const struct ordo_net_readings *readings = trial->readings;
    const struct ordo_net_edge *edge = &readings->mesh->edge[i];
    return (!readings->used || readings->used[i]) && !trial->out[edge->a] && !trial->out[edge->b];
}

static struct ordo_interval widened(struct ordo_interval interval, double rate, int64_t unsure_ps)
{
    int64_t wider_ps = (int64_t)ceil(rate * (double)ordo_max(unsure_ps, 0)) + 1;
    return (struct ordo_interval){interval.low - wider_ps, interval.high + wider_ps};
}

/* Returns the interval of a potential, limited to +- farthest_ps so that sums along a long path do not overflow. */
static struct ordo_interval known_of(int64_t low_ps, int64_t high_ps)
{
    return (struct ordo_interval){ordo_max(low_ps, -farthest_ps), ordo_min(high_ps, farthest_ps)};
}

/* Returns the largest distance between a value in the interval and `about_ps`. */
static int64_t unsure_of(struct ordo_interval interval, int64_t about_ps)
{
    return ordo_max(interval.high - about_ps, about_ps - interval.low);
}

/* Returns the interval of the edge, widened by R u [L5], where u comes from the interval of its first host. */
static struct ordo_interval edge_of(const struct trial *trial, int i)
{
    const struct ordo_net_readings *readings = trial->readings;
    int a = readings->mesh->edge[i].a;
    return widened(readings->proved[i], readings->rate, unsure_of(trial->known[a], readings->about_ps[a]));
}

static void reach_second(struct trial *trial, int i)
{
    const struct ordo_net_edge *edge = &trial->readings->mesh->edge[i];
    struct ordo_interval way = edge_of(trial, i), before = trial->known[edge->a];
    trial->known[edge->b] = known_of(before.low + way.low, before.high + way.high);
    trial->level[edge->b] = trial->level[edge->a] + 1;
}

static void reach_first(struct trial *trial, int i)
{
    const struct ordo_net_readings *readings = trial->readings;
    const struct ordo_net_edge *edge = &readings->mesh->edge[i];
    struct ordo_interval way = readings->proved[i], before = trial->known[edge->b];
    struct ordo_interval a = known_of(before.low - way.high, before.high - way.low);
    a = widened(a, readings->rate, 2 * unsure_of(a, readings->about_ps[edge->a])); /* [L6] */
    trial->known[edge->a] = known_of(a.low, a.high);
    trial->level[edge->a] = trial->level[edge->b] + 1;
}

/* Makes the tree of [L5], one level in each round. */
static void grow_tree(struct trial *trial)
{
    const struct ordo_net_mesh *mesh = trial->readings->mesh;
    for (int host = 0; host < mesh->hosts; host++)
        trial->level[host] = host == 0 ? 0 : -1;
    trial->known[0] = (struct ordo_interval){0, 0};
    bool grown = true;
    for (int level = 0; grown; level++) {
        grown = false;
        for (int i = 0; i < mesh->edges; i++) {
            int from_a = trial->level[mesh->edge[i].a], from_b = trial->level[mesh->edge[i].b];
            if (!counts(trial, i) || (from_a < 0) == (from_b < 0) || ordo_max(from_a, from_b) != level)
                continue;
            (from_a >= 0 ? reach_second : reach_first)(trial, i);
            grown = true;
        }
    }
}

static void widen_edges(struct trial *trial)
{
    const struct ordo_net_mesh *mesh = trial->readings->mesh;
    for (int i = 0; i < mesh->edges; i++)
        if (counts(trial, i) && trial->level[mesh->edge[i].a] >= 0)
            trial->wide[i] = edge_of(trial, i);
}

/* Replaces the path to `to` by the path to `from` plus edge i, if this is shorter. True if it was replaced. */
static bool shorten(struct trial *trial, int64_t *distance_ps, int i, int from, int to, int64_t length_ps)
{
    int64_t way_ps;
    if (distance_ps[from] == nowhere_ps || __builtin_add_overflow(distance_ps[from], length_ps, &way_ps) ||
        way_ps >= distance_ps[to])
        return false;
    distance_ps[to] = way_ps;
    trial->last[to] = i;
    return true;
}

static int before(const struct trial *trial, int host)
{
    if (trial->last[host] < 0)
        return -1;
    const struct ordo_net_edge *edge = &trial->readings->mesh->edge[trial->last[host]];
    return edge->a == host ? edge->b : edge->a;
}

/* Returns a host on a loop of last edges; -1: there is none. */
static int host_of_loop(const struct trial *trial)
{
    int hosts = trial->readings->mesh->hosts;
    memset(trial->mark, 0, (size_t)hosts * sizeof *trial->mark);
    for (int start = 0; start < hosts; start++) {
        int host = start;
        for (; host >= 0 && trial->mark[host] == 0; host = before(trial, host))
            trial->mark[host] = start + 1;
        if (host >= 0 && trial->mark[host] == start + 1)
            return host;
    }
    return -1;
}

static bool relax_all(struct trial *trial, int64_t *distance_ps, int sign)
{
    const struct ordo_net_mesh *mesh = trial->readings->mesh;
    bool changed = false;
    for (int i = 0; i < mesh->edges; i++) {
        int a = sign > 0 ? mesh->edge[i].a : mesh->edge[i].b, b = sign > 0 ? mesh->edge[i].b : mesh->edge[i].a;
        if (!counts(trial, i) || trial->level[a] < 0)
            continue;
        changed |= shorten(trial, distance_ps, i, a, b, trial->wide[i].high);
        changed |= shorten(trial, distance_ps, i, b, a, -trial->wide[i].low);
    }
    return changed;
}

/* Finds the shortest paths from host 0 (sign 1) or to host 0 (sign -1), by b - a <= high and a - b <= -low. False if
 * there is a negative loop.
 *
 * The rounds end. Without a negative loop, there are at most as many rounds as hosts. With a negative loop, suppose
 * that round k gives a host a new path. The path comes from a host that got a new path in round k or k - 1. This
 * argument can be repeated back to the first round. If there were more rounds than hosts, some host comes up twice, so
 * the last edges form a loop. A loop of last edges is always negative (B. Cherkassky, A. Goldberg, Negative-cycle
 * detection algorithms, 1999), and host_of_loop finds it. */
static bool relax(struct trial *trial, int64_t *distance_ps, int sign)
{
    for (int host = 0; host < trial->readings->mesh->hosts; host++) {
        distance_ps[host] = host == 0 ? 0 : nowhere_ps;
        trial->last[host] = -1;
    }
    trial->contrary = -1;
    while (trial->contrary < 0 && relax_all(trial, distance_ps, sign))
        trial->contrary = host_of_loop(trial);
    return trial->contrary < 0;
}

static bool agrees(struct trial *trial)
{
    grow_tree(trial);
    widen_edges(trial);
    return relax(trial, trial->high_ps, 1) && relax(trial, trial->low_ps, -1);
}

static void name_loop(const struct trial *trial)
{
    struct ordo_net_bounds *bounds = trial->bounds;
    int host = trial->contrary;
    do {
        bounds->loop[bounds->loops++] = trial->last[host];
        host = before(trial, host);
    } while (host != trial->contrary);
    if (bounds->loops == 2 && bounds->loop[0] == bounds->loop[1])
        bounds->loops = 1; /* a single edge whose interval is empty */
}

/* [L2]: adds I(F, v) to the union, for each v. */
static void judge_trial(struct trial *trial)
{
    if (!agrees(trial))
        return;
    for (int host = 0; host < trial->readings->mesh->hosts; host++) {
        struct ordo_interval *all = &trial->bounds->potential[host];
        if (trial->out[host])
            continue;
        struct ordo_interval one = anything;
        if (trial->level[host] >= 0)
            one = (struct ordo_interval){-trial->low_ps[host], trial->high_ps[host]};
        trial->bounds->refuted[host] = false;
        *all = (struct ordo_interval){ordo_min(all->low, one.low), ordo_max(all->high, one.high)};
    }
}

/* Replaces a path by the path to `from` and an edge, if this is shorter. [L8] */
static bool shorten_pair(int64_t *distance_ps, int from, int to, int64_t length_ps)
{
    const int64_t longest_ps = INT64_C(1) << 52;
    int64_t way_ps = distance_ps[from] + ordo_max(length_ps, -longest_ps);
    if (distance_ps[from] == nowhere_ps || length_ps > longest_ps || way_ps >= distance_ps[to])
        return false;
    distance_ps[to] = way_ps;
    return true;
}

/* Finds the shortest paths from a host to all others. The rounds end, because E(F) has no negative loop. */
static void reach_all(const struct trial *trial, int first, int64_t *distance_ps)
{
    const struct ordo_net_mesh *mesh = trial->readings->mesh;
    bool changed = true;
    for (int host = 0; host < mesh->hosts; host++)
        distance_ps[host] = host == first ? 0 : nowhere_ps;
    while (changed) {
        changed = false;
        for (int i = 0; i < mesh->edges; i++) {
            int a = mesh->edge[i].a, b = mesh->edge[i].b;
            if (!counts(trial, i) || trial->level[a] < 0)
                continue;
            changed |= shorten_pair(distance_ps, a, b, trial->wide[i].high);
            changed |= shorten_pair(distance_ps, b, a, -trial->wide[i].low);
        }
    }
}

/* [L7]: takes the paths in E(F) between any two hosts into account. */
static void judge_pairs(struct trial *trial)
{
    int hosts = trial->readings->mesh->hosts;
    if (!agrees(trial))
        return;
    for (int u = 1; u < hosts; u++) {
        if (trial->out[u])
            continue;
        reach_all(trial, u, trial->high_ps);
        for (int v = 1; v < hosts; v++)
            if (!trial->out[v])
                trial->most_ps[u * hosts + v] = ordo_max(trial->most_ps[u * hosts + v], trial->high_ps[v]);
    }
}

/* Judges all sets that contain the current set and `more` additional hosts, with numbers from `first` on. */
static void judge_sets(struct trial *trial, int first, int more, void (*judge)(struct trial *trial))
{
    if (more == 0)
        judge(trial);
    for (int host = first; more > 0 && host <= trial->readings->mesh->hosts - more; host++) {
        trial->out[host] = true;
        judge_sets(trial, host + 1, more - 1, judge);
        trial->out[host] = false;
    }
}

static void begin_bounds(struct ordo_net_bounds *bounds, int hosts)
{
    bounds->loops = 0;
    for (int host = 0; host < hosts; host++) {
        bounds->potential[host] = (struct ordo_interval){INT64_MAX, INT64_MIN};
        bounds->refuted[host] = true;
    }
}

static void finish_bounds(struct ordo_net_bounds *bounds, int hosts)
{
    bounds->sound = !bounds->refuted[0];
    for (int host = 0; host < hosts; host++)
        if (bounds->refuted[host])
            bounds->potential[host] = anything;
}

static bool make_trial(struct trial *trial, size_t hosts, size_t edges)
{
    trial->out = calloc(hosts, sizeof *trial->out);
    trial->level = calloc(hosts, sizeof *trial->level);
    trial->last = calloc(hosts, sizeof *trial->last);
    trial->mark = calloc(hosts, sizeof *trial->mark);
    trial->known = calloc(hosts, sizeof *trial->known);
    trial->high_ps = calloc(hosts, sizeof *trial->high_ps);
    trial->low_ps = calloc(hosts, sizeof *trial->low_ps);
    trial->wide = calloc(edges, sizeof *trial->wide);
    return trial->out && trial->level && trial->last && trial->mark && trial->known && trial->high_ps &&
           trial->low_ps && trial->wide;
}

static void release_trial(struct trial *trial)
{
    free(trial->out);
    free(trial->level);
    free(trial->last);
    free(trial->mark);
    free(trial->known);
    free(trial->high_ps);
    free(trial->low_ps);
    free(trial->wide);
}

bool ordo_net_mesh_bound(const struct ordo_net_readings *readings, int liars, struct ordo_net_bounds *bounds)
{
    struct trial trial = {.readings = readings, .bounds = bounds};
    int hosts = readings->mesh->hosts;
    bool made = make_trial(&trial, (size_t)hosts, (size_t)readings->mesh->edges);
    if (made) {
        begin_bounds(bounds, hosts);
        if (!agrees(&trial))
            name_loop(&trial);
        judge_sets(&trial, 1, members_for_hosts(hosts, liars), judge_trial);
        finish_bounds(bounds, hosts);
    }
    release_trial(&trial);
    return made;
}

bool ordo_net_mesh_bound_pairs(const struct ordo_net_readings *readings, int liars, int64_t *most_ps)
{
    struct trial trial = {.readings = readings, .most_ps = most_ps};
    int hosts = readings->mesh->hosts;
    bool made = make_trial(&trial, (size_t)hosts, (size_t)readings->mesh->edges);
    if (made) {
        for (int i = 0; i < hosts * hosts; i++)
            most_ps[i] = INT64_MIN;
        judge_sets(&trial, 1, members_for_pairs(hosts, liars), judge_pairs);
    }
    release_trial(&trial);
    return made;
}
