/* The ranks of each node measure their clocks in a shared segment. Then the node's lowest rank, its leader, sends the
 * findings to rank 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "cluster/mpi/verify.h"
#include "cluster/mpi/verify_work.h"
#include "machine/counter/trust.h"

/* Replaces each set by its union over all ranks of the node. */
static int join_cpus(struct ordo_verify_work *run, struct ordo_cpus *cpus, int count, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Iallreduce, MPI_IN_PLACE, cpus, count * (int)sizeof *cpus, MPI_BYTE,
                         MPI_BOR, run->node);
}

/* Sets same_cpus: true if every rank of the node may use exactly the CPUs that it could use at the earlier
 * verification. */
static int compare_cpus(struct ordo_verify_work *run, struct ordo_error *error)
{
    const struct ordo_cpus *before = run->options->cpus_before, *now = &run->verify->cpus;
    int same = before && ordo_cpus_count(now) > 0 && memcmp(before, now, sizeof *now) == 0;
    int code = ordo_mpi_reduce(run->watch, run->node, &same, 1, MPI_INT, MPI_MIN, error);
    run->verify->same_cpus = same;
    return code;
}

/* Finds two facts about the node: the CPUs that ranks may migrate to (the CPUs of all ranks that may use more than one
 * CPU), and the number of CPUs of all ranks together. */
static int find_cpus(struct ordo_verify_work *run, struct ordo_error *error)
{
    (void)ordo_cpus_own(&run->cpus[0]);
    run->verify->cpus = run->cpus[0];
    memset(&run->cpus[1], 0, sizeof run->cpus[1]);
    if (ordo_cpus_count(&run->cpus[0]) > 1)
        run->cpus[1] = run->cpus[0];
    int code = join_cpus(run, run->cpus, 2, error);
    for (unsigned cpu = 0; cpu < ORDO_CPUS && !code; cpu++)
        if (ordo_cpus_have(&run->cpus[1], cpu))
            run->sweep_cpus[run->plan.sweep_count++] = cpu;
    run->verify->own.cpus = ordo_cpus_count(&run->cpus[0]);
    return code ? code : compare_cpus(run, error);
}

static void on_share(void *context, double share)
{
    const struct ordo_verify_work *run = context;
    if (run->rank == 0 && run->options->progress)
        run->options->progress(run->options->context, share);
}

static bool on_idle(void *context)
{
    return ordo_mpi_watch_serve(((struct ordo_verify_work *)context)->watch);
}

static struct ordo_node_plan plan_of(struct ordo_verify_work *run, int size)
{
    const struct ordo_verify_options *options = run->options;
    return (struct ordo_node_plan){.rank = run->node_rank,
                                   .size = size,
                                   .clocks = options->clocks,
                                   .clock_count = options->clock_count,
                                   .rounds = options->rounds,
                                   .span_ns = options->span_ns,
                                   .exchanges = options->exchanges,
                                   .visit_ns = options->visit_ns,
                                   .sweep_cpus = run->sweep_cpus,
                                   .wide_units = run->wide_units,
                                   .patience_ns = ordo_mpi_watch_patience_ns(run->watch) / 4 * 3, /* see measure_node */
                                   .progress = on_share,
                                   .idle = on_idle,
                                   .context = run};
}

/* Allocates the findings of this node; on the leader also those of its pairs. */
static int prepare_node(struct ordo_verify_work *run, int size, struct ordo_error *error)
{
    struct ordo_verify_node *own = &run->verify->own;
    int code = find_cpus(run, error);
    run->plan.one_by_one = size > own->cpus;
    own->size = size;
    own->pair_count = size * (size - 1) / 2;
    own->sweeps = ordo_node_sweeps(&run->plan);
    return code ? code : ordo_verify_node_alloc(own, run->options->clock_count, run->node_rank == 0, error);
}

static int prepare_ranks(struct ordo_verify_work *run, struct ordo_error *error)
{
    int size;
    MPI_Comm_rank(run->world, &run->rank);
    int code = ordo_mpi_split_node(run->watch, run->world, &run->node, error);
    if (code)
        return code;
    MPI_Comm_rank(run->node, &run->node_rank);
    MPI_Comm_size(run->node, &size);
    run->plan = plan_of(run, size);
    code = ordo_mpi_agree(run->watch, run->world, prepare_node(run, size, error), error);
    if (!code)
        code = ordo_mpi_split(run->watch, run->world, run->node_rank == 0 ? 0 : MPI_UNDEFINED, run->rank, &run->leaders,
                              error);
    return code ? code
                : ORDO_MPI_WAIT(run->watch, error, MPI_Iallgather, &run->rank, 1, MPI_INT, run->verify->own.ranks, 1,
                                MPI_INT, run->node);
}

