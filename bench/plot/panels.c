#include "plot/panels.h"

#include <stdio.h>
#include <string.h>

#include "harness.h"

static int refuse(struct ordo_error *error, const char *path, const char *why)
{
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %s", path, why);
}

/* The member `key` of `object`, as a new object or array where there is none yet. */
static json_t *member(json_t *object, const char *key, json_t *(*make)(void))
{
    if (!json_object_get(object, key))
        (void)json_object_set_new(object, key, make());
    return json_object_get(object, key);
}

/* The panel that a result belongs to, and where in it. Returns whether it goes over this axis. */
static bool place(const json_t *result, enum plot_axis axis, char *panel, size_t size, double *x)
{
    const json_t *parameters = json_object_get(result, "parameters");
    const json_t *threads = json_object_get(result, "threads"),
                 *percent = json_object_get(parameters, "update_percent");
    const char *workload = json_string_value(json_object_get(result, "workload"));
    const char *structure = json_string_value(json_object_get(parameters, "structure"));
    if (!json_is_number(threads) || !workload)
        return false;
    if (axis == PLOT_THREADS) {
        (void)snprintf(panel, size, "%s", workload);
        *x = json_number_value(threads);
        return true;
    }
    if (!json_is_number(percent) || !structure)
        return false;
    (void)snprintf(panel, size, "%s, %g threads", structure, json_number_value(threads));
    *x = json_number_value(percent);
    return true;
}

/* Returns whether the result became a point. */
static bool add_result(json_t *panels, enum plot_axis axis, const json_t *result, const char *label)
{
    char panel[128], curve[BENCH_NAME + 128];
    double x = 0;
    const char *algorithm = json_string_value(json_object_get(result, "algorithm"));
    const char *stamp = json_string_value(json_object_get(result, "stamp"));
    const json_t *speed = json_object_get(result, "ops_per_s");
    if (!algorithm || !json_is_object(speed) || !place(result, axis, panel, sizeof panel, &x))
        return false;
    (void)snprintf(curve, sizeof curve, "%s%s%s%s%.100s%s", algorithm, stamp ? "/" : "", stamp ? stamp : "",
                   label ? " (" : "", label ? label : "", label ? ")" : "");
    struct ordo_json point = ordo_json_array();
    ordo_json_add(&point, json_real(x));
    ordo_json_add(&point, json_real(json_number_value(json_object_get(speed, "median")) / 1e6));
    ordo_json_add(&point, json_real(json_number_value(json_object_get(speed, "low")) / 1e6));
    ordo_json_add(&point, json_real(json_number_value(json_object_get(speed, "high")) / 1e6));
    return json_array_append_new(member(member(panels, panel, json_object), curve, json_array),
                                 ordo_json_end(&point)) == 0;
}

int plot_read(json_t *panels, enum plot_axis axis, const char *path, const char *label, struct ordo_error *error)
{
    json_error_t reason;
    size_t index, points = 0;
    json_t *result, *document = json_load_file(path, 0, &reason);
    if (!document) {
        char why[JSON_ERROR_TEXT_LENGTH + 64];
        (void)snprintf(why, sizeof why, "%s: give it what ordo-bench wrote with --json", reason.text);
        return refuse(error, path, why);
    }
    const char *schema = json_string_value(json_object_get(document, "schema"));
    if (!schema || strcmp(schema, "ordo-bench/1") != 0) {
        json_decref(document);
        return refuse(error, path, "not a result of schema ordo-bench/1: make it with --json");
    }
    json_array_foreach(json_object_get(document, "results"), index, result)
    {
        points += add_result(panels, axis, result, label);
    }
    json_decref(document);
    return points > 0 ? ORDO_OK : refuse(error, path, "has no result that can be drawn over this axis");
}
