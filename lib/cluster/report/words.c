#include "cluster/report/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <ordo/clock.h>
#include <ordo/record.h>

#include "base/plural.h"

static const struct ordo_clock_source *source_of(const struct ordo_verify_result *result, int clock)
{
    return result->clocks[clock].source;
}

static const struct ordo_verify_rank *rank_of_node(const struct ordo_verify_result *result, int node, unsigned rank)
{
    return &result->verify->ranks[result->verify->nodes[node].ranks[rank]];
}

struct list {
    char **reasons;
    int count;
};

__attribute__((format(printf, 2, 3))) static void add(struct list *list, const char *format, ...)
{
    va_list arguments;
    if (list->count == ORDO_VERIFY_REASONS)
        return;
    va_start(arguments, format);
    if (vasprintf(&list->reasons[list->count], format, arguments) >= 0)
        list->count++;
    va_end(arguments);
}

/* Adds a reason for an offset that is not 0, and its cause if the evidence shows a cause. */
static void explain_offset(struct list *list, const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_verdict_pair *worst = &at->verdicts[clock].worst;
    const struct ordo_verify_rank *a = rank_of_node(result, node, 0), *b = rank_of_node(result, node, worst->b);
    char low[24], high[24], shift[24];
    const char *name = source_of(result, clock)->name;
    add(list, "rank %d's %s minus rank %d's lies between %s and %s: 0 is excluded", b->rank, name, a->rank,
        ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), worst->offset.low), low),
        ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), worst->offset.high), high));
    if (strcmp(name, "mpi_wtime") == 0)
        add(list, "MPI_Wtime counts from an origin that each process takes for itself (%s)", b->mpi);
    else if (strcmp(a->time_namespace, b->time_namespace) != 0 && !strstr(name, "real") && strcmp(name, "gettimeofday"))
        add(list, "ranks %d and %d are in different time namespaces, %s and %s, whose CLOCK_MONOTONIC differ by %s",
            a->rank, b->rank, a->time_namespace, b->time_namespace,
            ordo_format_ns((double)(b->monotonic_shift_ns - a->monotonic_shift_ns), shift));
}

static void explain_drift(struct list *list, const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verdict_pair *pair = &result->verify->nodes[node].summaries[clock].drifting;
    if (pair->a != pair->b)
        add(list, "rank %d's clock drifts against rank %d's by %.0f to %.0f ppb",
            rank_of_node(result, node, pair->b)->rank, rank_of_node(result, node, pair->a)->rank, pair->drift.min_ppb,
            pair->drift.max_ppb);
}

static void explain_sweep(struct list *list, const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_verdict_pair *pair = &at->summaries[clock].apart;
    char low[24], high[24];
    if (pair->a != pair->b)
        add(list, "on CPU %u it is ahead of CPU %u by between %s and %s, and ranks may run on both", pair->b, pair->a,
            ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), pair->offset.low), low),
            ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), pair->offset.high), high));
}

static void explain_rejection(struct list *list, const struct ordo_verify_result *result, int node)
{
    const struct ordo_verify_rank *rank = rank_of_node(result, node, 0);
    for (int i = 1; i < result->verify->nodes[node].size; i++)
        if (rank_of_node(result, node, (unsigned)i)->trust > rank->trust)
            rank = rank_of_node(result, node, (unsigned)i);
    add(list, "%s: %s", ordo_trust_word(rank->trust), rank->trust_reason);
}

static void explain_order(struct list *list, const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_verdict *verdict = &at->verdicts[clock];
    char by[24];
    if (verdict->reasons & ORDO_REASON_BENDS)
        add(list, "no constant drift fits what was seen: %sa clock steps or bends",
            source_of(result, clock)->granule_units >= 1000000 ? "a coarse clock was later than its tick, or " : "");
    if (verdict->reasons & ORDO_REASON_BACKWARDS)
        add(list, "a rank saw its own clock run backwards by %s",
            ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), verdict->warp.back_units), by));
    if (verdict->reasons & ORDO_REASON_WARP)
        add(list, "rank %d read %s less than rank %d had read before",
            rank_of_node(result, node, (unsigned)verdict->warp_rank)->rank,
            ordo_format_ns(-ordo_verify_ns(at, source_of(result, clock), verdict->warp.least_step_units), by),
            rank_of_node(result, node, (unsigned)verdict->warp.before)->rank);
}

