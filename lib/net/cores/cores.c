#include "net/cores/cores.h"

#include <math.h>
#include <stdlib.h>

#include "base/minmax.h"
#include "net/window/window.h"

/** The state of one computation. */
struct work {
    const struct ordo_net_cores_visits *visits;
    struct ordo_net_mesh mesh;
    struct ordo_net_window window;
    struct ordo_net_point *there, *back; /* points of one pair, one for each sweep */
    uint64_t origin_ticks;
    int64_t first_ps, last_ps;
};

static const struct ordo_visit *visit_of(const struct ordo_net_cores_visits *visits, int sweep, int a, int b)
{
    return &visits->visits[((size_t)sweep * (size_t)visits->count + (size_t)a) * (size_t)visits->count + (size_t)b];
}

/* Makes an edge of every pair a < b. The instants of a visit are on clock a, like those of the points of an edge. */
static bool join_all(struct ordo_net_mesh *mesh, int count)
{
    *mesh = (struct ordo_net_mesh){.hosts = count};
    mesh->edge = calloc((size_t)count, (size_t)count * sizeof *mesh->edge);
    for (int a = 0; mesh->edge && a < count; a++)
        for (int b = a + 1; b < count; b++)
            mesh->edge[mesh->edges++] = (struct ordo_net_edge){a, b};
    return mesh->edge != NULL;
}

/* Converts a reading, in ticks, to ps since an origin that is the same for all clocks. So differences between clocks
 * stay the same, and the ps do not overflow. */
static int64_t ps_since_origin(const struct work *work, uint64_t ticks)
{
    return llround((double)(int64_t)(ticks - work->origin_ticks) * work->visits->ps_per_tick);
}

static void find_origin(struct work *work)
{
    work->origin_ticks = visit_of(work->visits, 0, 0, 1)->at_ab;
    work->first_ps = INT64_MAX;
    work->last_ps = INT64_MIN;
    for (int sweep = 0; sweep < work->visits->sweeps; sweep++)
        for (int b = 1; b < work->visits->count; b++) { /* all instants on the clock of CPU 0 */
            const struct ordo_visit *visit = visit_of(work->visits, sweep, 0, b);
            int64_t at_ps = ps_since_origin(work, visit->at_ab), back_ps = ps_since_origin(work, visit->at_ba);
            work->first_ps = ordo_min(work->first_ps, ordo_min(at_ps, back_ps));
            work->last_ps = ordo_max(work->last_ps, ordo_max(at_ps, back_ps));
        }
}

static bool take_pair(struct work *work, int edge, const struct ordo_net_offset_estimator *estimator)
{
    size_t sweeps = (size_t)work->visits->sweeps;
    struct ordo_net_samples samples = {work->there, work->back, sweeps, sweeps};
    for (size_t sweep = 0; sweep < sweeps; sweep++) {
        const struct ordo_visit *visit =
            visit_of(work->visits, (int)sweep, work->mesh.edge[edge].a, work->mesh.edge[edge].b);
        double ps = work->visits->ps_per_tick;
        work->there[sweep] =
            (struct ordo_net_point){ps_since_origin(work, visit->at_ab), llround((double)visit->delta_ab * ps)};
        work->back[sweep] =
            (struct ordo_net_point){ps_since_origin(work, visit->at_ba), -llround((double)visit->delta_ba * ps)};
    }
    ordo_net_points_sort(work->there, sweeps);
    ordo_net_points_sort(work->back, sweeps);
    return ordo_net_window_take(&work->window, edge, &samples, estimator);
}

static bool prepare_work(struct work *work)
{
    size_t sweeps = (size_t)work->visits->sweeps;
    work->there = calloc(sweeps, sizeof *work->there);
    work->back = calloc(sweeps, sizeof *work->back);
    if (!work->there || !work->back || !join_all(&work->mesh, work->visits->count) ||
        !ordo_net_window_make(&work->window, &work->mesh))
        return false;
    find_origin(work);
    /* limits.rate and limits.change stay 0: no drift. Rounding may change a delta by 1 ps. */
    work->window.limits.stamp_ps = (int64_t)ceil((double)work->visits->step_ticks * work->visits->ps_per_tick) + 1;
    return true;
}

static bool solve_cores(struct work *work, const struct ordo_net_offset_estimator *estimator)
{
    bool made = true;
    for (int edge = 0; edge < work->mesh.edges && made; edge++)
        made = take_pair(work, edge, estimator);
    ordo_net_window_close(&work->window);
    return made && ordo_net_window_at(&work->window, work->first_ps + (work->last_ps - work->first_ps) / 2);
}

static bool describe_cores(const struct work *work, struct ordo_net_cores *cores)
{
    const struct ordo_net_window *window = &work->window;
    double squares = 0;
    cores->core = calloc((size_t)work->visits->count, sizeof *cores->core);
    cores->sound = window->bounds.sound;
    for (int cpu = 0; cores->core && cpu < work->visits->count; cpu++) {
        const struct ordo_interval *proved = &window->bounds.potential[cpu];
        double likely_ps = window->potential_ps[cpu];
        if (window->bounds.sound) /* a line through few points may leave the proved interval, for example after
                                   * an interrupt */
            likely_ps = fmin(fmax(likely_ps, (double)proved->low), (double)proved->high);
        cores->core[cpu] = (struct ordo_net_core){likely_ps, *proved};
    }
    for (int edge = 0; edge < work->mesh.edges; edge++) {
        const struct ordo_net_edge *pair = &work->mesh.edge[edge];
        double moved_ps = window->potential_ps[pair->b] - window->potential_ps[pair->a] - window->offset_ps[edge];
        squares += moved_ps * moved_ps;
        cores->loops_max_ps = fmax(cores->loops_max_ps, fabs(moved_ps));
    }
    cores->loops_rms_ps = sqrt(squares / work->mesh.edges);
    return cores->core != NULL;
}

bool ordo_net_cores_make(struct ordo_net_cores *cores, const struct ordo_net_cores_visits *visits,
                         const struct ordo_net_offset_estimator *estimator)
{
    struct work work = {.visits = visits};
    *cores = (struct ordo_net_cores){0};
    bool made = prepare_work(&work) && solve_cores(&work, estimator) && describe_cores(&work, cores);
    ordo_net_window_free(&work.window);
    ordo_net_mesh_free(&work.mesh);
    free(work.there);
    free(work.back);
    return made;
}

void ordo_net_cores_free(struct ordo_net_cores *cores)
{
    free(cores->core);
    cores->core = NULL;
}
