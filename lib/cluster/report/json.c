#include <math.h>
#include <stdlib.h>

#include "calibrate/report/json.h"
#include "cluster/report/report.h"

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Bounds are rounded outward. */
static json_t *nanoseconds(double low, double high)
{
    json_t *interval = json_array();
    json_array_append_new(interval, isfinite(low) ? json_integer((json_int_t)floor(low)) : json_null());
    json_array_append_new(interval, isfinite(high) ? json_integer((json_int_t)ceil(high)) : json_null());
    return interval;
}

static json_t *offset_of(const struct ordo_verify_result *result, int node, int clock, struct ordo_interval offset)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_clock_source *source = result->clocks[clock].source;
    return nanoseconds(ordo_verify_ns(at, source, offset.low), ordo_verify_ns(at, source, offset.high));
}

static json_t *drift_of(struct ordo_drift drift)
{
    json_t *interval = json_array();
    json_array_append_new(interval, number(drift.min_ppb));
    json_array_append_new(interval, number(drift.max_ppb));
    return interval;
}

static json_t *units_of(const struct ordo_verify_result *result, int node, int clock, int64_t units)
{
    double ns = ordo_verify_ns(&result->verify->nodes[node], result->clocks[clock].source, units);
    return isfinite(ns) ? json_integer((json_int_t)ceil(ns)) : json_null();
}

static json_t *pairs_of(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    json_t *array = json_array();
    for (int i = 0; i < at->pair_count; i++) {
        const struct ordo_verdict_pair *pair = &at->pairs[clock * at->pair_count + i];
        json_array_append_new(array, json_pack("{s:i, s:i, s:o, s:o}", "a", at->ranks[pair->a], "b", at->ranks[pair->b],
                                               "theta_ns", offset_of(result, node, clock, pair->offset), "drift_ppb",
                                               drift_of(pair->drift)));
    }
    return array;
}

static json_t *swept_of(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    json_t *array = json_array();
    for (int i = 0; i < at->sweeps; i++) {
        const struct ordo_verdict_pair *pair = &at->swept[clock * at->sweeps + i];
        json_array_append_new(array, json_pack("{s:i, s:i, s:o}", "cpu_a", (int)pair->a, "cpu_b", (int)pair->b,
                                               "theta_ns", offset_of(result, node, clock, pair->offset)));
    }
    return array;
}

static json_t *reasons_of(const struct ordo_verify_result *result, int node, int clock, bool exceeded)
{
    char *reasons[ORDO_VERIFY_REASONS];
    int count = ordo_verify_reasons(result, node, clock, reasons);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, ordo_json_text(reasons[i]));
        free(reasons[i]);
    }
    if (exceeded)
        json_array_append_new(array, json_string("the published boundary is exceeded"));
    return array;
}

static json_t *clock_of(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verdict *verdict = &result->verify->nodes[node].verdicts[clock];
    char remedy[200];
    (void)ordo_verify_remedy(result, node, clock, remedy, sizeof remedy);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "clock", result->clocks[clock].source->name,
                     "verdict", ordo_verdict_name(verdict->kind), "theta_ns",
                     offset_of(result, node, clock, verdict->worst.offset), "pairs", pairs_of(result, node, clock),
                     "drift_ppb", drift_of(verdict->drift), "certified_residual_ns",
                     units_of(result, node, clock, verdict->residual_units), "granule_ns",
                     units_of(result, node, clock, verdict->granule_units), "reasons",
                     reasons_of(result, node, clock, ordo_verify_exceeds(result, node, clock)), "remedy", remedy,
                     "cpu_pairs", swept_of(result, node, clock));
}

static json_t *rank_of(const struct ordo_verify_rank *rank)
{
    json_t *object = json_object();
    json_object_set_new(object, "rank", json_integer(rank->rank));
    json_object_set_new(object, "host", ordo_json_text(rank->host));
    json_object_set_new(object, "pid", json_integer(rank->pid));
    json_object_set_new(object, "boot_id", ordo_json_text(rank->boot_id));
    json_object_set_new(object, "time_namespace", ordo_json_text(rank->time_namespace));
    json_object_set_new(object, "monotonic_shift_ns", json_integer(rank->monotonic_shift_ns));
    json_object_set_new(object, "clocksource", ordo_json_text(rank->clocksource));
    json_object_set_new(object, "mpi", ordo_json_text(rank->mpi));
    json_object_set_new(object, "binding", ordo_json_text(rank->binding));
    json_object_set_new(object, "socket", rank->socket < 0 ? json_null() : json_integer(rank->socket));
    return object;
}

static json_t *node_of(const struct ordo_verify_result *result, int node)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    json_t *object = json_object(), *ranks = json_array(), *clocks = json_array();
    double boundary_ns = ordo_verify_boundary_ns(result, node);
    for (int i = 0; i < at->size; i++)
        json_array_append_new(ranks, rank_of(&result->verify->ranks[at->ranks[i]]));
    for (int clock = 0; clock < result->verify->clock_count; clock++)
        json_array_append_new(clocks, clock_of(result, node, clock));
    json_object_set_new(object, "node", json_integer(node));
    json_object_set_new(object, "host", ordo_json_text(result->verify->ranks[at->ranks[0]].host));
    json_object_set_new(object, "cpus", json_integer(at->cpus));
    json_object_set_new(object, "shared_memory", json_boolean(at->shared));
    json_object_set_new(object, "published_boundary_ns", boundary_ns > 0 ? json_real(boundary_ns) : json_null());
    json_object_set_new(object, "ranks", ranks);
    json_object_set_new(object, "clocks", clocks);
    return object;
}

int ordo_verify_report_json(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream)
{
    json_t *document = ordo_json_document("ordo-verify/1"), *nodes = json_array(), *allows = json_object();
    int worst = ORDO_VALID, best = ordo_verify_best_clock(result);
    for (int clock = 0; clock < result->verify->clock_count; clock++) {
        const struct ordo_clock_source *source = result->clocks[clock].source;
        if ((!required || source == required) && result->verify->kinds[clock] > worst)
            worst = result->verify->kinds[clock];
        json_object_set_new(allows, source->name, json_string(ordo_verify_hierarchy(result, clock)));
    }
    for (int node = 0; node < result->verify->node_count; node++)
        json_array_append_new(nodes, node_of(result, node));
    int failed =
        json_object_set_new(document, "verdict", json_string(ordo_verdict_name((enum ordo_verdict_kind)worst))) |
        json_object_set_new(document, "required", required ? json_string(required->name) : json_null()) |
        json_object_set_new(document, "recommended_clock",
                            best < 0 ? json_null() : json_string(result->clocks[best].source->name)) |
        json_object_set_new(document, "hierarchy", allows) |
        json_object_set_new(document, "tolerance_ns", json_integer(result->verify->tolerance_ns)) |
        json_object_set_new(document, "seconds", json_real(result->verify->seconds)) |
        json_object_set_new(document, "nodes", nodes);
    if (failed) {
        json_decref(document);
        return -1;
    }
    return ordo_json_write(document, stream);
}