static void explain_doubt(struct list *list, const struct ordo_verify_result *result, int node, int clock)
{
    const struct ordo_verify_node *at = &result->verify->nodes[node];
    const struct ordo_verdict *verdict = &at->verdicts[clock];
    char residual[24], tolerance[24];
    if (verdict->reasons & ORDO_REASON_UNSHARED)
        add(list, "the ranks got no common memory to measure in");
    if (verdict->reasons & ORDO_REASON_SILENT)
        add(list, "a rank did not answer");
    if (verdict->reasons & ORDO_REASON_UNSWEPT)
        add(list, "a rank may migrate to CPUs to which it could not be bound, or which are not known: they were not "
                  "compared");
    if (!(verdict->reasons & ORDO_REASON_WIDE))
        return;
    add(list, "nothing is proved against it, but it is certain only to within %s, and %s is tolerated",
        ordo_format_ns(ordo_verify_ns(at, source_of(result, clock), verdict->residual_units), residual),
        ordo_format_ns((double)result->verify->tolerance_ns, tolerance));
    if (at->cpus > 0 && at->size > at->cpus)
        add(list, "%d ranks share %d CPU%s", at->size, at->cpus, ordo_plural(at->cpus));
}

int ordo_verify_reasons(const struct ordo_verify_result *result, int node, int clock,
                        char *reasons[ORDO_VERIFY_REASONS])
{
    struct list list = {reasons, 0};
    unsigned why = result->verify->nodes[node].verdicts[clock].reasons;
    if (why & ORDO_REASON_OFFSET)
        explain_offset(&list, result, node, clock);
    if (why & (ORDO_REASON_DRIFT | ORDO_REASON_BENDS))
        explain_drift(&list, result, node, clock);
    if (why & ORDO_REASON_SWEEP)
        explain_sweep(&list, result, node, clock);
    if (why & ORDO_REASON_REJECTED)
        explain_rejection(&list, result, node);
    explain_order(&list, result, node, clock);
    explain_doubt(&list, result, node, clock);
    return list.count;
}

static int find_clock(const struct ordo_verify_result *result, const char *name)
{
    for (int clock = 0; clock < result->verify->clock_count; clock++)
        if (strcmp(source_of(result, clock)->name, name) == 0)
            return clock;
    return -1;
}

int ordo_verify_best_clock(const struct ordo_verify_result *result)
{
    static const char *const by_preference[] = {ORDO_CLOCK_NAME, "monotonic_raw", "monotonic", "boottime", "realtime"};
    for (size_t i = 0; i < sizeof by_preference / sizeof *by_preference; i++) {
        int clock = find_clock(result, by_preference[i]);
        if (clock >= 0 && result->verify->kinds[clock] != ORDO_INVALID)
            return result->verify->kinds[clock] == ORDO_VALID ? clock : -1;
    }
    return -1;
}

const char *ordo_verify_clock_words(const struct ordo_clock_source *source, char text[96])
{
    (void)snprintf(text, 96, "%s%s", source->name,
                   source->settable ? " (which steps whenever the time of day is set)" : "");
    return text;
}

const char *ordo_verify_remedy(const struct ordo_verify_result *result, int node, int clock, char *text, size_t size)
{
    unsigned why = result->verify->nodes[node].verdicts[clock].reasons;
    const char *name = source_of(result, clock)->name;
    int best = ordo_verify_best_clock(result);
    char words[96];
    const char *other = best >= 0 ? ordo_verify_clock_words(source_of(result, best), words) : NULL;
    text[0] = '\0';
    if (why & ORDO_REASON_UNSHARED)
        (void)snprintf(text, size,
                       "let the ranks of a node share memory (/dev/shm, one IPC namespace), or measure every rank");
    else if (why & (ORDO_REASON_WIDE | ORDO_REASON_SILENT))
        (void)snprintf(text, size, "run at most one rank per CPU on an idle node, bound to it, or raise --tolerance");
    else if (why & ORDO_REASON_UNSWEPT)
        (void)snprintf(text, size, "bind each rank to a CPU");
    else if (why && other)
        (void)snprintf(text, size, "use the clock %s%s", other,
                       strcmp(name, ORDO_CLOCK_NAME) ? "" : ", and have the firmware or the hypervisor looked at");
    else if (why)
        (void)snprintf(text, size, "do not copy a clock model from rank to rank: measure every rank");
    return text;
}

const char *ordo_verify_hierarchy(const struct ordo_verify_result *result, int clock)
{
    bool per_socket = true;
    if (result->verify->kinds[clock] == ORDO_VALID)
        return "copy";
    for (int node = 0; node < result->verify->node_count && per_socket; node++)
        per_socket = result->verify->nodes[node].verdicts[clock].kind == ORDO_VALID ||
                     result->verify->nodes[node].summaries[clock].in_sockets;
    return per_socket ? "socket" : "measure";
}
