#include "cluster/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "base/plural.h"

static double units_ns(const struct ordo_verify_result *result, int node, int clock, int64_t units)
{
    return ordo_verify_ns(&result->verify->nodes[node], result->clocks[clock].source, units);
}

double ordo_verify_boundary_ns(const struct ordo_verify_result *result, int node)
{
    return result->boundaries_ns[result->verify->nodes[node].ranks[0]];
}

bool ordo_verify_exceeds(const struct ordo_verify_result *result, int node, int clock)
{
    double boundary_ns = ordo_verify_boundary_ns(result, node);
    struct ordo_interval offset = result->verify->nodes[node].summaries[clock].offset;
    if (result->clocks[clock].source->unit_hz || boundary_ns == 0)
        return false;
    return units_ns(result, node, clock, offset.low) > boundary_ns ||
           units_ns(result, node, clock, offset.high) < -boundary_ns;
}

bool ordo_verify_compared(const struct ordo_verify_result *result, int node)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    return at->size > 1 || at->cpus > 1;
}

bool ordo_verify_compared_nothing(const struct ordo_verify_result *result)
{
    bool compared = true;
    for (int node = 0; node < result->verify->node_count; node++)
        compared &= ordo_verify_compared(result, node);
    return !compared && result->verify->rank_count > 1;
}

/* Prints the ranks of a node, which ascend, in the form "0-3,8". */
static void print_ranks(const struct ordo_verify_node *node, FILE *stream)
{
    for (int first = 0; first < node->size;) {
        int last = first;
        while (last + 1 < node->size && node->ranks[last + 1] == node->ranks[last] + 1)
            last++;
        fprintf(stream, first ? ",%d" : "%d", node->ranks[first]);
        if (last > first)
            fprintf(stream, "-%d", node->ranks[last]);
        first = last + 1;
    }
}

static void print_clock(const struct ordo_verify_result *result, int node, int clock, FILE *stream)
{
    const struct ordo_verdict *verdict = &result->verify->nodes[node].verdicts[clock];
    char low[24], high[24], residual[24], interval[56], drift[48] = "unbounded";
    (void)snprintf(interval, sizeof interval, "[%s, %s]",
                   ordo_format_ns(units_ns(result, node, clock, verdict->worst.offset.low), low),
                   ordo_format_ns(units_ns(result, node, clock, verdict->worst.offset.high), high));
    if (!isinf(verdict->drift.min_ppb) && !isinf(verdict->drift.max_ppb))
        (void)snprintf(drift, sizeof drift, "[%.0f, %.0f]", verdict->drift.min_ppb, verdict->drift.max_ppb);
    fprintf(stream, "  %-16s %-12s %24s %20s %10s\n", result->clocks[clock].source->name,
            ordo_verdict_name(verdict->kind), interval, drift,
            verdict->kind == ORDO_VALID
                ? ordo_format_ns(units_ns(result, node, clock, verdict->residual_units), residual)
                : "-");
}

static void print_why(const struct ordo_verify_result *result, int node, int clock, FILE *stream)
{
    const char *name = result->clocks[clock].source->name;
    char *reasons[ORDO_VERIFY_REASONS], remedy[200];
    int count = ordo_verify_reasons(result, node, clock, reasons);
    for (int i = 0; i < count; i++) {
        fprintf(stream, "  %s: %s\n", name, reasons[i]);
        free(reasons[i]);
    }
    if (ordo_verify_exceeds(result, node, clock))
        fprintf(stream, "  %s: the published boundary of %.0f ns is exceeded\n", name,
                ordo_verify_boundary_ns(result, node));
    if (*ordo_verify_remedy(result, node, clock, remedy, sizeof remedy))
        fprintf(stream, "  %s: %s\n", name, remedy);
}

static void print_evidence(const struct ordo_verify_result *result, int node, FILE *stream)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    for (int i = 0; i < at->size; i++) {
        const struct ordo_verify_rank *rank = &result->verify->ranks[at->ranks[i]],
                                      *first = &result->verify->ranks[at->ranks[0]];
        bool alike = i && !strcmp(rank->time_namespace, first->time_namespace) &&
                     !strcmp(rank->binding, first->binding) && !strcmp(rank->mpi, first->mpi) &&
                     !strcmp(rank->clocksource, first->clocksource);
        if (!alike)
            fprintf(stream, "  rank %d: CPUs %s, clocksource %s, %s, %s\n", rank->rank, rank->binding,
                    rank->clocksource, rank->time_namespace, rank->mpi);
        if (i == 0 && rank->trust != ORDO_TRUST_VOUCHED)
            fprintf(stream, "  clock " ORDO_CLOCK_NAME ": %s: %s\n", ordo_trust_word(rank->trust), rank->trust_reason);
    }
}