/* Returns the verdict on a clock. Call on the leader. `measured` is the code of the measurement. */
static struct ordo_verdict reach_verdict(const struct ordo_verify_work *run, int clock, int measured)
{
    const struct ordo_verify_node *own = &run->verify->own;
    if (!own->shared)
        return ordo_verdict_none(ORDO_REASON_UNSHARED);
    if (measured)
        return ordo_verdict_none(ORDO_REASON_SILENT);
    struct ordo_verdict verdict = ordo_verdict_reach(
        &run->plan, run->segment.memory, clock, ordo_verify_tolerance_units(run, run->options->clocks[clock].source),
        own->pairs + clock * own->pair_count, own->swept + clock * own->sweeps);
    /* If the kernel or the processor declares the hardware clock bad, a good measurement does not show that the clock
     * will stay good. */
    if (strcmp(run->options->clocks[clock].source->name, ORDO_CLOCK_NAME) == 0 && !ordo_trust_allows(run->node_trust)) {
        verdict.kind = ORDO_INVALID;
        verdict.reasons |= ORDO_REASON_REJECTED;
    }
    return verdict;
}

/* Stores the verdict's kind, and the bounds that the ranks of this node may use. */
static void keep(struct ordo_verify *verify, int clock, const struct ordo_clock_source *source)
{
    const struct ordo_verdict *verdict = &verify->own.verdicts[clock];
    bool valid = verdict->kind == ORDO_VALID;
    verify->kinds[clock] = (int)verdict->kind;
    verify->node_residual_ns[clock] =
        valid ? (int64_t)ceil(ordo_verify_ns(&verify->own, source, verdict->residual_units)) : -1;
    verify->node_drift_ppb[clock] = (int64_t)ceil(ordo_drift_most_ppb(verdict->drift));
}

/* Computes the verdicts on the leader, and sends them to all ranks of the node. */
static int judge_verification(struct ordo_verify_work *run, int measured, struct ordo_error *error)
{
    struct ordo_verify_node *own = &run->verify->own;
    int clocks = run->options->clock_count;
    for (int i = 0; i < clocks && run->node_rank == 0; i++)
        own->verdicts[i] = reach_verdict(run, i, measured);
    if (!own->shared || measured)
        own->pair_count = own->sweeps = 0;
    int code = ORDO_MPI_WAIT(run->watch, error, MPI_Ibcast, own->verdicts, clocks * (int)sizeof *own->verdicts,
                             MPI_BYTE, 0, run->node);
    if (code)
        return code;
    for (int i = 0; i < clocks; i++)
        keep(run->verify, i, run->options->clocks[i].source);
    code = ordo_verify_tell_ranks(run, error);
    return code ? code
                : ORDO_MPI_WAIT(run->watch, error, MPI_Iallreduce, MPI_IN_PLACE, run->verify->kinds, clocks, MPI_INT,
                                MPI_MAX, run->world);
}

static int measure_node(struct ordo_verify_work *run, struct ordo_error *error)
{
    ordo_verify_begin_rate(run);
    int measured = ORDO_OK, code = ordo_verify_find_widths(run, error);
    ordo_mpi_segment_create(run->watch, run->node, ordo_node_bytes(&run->plan), &run->segment);
    run->verify->own.shared = run->segment.memory != NULL;
    run->verify->at_ns = ordo_raw_ns();
    if (run->verify->own.shared)
        measured = ordo_node_measure(&run->plan, run->segment.memory, NULL);
    if (measured) /* timeout and search for the silent rank took a third of the deadline: the next wait asks at once */
        ordo_mpi_watch_suspect(run->watch);
    run->verify->end_ns = ordo_raw_ns();
    code = code ? code : ordo_verify_find_rate(run, error);
    ordo_evidence_take(&run->evidence);
    run->node_trust = run->evidence.trust;
    code = code ? code
                : ORDO_MPI_WAIT(run->watch, error, MPI_Iallreduce, MPI_IN_PLACE, &run->node_trust, 1, MPI_INT, MPI_MAX,
                                run->node);
    return code ? code : judge_verification(run, measured, error);
}

