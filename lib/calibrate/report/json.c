#include "json/builder.h"

#include <ordo/clock.h>

#include "calibrate/report/report.h"
#include "calibrate/report/scopes.h"
#include "machine/topology/topology.h"

static struct ordo_json cpu_array(const struct ordo_calibration *calibration)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < calibration->count; i++)
        ordo_json_add(&array, ordo_json_int(calibration->cpus[i]));
    return array;
}

/* Returns a matrix with a row and a column for each CPU. */
static struct ordo_json matrix_of(const struct ordo_calibration *calibration,
                                  struct ordo_json (*cell)(const struct ordo_calibration *calibration, int index))
{
    struct ordo_json matrix = ordo_json_array();
    for (int a = 0; a < calibration->count; a++) {
        struct ordo_json row = ordo_json_array();
        for (int b = 0; b < calibration->count; b++)
            ordo_json_add(&row, cell(calibration, a * calibration->count + b));
        ordo_json_add(&matrix, row);
    }
    return matrix;
}

static struct ordo_json delta_at(const struct ordo_calibration *calibration, int index)
{
    int64_t delta = calibration->delta_ticks[index];
    return delta == ORDO_DELTA_NONE ? ordo_json_null() : ordo_json_int(delta);
}

static struct ordo_json offset_at(const struct ordo_calibration *calibration, int index)
{
    struct ordo_json interval = ordo_json_array();
    ordo_json_add(&interval, ordo_json_int(calibration->offset_ticks[index].low));
    ordo_json_add(&interval, ordo_json_int(calibration->offset_ticks[index].high));
    return interval;
}

static struct ordo_json distance_classes(const struct ordo_calibration *calibration)
{
    struct ordo_json array = ordo_json_array();
    for (int distance = 0; distance < ORDO_DISTANCES; distance++) {
        struct ordo_class_summary summary = ordo_report_class(calibration, distance);
        if (!summary.pairs)
            continue;
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "distance", ordo_distance_word((enum ordo_distance)distance));
        ordo_json_put_int(&object, "pairs", summary.pairs);
        ordo_json_put_int(&object, "min_ticks", summary.min);
        ordo_json_put_int(&object, "median_ticks", summary.median);
        ordo_json_put_int(&object, "max_ticks", summary.max);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json rates(const struct ordo_calibration *calibration)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < calibration->rate_count; i++) {
        const struct ordo_rate *rate = &calibration->rates[i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "source", rate->source);
        ordo_json_put_real(&object, "low_hz", rate->low_hz);
        ordo_json_put_real(&object, "high_hz", rate->high_hz);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json warnings(const struct ordo_calibration *calibration)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < calibration->warning_count; i++)
        ordo_json_add(&array, ordo_json_text(calibration->warnings[i]));
    return array;
}

struct scope_array {
    struct ordo_json json;
    double tick_hz;
};

static int add_scope(void *context, const struct ordo_scope_found *scope)
{
    struct scope_array *array = context;
    struct ordo_json object = ordo_json_object(), cpus = ordo_json_array();
    bool measured = scope->boundary_ticks > 0;
    for (int i = 0; i < scope->count; i++)
        ordo_json_add(&cpus, ordo_json_int(scope->cpus[i]));
    ordo_json_put_text(&object, "kind", scope->kind);
    ordo_json_put(&object, "cpus", cpus);
    ordo_json_put(&object, "boundary_ticks", measured ? ordo_json_int(scope->boundary_ticks) : ordo_json_null());
    ordo_json_put(&object, "boundary_ns",
                  measured ? ordo_json_real((double)scope->boundary_ticks * 1e9 / array->tick_hz) : ordo_json_null());
    ordo_json_add(&array->json, object);
    return 0;
}

static struct ordo_json unmeasured_pairs(const struct ordo_scopes *scopes)
{
    size_t n = (size_t)scopes->count;
    struct ordo_json array = ordo_json_array();
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            if (scopes->delta_ticks[a * n + b] != ORDO_DELTA_NONE && scopes->delta_ticks[b * n + a] != ORDO_DELTA_NONE)
                continue;
            struct ordo_json pair = ordo_json_array();
            ordo_json_add(&pair, ordo_json_int(scopes->cpus[a]));
            ordo_json_add(&pair, ordo_json_int(scopes->cpus[b]));
            ordo_json_add(&array, pair);
        }
    return array;
}

void ordo_report_put_scopes(struct ordo_json *document, const struct ordo_scopes *scopes, double tick_hz)
{
    struct scope_array array = {ordo_json_array(), tick_hz};
    int stopped = ordo_scopes_visit(scopes, add_scope, &array);
    array.json.failed |= stopped != 0;
    ordo_json_put(document, "scopes", array.json);
    ordo_json_put(document, "unmeasured_pairs", unmeasured_pairs(scopes));
}

