#include <math.h>
#include <stdlib.h>

#include <ordo/record.h>

#include "cluster/report/report.h"
#include "json/builder.h"

/* Formats an interval, with its ends rounded outwards. */
static struct ordo_json nanoseconds(double low, double high)
{
    struct ordo_json interval = ordo_json_array();
    ordo_json_add(&interval, isfinite(low) ? ordo_json_int((int64_t)floor(low)) : ordo_json_null());
    ordo_json_add(&interval, isfinite(high) ? ordo_json_int((int64_t)ceil(high)) : ordo_json_null());
    return interval;
}

static struct ordo_json offset_json(const struct ordo_verify_result *result, int node, int clock,
                                    struct ordo_interval offset)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_clock_source *source = result->clocks[clock].source;
    return nanoseconds(ordo_verify_ns(at, source, offset.low), ordo_verify_ns(at, source, offset.high));
}

static struct ordo_json units_of(const struct ordo_verify_result *result, int node, int clock, int64_t units)
{
    double ns = ordo_verify_ns(&result->verify->nodes[node], result->clocks[clock].source, units);
    return isfinite(ns) ? ordo_json_int((int64_t)ceil(ns)) : ordo_json_null();
}

static struct ordo_json pairs_of(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < at->pair_count; i++) {
        const struct ordo_verdict_pair *pair = &at->pairs[clock * at->pair_count + i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_int(&object, "a", at->ranks[pair->a]);
        ordo_json_put_int(&object, "b", at->ranks[pair->b]);
        ordo_json_put(&object, "theta_ns", offset_json(result, node, clock, pair->offset));
        ordo_json_put_reals(&object, "drift_ppb", pair->drift.min_ppb, pair->drift.max_ppb);
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json swept_of(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < at->sweeps; i++) {
        const struct ordo_verdict_pair *pair = &at->swept[clock * at->sweeps + i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_int(&object, "cpu_a", pair->a);
        ordo_json_put_int(&object, "cpu_b", pair->b);
        ordo_json_put(&object, "theta_ns", offset_json(result, node, clock, pair->offset));
        ordo_json_add(&array, object);
    }
    return array;
}

static struct ordo_json reasons_of(const struct ordo_verify_result *result, int node, int clock, bool exceeded)
{
    char *reasons[ORDO_VERIFY_REASONS];
    int count = ordo_verify_reasons(result, node, clock, reasons);
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < count; i++) {
        ordo_json_add(&array, ordo_json_text(reasons[i]));
        free(reasons[i]);
    }
    if (exceeded)
        ordo_json_add(&array, ordo_json_text("the published boundary is exceeded"));
    return array;
}

static struct ordo_json clock_json(const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verdict *verdict = &result->verify->nodes[node].verdicts[clock];
    struct ordo_json object = ordo_json_object();
    char remedy[200];
    (void)ordo_verify_remedy(result, node, clock, remedy, sizeof remedy);
    ordo_json_put_text(&object, "clock", result->clocks[clock].source->name);
    ordo_json_put_text(&object, "verdict", ordo_verdict_name(verdict->kind));
    ordo_json_put(&object, "theta_ns", offset_json(result, node, clock, verdict->worst.offset));
    ordo_json_put(&object, "pairs", pairs_of(result, node, clock));
    ordo_json_put_reals(&object, "drift_ppb", verdict->drift.min_ppb, verdict->drift.max_ppb);
    ordo_json_put(&object, "certified_residual_ns", units_of(result, node, clock, verdict->residual_units));
    ordo_json_put(&object, "granule_ns", units_of(result, node, clock, verdict->granule_units));
    ordo_json_put(&object, "reasons", reasons_of(result, node, clock, ordo_verify_exceeds(result, node, clock)));
    ordo_json_put_text(&object, "remedy", remedy);
    ordo_json_put(&object, "cpu_pairs", swept_of(result, node, clock));
    return object;
}

static struct ordo_json rank_json(const struct ordo_verify_rank *rank)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "rank", rank->rank);
    ordo_json_put_text(&object, "host", rank->host);
    ordo_json_put_int(&object, "pid", rank->pid);
    ordo_json_put_text(&object, "boot_id", rank->boot_id);
    ordo_json_put_text(&object, "time_namespace", rank->time_namespace);
    ordo_json_put_int(&object, "monotonic_shift_ns", rank->monotonic_shift_ns);
    ordo_json_put_text(&object, "clocksource", rank->clocksource);
    ordo_json_put_text(&object, "trust", ordo_trust_word(rank->trust));
    ordo_json_put_text(&object, "trust_reason", rank->trust_reason);
    ordo_json_put_text(&object, "mpi", rank->mpi);
    ordo_json_put_text(&object, "binding", rank->binding);
    ordo_json_put(&object, "socket", rank->socket < 0 ? ordo_json_null() : ordo_json_int(rank->socket));
    return object;
}

static struct ordo_json node_of(const struct ordo_verify_result *result, int node)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    struct ordo_json object = ordo_json_object(), ranks = ordo_json_array(), clocks = ordo_json_array();
    double boundary_ns = ordo_verify_boundary_ns(result, node);
    for (int i = 0; i < at->size; i++)
        ordo_json_add(&ranks, rank_json(&result->verify->ranks[at->ranks[i]]));
    for (int clock = 0; clock < result->verify->clock_count; clock++)
        ordo_json_add(&clocks, clock_json(result, node, clock));
    ordo_json_put_int(&object, "node", node);
    ordo_json_put_text(&object, "host", result->verify->ranks[at->ranks[0]].host);
    ordo_json_put_int(&object, "cpus", at->cpus);
    ordo_json_put_bool(&object, "shared_memory", at->shared);
    ordo_json_put_bool(&object, "compared", ordo_verify_compared(result, node));
    ordo_json_put_real(&object, "published_boundary_ns", boundary_ns > 0 ? boundary_ns : NAN); /* null if unknown */
    ordo_json_put(&object, "ranks", ranks);
    ordo_json_put(&object, "clocks", clocks);
    return object;
}

int ordo_verify_report_json(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream)
{
    struct ordo_json document = ordo_json_document("ordo-verify/1"), nodes = ordo_json_array(),
                     allows = ordo_json_object();
    int worst = ORDO_VALID, best = ordo_verify_best_clock(result);
    for (int clock = 0; clock < result->verify->clock_count; clock++) {
        const struct ordo_clock_source *source = result->clocks[clock].source;
        if ((!required || source == required) && result->verify->kinds[clock] > worst)
            worst = result->verify->kinds[clock];
        ordo_json_put_text(&allows, source->name, ordo_verify_hierarchy(result, clock));
    }
    for (int node = 0; node < result->verify->node_count; node++)
        ordo_json_add(&nodes, node_of(result, node));
    ordo_json_put_text(&document, "verdict", ordo_verdict_name((enum ordo_verdict_kind)worst));
    ordo_json_put_text(&document, "required", required ? required->name : NULL);
    ordo_json_put_text(&document, "recommended_clock", best < 0 ? NULL : result->clocks[best].source->name);
    ordo_json_put(&document, "hierarchy", allows);
    ordo_json_put_int(&document, "tolerance_ns", result->verify->tolerance_ns);
    ordo_json_put_real(&document, "seconds", result->verify->seconds);
    ordo_json_put(&document, "nodes", nodes);
    return ordo_json_write(&document, stream);
}