static void print_recommendation(const struct ordo_verify_result *result, FILE *stream)
{
    int best = ordo_verify_best_clock(result);
    bool open = false;
    char words[96];
    fputc('\n', stream);
    if (best >= 0)
        fprintf(stream, "Recommended: clock %s, one model copied to the ranks of each node (--intra prop).\n",
                ordo_verify_clock_words(result->clocks[best].source, words));
    for (int clock = 0; clock < result->verify->clock_count && best < 0; clock++) {
        if (strcmp(ordo_verify_hierarchy(result, clock), "socket") == 0) {
            fprintf(stream, "Recommended: clock %s, one model copied to the ranks of each socket (h3hca).\n",
                    ordo_verify_clock_words(result->clocks[clock].source, words));
            return;
        }
        open |= result->verify->kinds[clock] == ORDO_INCONCLUSIVE;
    }
    if (best < 0 && open)
        fprintf(stream, "Recommended: verify again on an idle machine; until then measure every rank (hca3).\n");
    else if (best < 0)
        fprintf(stream, "Recommended: no clock is certainly common: measure every rank (hca3).\n");
}

void ordo_verify_report_text(const struct ordo_verify_result *result, FILE *stream)
{
    const struct ordo_verify *verify = result->verify;
    for (int node = 0; node < verify->node_count; node++) {
        const struct ordo_verify_node *at = &verify->nodes[node];
        const struct ordo_verify_rank *first = &verify->ranks[at->ranks[0]];
        fprintf(stream, "%snode %d: %s, boot %.8s, %d CPU%s, rank%s ", node ? "\n" : "", node, first->host,
                first->boot_id, at->cpus, ordo_plural(at->cpus), ordo_plural(at->size));
        print_ranks(at, stream);
        fputc('\n', stream);
        print_evidence(result, node, stream);
        fprintf(stream, "  %-16s %-12s %24s %20s %10s\n", "clock", "verdict", "offset of worst rank", "drift in ppb",
                "residual");
        for (int clock = 0; clock < verify->clock_count; clock++)
            print_clock(result, node, clock, stream);
        for (int clock = 0; clock < verify->clock_count; clock++)
            print_why(result, node, clock, stream);
        if (!ordo_verify_compared(result, node))
            fprintf(stream, "  one rank on one CPU: nothing was compared; start two ranks or more on each node\n");
    }
    print_recommendation(result, stream);
}

/* Returns the worst verdict on a node: on the required clock, or on all clocks but MPI's, which differs between
 * processes by design. */
static enum ordo_verdict_kind worst_on(const struct ordo_verify_result *result, int node,
                                       const struct ordo_clock_source *required)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    enum ordo_verdict_kind worst = ORDO_VALID;
    for (int clock = 0; clock < result->verify->clock_count; clock++)
        if ((!required || result->clocks[clock].source == required) && at->verdicts[clock].kind > worst &&
            (required || strcmp(result->clocks[clock].source->name, "mpi_wtime")))
            worst = at->verdicts[clock].kind;
    return worst;
}

static void print_nhc_clocks(const struct ordo_verify_result *result, int node,
                             const struct ordo_clock_source *required, FILE *stream)
{
    static const char *const words[] = {[ORDO_VALID] = "is common to all ranks",
                                        [ORDO_INVALID] = "differs between ranks",
                                        [ORDO_INCONCLUSIVE] = "could not be told"};
    const char *before = " ";
    for (int clock = 0; clock < result->verify->clock_count; clock++)
        if (!required || result->clocks[clock].source == required) {
            fprintf(stream, "%s%s %s", before, result->clocks[clock].source->name,
                    words[result->verify->nodes[node].verdicts[clock].kind]);
            before = "; ";
        }
}

void ordo_verify_report_nhc(const struct ordo_verify_result *result, const struct ordo_clock_source *required,
                            FILE *stream)
{
    static const char *const states[] = {
        [ORDO_VALID] = "OK", [ORDO_INVALID] = "ERROR", [ORDO_INCONCLUSIVE] = "UNKNOWN"};
    for (int node = 0; node < result->verify->node_count; node++) {
        enum ordo_verdict_kind worst = worst_on(result, node, required);
        bool compared = ordo_verify_compared(result, node);
        if (worst == ORDO_VALID && !compared && result->verify->rank_count > 1)
            worst = ORDO_INCONCLUSIVE;
        fprintf(stream, "%s %s:", states[worst], result->verify->ranks[result->verify->nodes[node].ranks[0]].host);
        if (compared || worst == ORDO_INVALID)
            print_nhc_clocks(result, node, required, stream);
        else
            fprintf(stream, " one rank on one CPU: nothing was compared");
        fputc('\n', stream);
    }
}