void ordo_report_put_corrections(struct ordo_json *document, const int64_t *ticks, int count, uint64_t boundary_ticks,
                                 double tick_hz)
{
    struct ordo_json corrections = boundary_ticks ? ordo_json_array() : ordo_json_null();
    for (int i = 0; i < count && boundary_ticks; i++)
        ordo_json_add(&corrections, ordo_json_int(ticks[i]));
    ordo_json_put(document, "corrections_ticks", corrections);
    ordo_json_put(document, "corrected_boundary_ticks",
                  boundary_ticks ? ordo_json_int((int64_t)boundary_ticks) : ordo_json_null());
    ordo_json_put(document, "corrected_boundary_ns",
                  boundary_ticks ? ordo_json_real((double)boundary_ticks * 1e9 / tick_hz) : ordo_json_null());
}

static void put_result(struct ordo_json *document, const struct ordo_calibration *calibration)
{
    double boundary_ns = ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks);
    ordo_json_put_int(document, "boundary_ticks", (int64_t)calibration->boundary_ticks);
    ordo_json_put_real(document, "boundary_ns", boundary_ns);
    ordo_json_put_real(document, "tick_hz", calibration->tick_hz);
    ordo_json_put_text(document, "clock", ordo_record_clock_name(calibration->clock));
    ordo_json_put_text(document, "machine", calibration->machine);
    ordo_json_put(document, "cpus", cpu_array(calibration));
    ordo_json_put(document, "delta_ticks", matrix_of(calibration, delta_at));
    ordo_json_put(document, "offset_interval_ticks", matrix_of(calibration, offset_at));
    ordo_json_put(document, "distance_classes", distance_classes(calibration));
    ordo_json_put_int(document, "granule_ticks", (int64_t)calibration->granule_ticks);
    ordo_json_put_int(document, "step_ticks", (int64_t)calibration->step_ticks);
    ordo_json_put_int(document, "margin_ticks", (int64_t)calibration->margin_ticks);
    ordo_json_put_ints(document, "drift_ppb", calibration->drift_min_ppb, calibration->drift_max_ppb);
    struct ordo_scopes scopes = ordo_scopes_of(calibration);
    ordo_report_put_scopes(document, &scopes, calibration->tick_hz);
    ordo_report_put_corrections(document, calibration->correction_ticks, calibration->count,
                                calibration->corrected_boundary_ticks, calibration->tick_hz);
}

/* Adds the members that say how the clocks were measured. */
static void put_method(struct ordo_json *document, const struct ordo_calibration *calibration)
{
    ordo_json_put_int(document, "runs", (int64_t)calibration->runs);
    ordo_json_put_int(document, "settle_runs", (int64_t)calibration->settle);
    ordo_json_put_int(document, "fewest_runs", (int64_t)calibration->fewest_runs);
    ordo_json_put_int(document, "repeats", calibration->repeats);
    ordo_json_put_bool(document, "parallel", calibration->parallel);
    ordo_json_put_bool(document, "hypervisor", calibration->hypervisor);
    ordo_json_put_text(document, "hypervisor_name", calibration->hypervisor_name);
    ordo_json_put_bool(document, "coarse", calibration->coarse);
    ordo_json_put_bool(document, "forced", calibration->forced);
    ordo_json_put_text(document, "trust", ordo_trust_word(calibration->trust));
    ordo_json_put_text(document, "trust_reason", calibration->trust_reason);
    ordo_json_put(document, "rates", rates(calibration));
    ordo_json_put(document, "warnings", warnings(calibration));
    ordo_json_put_real(document, "seconds", calibration->seconds);
}

/* Adds the members of the record other than the boundary. */
static void put_record_members(struct ordo_json *document, const struct ordo_calibration *calibration)
{
    ordo_json_put_int(document, "as_of_ns", (int64_t)calibration->as_of_ns);
    ordo_json_put_int(document, "void_after_ns", (int64_t)calibration->void_after_ns);
    ordo_json_put_int(document, "as_of_ticks", (int64_t)calibration->as_of_ticks);
    ordo_json_put_int(document, "generation", (int64_t)calibration->generation);
}

static int write_json(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    struct ordo_json document = ordo_json_document("ordo-calibration/1");
    put_result(&document, calibration);
    put_method(&document, calibration);
    put_record_members(&document, calibration);
    return ordo_json_write(&document, stream);
}

const struct ordo_report ordo_report_json = {"json", "the whole result, schema ordo-calibration/1", write_json};
