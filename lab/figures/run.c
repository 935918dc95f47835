#include "lab/figures/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"

uint64_t ordo_figure_seed(const struct ordo_figure_run *run)
{
    return run->seed;
}

void ordo_figure_value(struct ordo_figure_run *run, const char *what, const char *unit, double published, double ours,
                       enum ordo_figure_sense sense, double factor)
{
    if (run->values == ORDO_FIGURE_VALUES) {
        run->failed = true;
        return;
    }
    struct ordo_figure_value *value = &run->value[run->values++];
    *value = (struct ordo_figure_value){.published = published, .ours = ours, .sense = sense, .factor = factor};
    (void)snprintf(value->what, sizeof value->what, "%s", what);
    (void)snprintf(value->unit, sizeof value->unit, "%s", unit);
}

void ordo_figure_claim(struct ordo_figure_run *run, bool holds, const char *what)
{
    if (run->claims == ORDO_FIGURE_CLAIMS) {
        run->failed = true;
        return;
    }
    struct ordo_figure_claim *claim = &run->claim[run->claims++];
    claim->holds = holds;
    (void)snprintf(claim->what, sizeof claim->what, "%s", what);
}

void ordo_figure_explain(struct ordo_figure_run *run, const char *what, const char *because)
{
    run->differs = what;
    run->because = because;
}

struct ordo_figure_panel *ordo_figure_panel(struct ordo_figure_run *run, const char *title, const char *x,
                                            const char *y, enum ordo_figure_axes axes)
{
    struct ordo_figure_panel *panel = run->panels < ORDO_FIGURE_PANELS ? calloc(1, sizeof *panel) : NULL;
    if (!panel) {
        run->failed = true;
        return NULL;
    }
    run->panel[run->panels++] = panel;
    panel->run = run;
    panel->axes = axes;
    (void)snprintf(panel->title, sizeof panel->title, "%s", title);
    (void)snprintf(panel->x, sizeof panel->x, "%s", x);
    (void)snprintf(panel->y, sizeof panel->y, "%s", y);
    return panel;
}

struct ordo_figure_curve *ordo_figure_curve(struct ordo_figure_panel *panel, const char *name,
                                            enum ordo_figure_style style)
{
    if (!panel)
        return NULL;
    if (panel->curves == ORDO_FIGURE_CURVES) {
        panel->run->failed = true;
        return NULL;
    }
    struct ordo_figure_curve *curve = &panel->curve[panel->curves++];
    curve->run = panel->run;
    curve->style = style;
    (void)snprintf(curve->name, sizeof curve->name, "%s", name);
    return curve;
}

void ordo_figure_range(struct ordo_figure_curve *curve, double x, double y, double low, double high)
{
    if (!curve)
        return;
    if (curve->count == curve->room) {
        size_t room = curve->room ? 2 * curve->room : 64;
        struct ordo_figure_point *points = realloc(curve->points, room * sizeof *points);
        if (!points) {
            curve->run->failed = true;
            return;
        }
        curve->points = points;
        curve->room = room;
    }
    curve->points[curve->count++] = (struct ordo_figure_point){.x = x, .y = y, .low = low, .high = high};
}

void ordo_figure_point(struct ordo_figure_curve *curve, double x, double y)
{
    ordo_figure_range(curve, x, y, NAN, NAN);
}

int ordo_figure_repeat(const struct ordo_figure *figure, uint64_t seed, struct ordo_figure_run **run,
                       struct ordo_error *error)
{
    int64_t begin_ns = ordo_raw_ns();
    *run = calloc(1, sizeof **run);
    if (!*run)
        return ordo_error_errno(error, "%s", figure->name);
    (*run)->seed = seed;
    if (!figure->run)
        return ordo_error_set(error, ORDO_E_MISSING, 0, "%s", figure->because);
    int code = figure->run(*run, error);
    (*run)->seconds = (double)(ordo_raw_ns() - begin_ns) / 1e9;
    if (!code && (*run)->failed)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: out of memory for its results", figure->name);
    return code;
}

void ordo_figure_drop(struct ordo_figure_run *run)
{
    for (int i = 0; run && i < run->panels; i++) {
        for (int j = 0; j < run->panel[i]->curves; j++)
            free(run->panel[i]->curve[j].points);
        free(run->panel[i]);
    }
    free(run);
}
