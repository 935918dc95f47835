#include "calibrate/report/json.h"

#include <stdlib.h>
#include <string.h>

#include <ordo/clock.h>
#include <ordo/version.h>

#include "calibrate/report/report.h"
#include "machine/topology/topology.h"

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

json_t *ordo_json_text(const char *text)
{
    json_t *string = json_string(text);
    char *ascii = string ? NULL : strdup(text);
    if (!ascii)
        return string;
    for (char *at = ascii; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    string = json_string(ascii);
    free(ascii);
    return string;
}

json_t *ordo_json_median(struct ordo_median median)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "median", median.median, "low", median.low, "high", median.high, "level",
                     median.level);
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

static int set_integer(json_t *document, const char *key, int64_t value)
{
    return json_object_set_new(document, key, json_integer(value));
}

/* How it was measured. */
static int set_method(json_t *document, const struct ordo_calibration *calibration)
{
    return set_integer(document, "runs", (int64_t)calibration->runs) |
           set_integer(document, "settle_runs", (int64_t)calibration->settle) |
           set_integer(document, "fewest_runs", (int64_t)calibration->fewest_runs) |
           set_integer(document, "repeats", calibration->repeats) |
           json_object_set_new(document, "parallel", json_boolean(calibration->parallel)) |
           json_object_set_new(document, "hypervisor", json_boolean(calibration->hypervisor)) |
           json_object_set_new(document, "hypervisor_name", ordo_json_text(calibration->hypervisor_name)) |
           json_object_set_new(document, "coarse", json_boolean(calibration->coarse)) |
           json_object_set_new(document, "forced", json_boolean(calibration->forced)) |
           json_object_set_new(document, "rates", rates(calibration)) |
           json_object_set_new(document, "warnings", warnings(calibration)) |
           json_object_set_new(document, "seconds", json_real(calibration->seconds));
}

/* What the record says beside the boundary. */
static int set_record(json_t *document, const struct ordo_calibration *calibration)
{
    return set_integer(document, "as_of_ns", (int64_t)calibration->as_of_ns) |
           set_integer(document, "void_after_ns", (int64_t)calibration->void_after_ns) |
           set_integer(document, "as_of_ticks", (int64_t)calibration->as_of_ticks) |
           set_integer(document, "generation", (int64_t)calibration->generation);
}

static int set_result(json_t *document, const struct ordo_calibration *calibration)
{
    double boundary_ns = ordo_calibration_ns(calibration, (int64_t)calibration->boundary_ticks);
    json_t *drift = json_pack("[I, I]", (json_int_t)calibration->drift_min_ppb, (json_int_t)calibration->drift_max_ppb);
    return set_integer(document, "boundary_ticks", (int64_t)calibration->boundary_ticks) |
           json_object_set_new(document, "boundary_ns", json_real(boundary_ns)) |
           json_object_set_new(document, "tick_hz", json_real(calibration->tick_hz)) |
           json_object_set_new(document, "clock", json_string(ORDO_CLOCK_NAME)) |
           json_object_set_new(document, "machine", ordo_json_text(calibration->machine)) |
           json_object_set_new(document, "cpus", cpu_array(calibration)) |
           json_object_set_new(document, "delta_ticks", delta_matrix(calibration)) |
           json_object_set_new(document, "offset_interval_ticks", offset_matrix(calibration)) |
           json_object_set_new(document, "distance_classes", distance_classes(calibration)) |
           set_integer(document, "granule_ticks", (int64_t)calibration->granule_ticks) |
           set_integer(document, "step_ticks", (int64_t)calibration->step_ticks) |
           set_integer(document, "margin_ticks", (int64_t)calibration->margin_ticks) |
           json_object_set_new(document, "drift_ppb", drift);
}

static int write_json(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    json_t *document = ordo_json_document("ordo-calibration/1");
    /* Setting fails for a document or a value that could not be made. */
    if (set_result(document, calibration) | set_method(document, calibration) | set_record(document, calibration)) {
        json_decref(document);
        return -1;
    }
    return ordo_json_write(document, stream);
}

const struct ordo_report ordo_report_json = {"json", "the whole result, schema ordo-calibration/1", write_json};