/* Frees everything but the result. */
static void free_work(struct ordo_verify_work *run)
{
    if (run->node != MPI_COMM_NULL)
        ordo_mpi_segment_free(run->watch, run->node, &run->segment);
    ordo_mpi_part_free(run->watch, &run->leaders);
    ordo_mpi_part_free(run->watch, &run->node);
    ordo_mpi_watch_free(run->watch);
    free(run->wide_units);
}

static int prepare_result(struct ordo_verify_work *run, struct ordo_error *error)
{
    run->verify = ordo_verify_alloc(run->options->clock_count);
    run->wide_units = ordo_verify_array((size_t)run->options->clock_count, sizeof *run->wide_units);
    int code = run->verify && run->wide_units ? ORDO_OK : ordo_error_errno(error, "verification");
    return ordo_mpi_agree(run->watch, run->world, code, error);
}

/* Checks that all ranks want to measure the same clocks in the same way. */
static int agree_on_plan(struct ordo_verify_work *run, struct ordo_error *error)
{
    const struct ordo_verify_options *options = run->options;
    char words[1024];
    int length = snprintf(words, sizeof words, "%d %d %lld %lld %d %lld", options->rounds, options->exchanges,
                          (long long)options->span_ns, (long long)options->visit_ns, (int)options->detail,
                          (long long)options->tolerance_ns);
    for (int i = 0; i < options->clock_count && length < (int)sizeof words; i++)
        length += snprintf(words + length, sizeof words - (size_t)length, " %s", options->clocks[i].source->name);
    return ordo_mpi_same(run->watch, run->world, words, "options of the verification", error);
}

static int verify_all(struct ordo_verify_work *run, struct ordo_error *error)
{
    int code = agree_on_plan(run, error);
    code = code ? code : prepare_result(run, error);
    code = code ? code : ordo_mpi_agree(run->watch, run->world, prepare_ranks(run, error), error);
    code = code ? code : ordo_verify_find_tolerance(run, error);
    code = code ? code : ordo_mpi_agree(run->watch, run->world, measure_node(run, error), error);
    if (!code && run->options->detail >= ORDO_VERIFY_NODES) {
        code = ordo_verify_tell_evidence(run, error);
        if (!code && run->leaders != MPI_COMM_NULL)
            code = ordo_verify_tell_nodes(run, error);
        code = ordo_mpi_agree(run->watch, run->world, code, error);
    }
    return code;
}

/* Allocates the work of a verification. If the allocation fails on one rank, it fails on all. */
static struct ordo_verify_work *begin_work(struct ordo_mpi_watch *watch, const struct ordo_verify_options *options,
                                           int *code, struct ordo_error *error)
{
    struct ordo_verify_work *run = calloc(1, sizeof *run);
    *code = ordo_mpi_agree(watch, watch->comm, run ? ORDO_OK : ordo_error_errno(error, "verification"), error);
    if (*code) {
        ordo_mpi_watch_free(watch);
        free(run);
        return NULL;
    }
    run->options = options;
    run->watch = watch;
    run->world = watch->comm;
    run->node = run->leaders = MPI_COMM_NULL;
    run->segment.window = MPI_WIN_NULL;
    return run;
}

int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **out,
                    struct ordo_error *error)
{
    int64_t begin_ns = ordo_raw_ns(), deadline_ns = options->deadline_ns ? options->deadline_ns : ORDO_MPI_DEADLINE_NS;
    struct ordo_mpi_watch *watch;
    *out = NULL;
    int code = ordo_mpi_watch_create(comm, deadline_ns, &watch, error);
    struct ordo_verify_work *run = code ? NULL : begin_work(watch, options, &code, error);
    if (!run)
        return code;
    code = ordo_mpi_watch_explain(watch, verify_all(run, error), error);
    if (watch->lost >= 0)
        return code; /* MPI may still write into the run and its buffers. NOLINT(clang-analyzer-unix.Malloc) */
    free_work(run);
    if (code)
        ordo_verify_free(run->verify);
    else
        run->verify->seconds = (double)(ordo_raw_ns() - begin_ns) / 1e9;
    *out = code ? NULL : run->verify;
    free(run);
    return code;
}
