#include "plot/panels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* Returns the panel with this name, and adds it if it is missing; NULL if out of memory. */
static struct plot_panel *panel_of(struct plot_panels *panels, const char *name)
{
    for (size_t i = 0; i < panels->count; i++)
        if (strcmp(panels->panels[i].name, name) == 0)
            return &panels->panels[i];
    struct plot_panel *grown = realloc(panels->panels, (panels->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    panels->panels = grown;
    grown += panels->count++;
    *grown = (struct plot_panel){0};
    (void)snprintf(grown->name, sizeof grown->name, "%s", name);
    return grown;
}

/* Returns the curve with this name, and adds it if it is missing; NULL if out of memory. */
static struct plot_curve *curve_of(struct plot_panel *panel, const char *name)
{
    for (size_t i = 0; i < panel->count; i++)
        if (strcmp(panel->curves[i].name, name) == 0)
            return &panel->curves[i];
    struct plot_curve *grown = realloc(panel->curves, (panel->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    panel->curves = grown;
    grown += panel->count++;
    *grown = (struct plot_curve){0};
    (void)snprintf(grown->name, sizeof grown->name, "%s", name);
    return grown;
}

/* Finds the panel that a result belongs to, and its x value there. Returns false if the result has no value on this
 * axis. */
static bool place(const struct ordo_json_value *result, enum plot_axis axis, char *panel, size_t size, double *x)
{
    const struct ordo_json_value *parameters = ordo_json_get(result, "parameters"),
                                 *threads = ordo_json_get(result, "threads"),
                                 *percent = ordo_json_get(parameters, "update_percent"),
                                 *keys = ordo_json_get(parameters, "multi_get_keys");
    const char *workload = ordo_json_word(result, "workload"), *structure = ordo_json_word(parameters, "structure");
    if (!ordo_json_is(threads, ORDO_JSON_REAL) || !workload)
        return false;
    if (axis == PLOT_THREADS) {
        (void)snprintf(panel, size, "%s", workload);
        *x = ordo_json_number_of(threads, 0);
        return true;
    }
    if (!ordo_json_is(percent, ORDO_JSON_REAL) || !structure)
        return false;
    if (axis == PLOT_KEYS && !ordo_json_is(keys, ORDO_JSON_REAL))
        return false;
    int length = snprintf(panel, size, "%s, %g threads", structure, ordo_json_number_of(threads, 0));
    if (axis == PLOT_KEYS && length >= 0 && (size_t)length < size)
        (void)snprintf(panel + length, size - (size_t)length, ", %g%% updates", ordo_json_number_of(percent, 0));
    *x = ordo_json_number_of(axis == PLOT_KEYS ? keys : percent, 0);
    return true;
}

static int add_point(struct plot_curve *curve, double x, const struct ordo_json_value *speed)
{
    struct plot_point *grown = realloc(curve->points, (curve->count + 1) * sizeof *grown);
    if (!grown)
        return ORDO_E_SYSTEM;
    curve->points = grown;
    grown[curve->count++] =
        (struct plot_point){x, ordo_json_number(speed, "median", 0) / 1e6, ordo_json_number(speed, "low", 0) / 1e6,
                            ordo_json_number(speed, "high", 0) / 1e6};
    return 1;
}

/* Adds a result as a point of a curve.
 * 1: added. 0: the result has no value on this axis. ORDO_E_SYSTEM: out of memory. */
static int add_result(struct plot_panels *panels, enum plot_axis axis, const struct ordo_json_value *result,
                      const char *label)
{
    char panel_name[PLOT_PANEL_NAME], curve_name[PLOT_CURVE_NAME];
    double x = 0;
    const char *algorithm = ordo_json_word(result, "algorithm"), *stamp = ordo_json_word(result, "stamp");
    const struct ordo_json_value *speed = ordo_json_get(result, "ops_per_s");
    if (!algorithm || !ordo_json_is(speed, ORDO_JSON_OBJECT) || !place(result, axis, panel_name, sizeof panel_name, &x))
        return 0;
    (void)snprintf(curve_name, sizeof curve_name, "%s%s%s%s%.100s%s", algorithm, stamp ? "/" : "", stamp ? stamp : "",
                   label ? " (" : "", label ? label : "", label ? ")" : "");
    struct plot_panel *panel = panel_of(panels, panel_name);
    struct plot_curve *curve = panel ? curve_of(panel, curve_name) : NULL;
    return curve ? add_point(curve, x, speed) : ORDO_E_SYSTEM;
}

int plot_read(struct plot_panels *panels, enum plot_axis axis, const char *path, const char *label,
              struct ordo_error *error)
{
    struct ordo_json_value *document;
    bool drawn = false;
    int code = bench_report_load(path, &document, error);
    if (code)
        return code;
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results) && code >= 0; i++) {
        code = add_result(panels, axis, ordo_json_item(results, i), label);
        drawn |= code > 0;
    }
    ordo_json_free(document);
    if (code < 0)
        return ordo_error_set(error, code, ENOMEM, "%s: out of memory", path);
    return drawn ? ORDO_OK
                 : ordo_error_set(error, ORDO_E_INVALID, 0, "%s: has no result that can be drawn over this axis", path);
}

void plot_free(struct plot_panels *panels)
{
    for (size_t i = 0; i < panels->count; i++) {
        for (size_t c = 0; c < panels->panels[i].count; c++)
            free(panels->panels[i].curves[c].points);
        free(panels->panels[i].curves);
    }
    free(panels->panels);
}
