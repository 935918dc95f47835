#include "report/json.h"

#include <ordo/clock.h>
#include <ordo/version.h>

#include "report/report.h"
#include "topology/topology.h"

json_t *ordo_json_document(const char *schema)
{
    return json_pack("{s:s, s:s}", "schema", schema, "tool_version", ORDO_VERSION);
}

int ordo_json_write(json_t *document, FILE *stream)
{
    if (!document)
        return -1;
    int failed = json_dumpf(document, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(document);
    return failed || fputc('\n', stream) == EOF ? -1 : 0;
}

static json_t *cpu_array(const struct ordo_calibration *calibration)
{
    json_t *array = json_array();
    for (int i = 0; i < calibration->count; i++)
        json_array_append_new(array, json_integer(calibration->cpus[i]));
    return array;
}

static json_t *delta_matrix(const struct ordo_calibration *calibration)
{
    json_t *matrix = json_array();
    for (int writer = 0; writer < calibration->count; writer++) {
        json_t *row = json_array();
        for (int reader = 0; reader < calibration->count; reader++) {
            int64_t delta = calibration->delta_ticks[writer * calibration->count + reader];
            json_array_append_new(row, delta == ORDO_DELTA_NONE ? json_null() : json_integer(delta));
        }
        json_array_append_new(matrix, row);
    }
    return matrix;
}

static json_t *offset_matrix(const struct ordo_calibration *calibration)
{
    json_t *matrix = json_array();
    for (int a = 0; a < calibration->count; a++) {
        json_t *row = json_array();
        for (int b = 0; b < calibration->count; b++) {
            struct ordo_interval offset = calibration->offset_ticks[a * calibration->count + b];
            json_array_append_new(row, json_pack("[I, I]", (json_int_t)offset.low, (json_int_t)offset.high));
        }
        json_array_append_new(matrix, row);
    }
    return matrix;
}

static json_t *distance_classes(const struct ordo_calibration *calibration)
{
    json_t *array = json_array();
    for (int distance = 0; distance < ORDO_DISTANCES; distance++) {
        struct ordo_class_summary summary = ordo_report_class(calibration, distance);
        if (summary.pairs > 0)
            json_array_append_new(array, json_pack("{s:s, s:i, s:I, s:I, s:I}", "distance",
                                                   ordo_distance_word((enum ordo_distance)distance), "pairs",
                                                   summary.pairs, "min_ticks", (json_int_t)summary.min, "median_ticks",
                                                   (json_int_t)summary.median, "max_ticks", (json_int_t)summary.max));
    }
    return array;
}

static json_t *rates(const struct ordo_calibration *calibration)
{
    json_t *array = json_array();
    for (int i = 0; i < calibration->rate_count; i++)
        json_array_append_new(array, json_pack("{s:s, s:f, s:f}", "source", calibration->rates[i].source, "low_hz",
                                               calibration->rates[i].low_hz, "high_hz", calibration->rates[i].high_hz));
    return array;
}

static json_t *warnings(const struct ordo_calibration *calibration)
{
    json_t *array = json_array();
    for (int i = 0; i < calibration->warning_count; i++)
        json_array_append_new(array, json_string(calibration->warnings[i]));
    return array;
}

static int write_json(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    json_t *document = ordo_json_document("ordo-calibration/1");
    json_t *body = json_pack(
        "{s:I, s:f, s:f, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:[I, I], s:I, s:I, s:I, s:i, s:b, s:b, s:s, s:b, "
        "s:b, s:o, s:o, s:I, s:I, s:I, s:I, s:f}",
        "boundary_ticks", (json_int_t)calibration->boundary_ticks, "boundary_ns",
        ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks), "tick_hz", calibration->tick_hz,
        "clock", ORDO_CLOCK_NAME, "machine", calibration->machine, "cpus", cpu_array(calibration), "delta_ticks",
        delta_matrix(calibration), "offset_interval_ticks", offset_matrix(calibration), "distance_classes",
        distance_classes(calibration), "granule_ticks", (json_int_t)calibration->granule_ticks, "margin_ticks",
        (json_int_t)calibration->margin_ticks, "drift_ppb", (json_int_t)calibration->drift_min_ppb,
        (json_int_t)calibration->drift_max_ppb, "runs", (json_int_t)calibration->runs, "settle_runs",
        (json_int_t)calibration->settle, "fewest_runs", (json_int_t)calibration->fewest_runs, "repeats",
        calibration->repeats, "parallel", calibration->parallel, "hypervisor", calibration->hypervisor,
        "hypervisor_name", calibration->hypervisor_name, "coarse", calibration->coarse, "forced", calibration->forced,
        "rates", rates(calibration), "warnings", warnings(calibration), "as_of_ns", (json_int_t)calibration->as_of_ns,
        "void_after_ns", (json_int_t)calibration->void_after_ns, "as_of_ticks", (json_int_t)calibration->as_of_ticks,
        "generation", (json_int_t)calibration->generation, "seconds", calibration->seconds);
    if (document && body)
        json_object_update(document, body);
    json_decref(body);
    return body ? ordo_json_write(document, stream) : -1;
}

const struct ordo_report ordo_report_json = {"json", "the whole result, schema ordo-calibration/1", write_json};
