/* Each node measures itself in its shared segment; then its lowest rank, the leader, tells the lowest rank of all. */
#include "cluster/mpi/verify.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cluster/mpi/evidence.h"
#include "cluster/transport/mpi.h"
#include "cluster/transport/tags.h"
#include "cluster/verify/cpus.h"
#include "machine/counter/counter.h"

enum { SIZES = 5 };

/* One verification on one rank. */
struct run {
    const struct ordo_verify_options *options;
    struct ordo_verify *verify;
    struct ordo_mpi_watch *watch;  /* whose communicator is the world */
    MPI_Comm world, node, leaders; /* leaders: MPI_COMM_NULL on the others */
    int rank, node_rank;
    struct ordo_node_plan plan;
    unsigned sweep_cpus[ORDO_CPUS];
    struct ordo_cpus cpus[2]; /* of all ranks, and those that ranks may migrate to */
    int64_t *wide_units;
    struct ordo_mpi_segment segment;
    struct ordo_verify_rank evidence;
};

static void node_free(struct ordo_verify_node *node)
{
    free(node->ranks);
    free(node->verdicts);
    free(node->summaries);
    free(node->pairs);
    free(node->swept);
}

void ordo_verify_free(struct ordo_verify *verify)
{
    if (!verify)
        return;
    node_free(&verify->own);
    for (int i = 0; i < verify->node_count; i++)
        node_free(&verify->nodes[i]);
    free(verify->nodes);
    free(verify->ranks);
    free(verify->kinds);
    free(verify->node_residual_ns);
    free(verify->socket_residual_ns);
    free(verify->node_drift_ppb);
    free(verify->socket_drift_ppb);
    free(verify->lowest);
    free(verify);
}

/* Never NULL for a count of 0. */
static void *array(size_t count, size_t bytes)
{
    return calloc(count + 1, bytes);
}

/* With or without its pairs. */
static int node_alloc(struct ordo_verify_node *node, int clock_count, bool pairs, struct ordo_error *error)
{
    size_t clocks = (size_t)clock_count;
    node->pair_count = pairs ? node->pair_count : 0;
    node->sweeps = pairs ? node->sweeps : 0;
    node->ranks = array((size_t)node->size, sizeof *node->ranks);
    node->verdicts = array(clocks, sizeof *node->verdicts);
    node->summaries = array(clocks, sizeof *node->summaries);
    node->pairs = array(clocks * (size_t)node->pair_count, sizeof *node->pairs);
    node->swept = array(clocks * (size_t)node->sweeps, sizeof *node->swept);
    if (node->ranks && node->verdicts && node->summaries && node->pairs && node->swept)
        return ORDO_OK;
    return ordo_error_errno(error, "verdicts of %d ranks", node->size);
}

double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units)
{
    if (units == INT64_MIN || units == INT64_MAX)
        return units < 0 ? -INFINITY : INFINITY;
    return (double)units * 1e9 / (source->unit_hz ? (double)source->unit_hz : node->tick_hz);
}

/* The same on all ranks of the node, joined bit by bit. */
static int join(struct run *run, struct ordo_cpus *cpus, int count, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Iallreduce, MPI_IN_PLACE, cpus, count * (int)sizeof *cpus, MPI_BYTE,
                         MPI_BOR, run->node);
}

/* Whether every rank of the node can use the CPUs that it could use before. */
static int compare_cpus(struct run *run, struct ordo_error *error)
{
    const struct ordo_cpus *before = run->options->cpus_before, *now = &run->verify->cpus;
    int same = before && ordo_cpus_count(now) > 0 && memcmp(before, now, sizeof *now) == 0;
    int code = ordo_mpi_reduce(run->watch, run->node, &same, 1, MPI_INT, MPI_MIN, error);
    run->verify->same_cpus = same;
    return code;
}

/* The CPUs that ranks may migrate to: those of ranks that may use several. And how many there are for all. */
static int find_cpus(struct run *run, struct ordo_error *error)
{
    (void)ordo_cpus_own(&run->cpus[0]);
    run->verify->cpus = run->cpus[0];
    memset(&run->cpus[1], 0, sizeof run->cpus[1]);
    if (ordo_cpus_count(&run->cpus[0]) > 1)
        run->cpus[1] = run->cpus[0];
    int code = join(run, run->cpus, 2, error);
    for (unsigned cpu = 0; cpu < ORDO_CPUS && !code; cpu++)
        if (ordo_cpus_have(&run->cpus[1], cpu))
            run->sweep_cpus[run->plan.sweep_count++] = cpu;
    run->verify->own.cpus = ordo_cpus_count(&run->cpus[0]);
    return code ? code : compare_cpus(run, error);
}

static void on_progress(void *context, double share)
{
    const struct run *run = context;
    if (run->rank == 0 && run->options->progress)
        run->options->progress(run->options->context, share);
}

static bool on_idle(void *context)
{
    return ordo_mpi_watch_serve(((struct run *)context)->watch);
}

static int prepare(struct run *run, struct ordo_error *error)
{
    const struct ordo_verify_options *options = run->options;
    struct ordo_verify_node *own = &run->verify->own;
    int size;
    MPI_Comm_rank(run->world, &run->rank);
    int code = ordo_mpi_split_node(run->watch, run->world, &run->node, error);
    if (code)
        return code;
    MPI_Comm_rank(run->node, &run->node_rank);
    MPI_Comm_size(run->node, &size);
    run->plan = (struct ordo_node_plan){.rank = run->node_rank,
                                        .size = size,
                                        .clocks = options->clocks,
                                        .clock_count = options->clock_count,
                                        .rounds = options->rounds,
                                        .span_ns = options->span_ns,
                                        .exchanges = options->exchanges,
                                        .visit_ns = options->visit_ns,
                                        .sweep_cpus = run->sweep_cpus,
                                        .wide_units = run->wide_units,
                                        .patience_ns = ordo_mpi_watch_patience_ns(run->watch),
                                        .progress = on_progress,
                                        .idle = on_idle,
                                        .context = run};
    code = find_cpus(run, error);
    run->plan.one_by_one = size > own->cpus;
    own->size = size;
    own->pair_count = size * (size - 1) / 2;
    own->sweeps = ordo_node_sweeps(&run->plan);
    if (!code)
        code = node_alloc(own, options->clock_count, run->node_rank == 0, error);
    code = ordo_mpi_agree(run->watch, run->world, code, error);
    if (!code)
        code = ordo_mpi_split(run->watch, run->world, run->node_rank == 0 ? 0 : MPI_UNDEFINED, run->rank, &run->leaders,
                              error);
    return code ? code
                : ORDO_MPI_WAIT(run->watch, error, MPI_Iallgather, &run->rank, 1, MPI_INT, own->ranks, 1, MPI_INT,
                                run->node);
}

static int64_t clock_ns(void)
{
    return (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
}

/* One message between leaders. */
static int leader_sends(const struct run *run, int to, const void *bytes, size_t count, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Isend, bytes, (int)count, MPI_BYTE, to, ORDO_TAG_VERIFY, run->leaders);
}

static int leader_receives(const struct run *run, int from, void *bytes, size_t count, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Irecv, bytes, (int)count, MPI_BYTE, from, ORDO_TAG_VERIFY,
                         run->leaders);
}

/* There and back between the first leader and another; does nothing on the rest. */
static int round_trip(const struct run *run, int other, int64_t *best_ns, struct ordo_error *error)
{
    static const char ping = 0;
    char byte;
    int self, code;
    MPI_Comm_rank(run->leaders, &self);
    if (self != 0 && self != other)
        return ORDO_OK;
    int64_t begin_ns = clock_ns();
    if (self == 0) {
        code = leader_sends(run, other, &ping, 1, error);
        code = code ? code : leader_receives(run, other, &byte, 1, error);
        *best_ns = clock_ns() - begin_ns < *best_ns ? clock_ns() - begin_ns : *best_ns;
        return code;
    }
    code = leader_receives(run, 0, &byte, 1, error);
    return code ? code : leader_sends(run, 0, &ping, 1, error);
}

/* A clock that is common to within half of the best half round trip is worth copying: no message could do better. */
static int measure_tolerance(struct run *run, struct ordo_error *error)
{
    enum { TRIPS = 50, MOST_NS = 1000 };
    int leaders = 1, code = ORDO_OK;
    int64_t best_ns = INT64_MAX;
    if (run->leaders != MPI_COMM_NULL)
        MPI_Comm_size(run->leaders, &leaders);
    for (int other = 1; other < leaders; other++)
        for (int trip = 0; trip < TRIPS && !code; trip++)
            code = round_trip(run, other, &best_ns, error);
    if (code)
        return code;
    run->verify->tolerance_ns = best_ns / 4 < MOST_NS ? best_ns / 4 : MOST_NS;
    if (run->options->tolerance_ns)
        run->verify->tolerance_ns = run->options->tolerance_ns;
    return ordo_mpi_reduce(run->watch, run->world, &run->verify->tolerance_ns, 1, MPI_INT64_T, MPI_MIN, error);
}

static int64_t tolerance_units(const struct run *run, const struct ordo_clock_source *source)
{
    double hz = source->unit_hz ? (double)source->unit_hz : run->verify->own.tick_hz;
    return (int64_t)((double)run->verify->tolerance_ns * hz / 1e9);
}

/* Whether one of the socket's ranks read less than another of them had read before. */
static bool warps_in_socket(const struct run *run, int clock, const int *sockets, int socket)
{
    int64_t granule = run->verify->own.verdicts[clock].granule_units;
    for (int rank = 0; rank < run->plan.size; rank++)
        for (int before = 0; before < run->plan.size; before++)
            if (sockets[rank] == socket && sockets[before] == socket &&
                ordo_node_step(&run->plan, run->segment.memory, clock, rank, before) < -granule)
                return true;
    return false;
}

static bool socket_runs_on(const struct run *run, const int *sockets, int socket, unsigned cpu)
{
    for (int rank = 0; rank < run->plan.size; rank++)
        if (sockets[rank] == socket && ordo_node_runs_on(&run->plan, run->segment.memory, rank, cpu))
            return true;
    return false;
}

/* By how much the CPUs of a socket may differ. Where all are compared with the first CPU, which may be elsewhere, by
 * the distance of what these comparisons allow at most. */
static int64_t swept_in_socket(const struct run *run, int clock, const int *sockets, int socket)
{
    const struct ordo_verify_node *own = &run->verify->own;
    bool star = own->sweeps > 1 && own->sweeps == run->plan.sweep_count - 1;
    int64_t most = 0, low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < own->sweeps; i++) {
        const struct ordo_verdict_pair *swept = &own->swept[clock * own->sweeps + i];
        bool a = socket_runs_on(run, sockets, socket, swept->a), b = socket_runs_on(run, sockets, socket, swept->b);
        if (a && b)
            most = swept->certified_units > most ? swept->certified_units : most;
        if (star && b) {
            low = swept->offset.low < low ? swept->offset.low : low;
            high = swept->offset.high > high ? swept->offset.high : high;
        }
    }
    return low < high && high - low > most ? high - low : most;
}

/* What the leader tells a rank of one clock. */
struct common {
    int64_t residual_ns, drift_ppb;  /* of the ranks on its socket */
    struct ordo_verdict_pair lowest; /* of the leader and itself */
};

/* What the ranks on the socket of a rank have in common: the largest residual and drift of all their pairs; a residual
 * of -1 where one pair does not agree. */
static void judge_socket(const struct run *run, int clock, const int *sockets, int rank, struct common *common)
{
    const struct ordo_verify_node *own = &run->verify->own;
    const struct ordo_verdict *verdict = &own->verdicts[clock];
    const struct ordo_clock_source *source = run->options->clocks[clock].source;
    int64_t most = 0;
    double drift_ppb = 0;
    common->residual_ns = -1;
    if (verdict->reasons & (ORDO_REASON_BACKWARDS | ORDO_REASON_SWEEP | ORDO_REASON_UNSHARED | ORDO_REASON_SILENT |
                            ORDO_REASON_UNSWEPT) ||
        ordo_node_unswept(run->segment.memory) || warps_in_socket(run, clock, sockets, sockets[rank]))
        return;
    for (int i = 0; i < own->pair_count; i++) {
        const struct ordo_verdict_pair *pair = &own->pairs[clock * own->pair_count + i];
        if (sockets[pair->a] != sockets[rank] || sockets[pair->b] != sockets[rank])
            continue;
        if (!ordo_verdict_agrees(pair, verdict->granule_units, tolerance_units(run, source)))
            return;
        most = pair->certified_units > most ? pair->certified_units : most;
        drift_ppb = fmax(drift_ppb, ordo_drift_most_ppb(pair->drift));
    }
    int64_t swept = swept_in_socket(run, clock, sockets, sockets[rank]);
    most = swept > most ? swept : most;
    if (most - verdict->granule_units > tolerance_units(run, source))
        return;
    common->residual_ns = (int64_t)ceil(ordo_verify_ns(own, source, most));
    common->drift_ppb = (int64_t)ceil(drift_ppb);
}

/* The pair of the leader and a rank, where each reads one clock now and later. */
static struct ordo_verdict_pair pair_with_lowest(const struct run *run, int clock, int rank)
{
    const struct ordo_verify_node *own = &run->verify->own;
    bool migrates = run->plan.sweep_count > 0, proof = !(own->verdicts[clock].reasons & ORDO_REASON_BACKWARDS);
    if (rank > 0 && own->pair_count > 0 && proof && !migrates)
        return own->pairs[clock * own->pair_count + rank - 1]; /* those of the lowest rank come first */
    return (struct ordo_verdict_pair){
        .b = (unsigned)rank, .offset = {INT64_MIN, INT64_MAX}, .drift = {-INFINITY, INFINITY}};
}

static bool excludes_zero(struct ordo_interval offset)
{
    return offset.low > 0 || offset.high < 0;
}

static void count_offset(struct ordo_verify_summary *summary, struct ordo_interval offset)
{
    summary->offset.low = offset.low > summary->offset.low ? offset.low : summary->offset.low;
    summary->offset.high = offset.high < summary->offset.high ? offset.high : summary->offset.high;
}

/* What is told of a clock's pairs instead of all of them. On the leader. */
static void summarise(const struct run *run, int clock, const int *sockets)
{
    const struct ordo_verify_node *own = &run->verify->own;
    struct ordo_verify_summary *summary = &own->summaries[clock];
    int64_t granule = own->verdicts[clock].granule_units,
            tolerance = tolerance_units(run, run->options->clocks[clock].source);
    bool several = false, agree = true;
    *summary = (struct ordo_verify_summary){.offset = {INT64_MIN, INT64_MAX}};
    for (int i = 0; i < own->pair_count; i++) {
        const struct ordo_verdict_pair *pair = &own->pairs[clock * own->pair_count + i];
        const struct ordo_drift *drift = &pair->drift;
        int a = sockets[pair->a], b = sockets[pair->b];
        if (summary->drifting.b == 0 && drift->min_ppb <= drift->max_ppb && (drift->min_ppb > 0 || drift->max_ppb < 0))
            summary->drifting = *pair;
        several |= a != b;
        agree &= a >= 0 && b >= 0 && (a != b || ordo_verdict_agrees(pair, granule, tolerance));
        count_offset(summary, pair->offset);
    }
    for (int i = 0; i < own->sweeps; i++) {
        const struct ordo_verdict_pair *swept = &own->swept[clock * own->sweeps + i];
        if (summary->apart.a == summary->apart.b && excludes_zero(swept->offset))
            summary->apart = *swept;
        count_offset(summary, swept->offset);
    }
    summary->in_sockets = several && agree;
}

/* Nothing where a rank is lost: MPI may still write there. */
static void release(const struct run *run, void *memory)
{
    if (run->watch->lost < 0)
        free(memory);
}

/* What the ranks of a node tell their leader, and hear from it, about sockets. */
struct told {
    int *sockets;
    struct common *commons, *mine; /* per rank and clock; of this rank */
};

static int exchange_sockets(struct run *run, struct told *told, struct ordo_error *error)
{
    int clocks = run->options->clock_count;
    int code = ORDO_MPI_WAIT(run->watch, error, MPI_Igather, &run->evidence.socket, 1, MPI_INT, told->sockets, 1,
                             MPI_INT, 0, run->node);
    for (int clock = 0; clock < clocks && !code && run->node_rank == 0; clock++) {
        summarise(run, clock, told->sockets);
        for (int rank = 0; rank < run->plan.size; rank++) {
            struct common *common = &told->commons[rank * clocks + clock];
            judge_socket(run, clock, told->sockets, rank, common);
            common->lowest = pair_with_lowest(run, clock, rank);
        }
    }
    if (code)
        return code;
    int bytes = clocks * (int)sizeof *told->mine;
    return ORDO_MPI_WAIT(run->watch, error, MPI_Iscatter, told->commons, bytes, MPI_BYTE, told->mine, bytes, MPI_BYTE,
                         0, run->node);
}

/* Tells each rank of the node how well the clocks of its socket agree. */
static int tell_sockets(struct run *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    int clocks = run->options->clock_count;
    size_t size = (size_t)verify->own.size;
    struct told told = {array(size, sizeof *told.sockets), array(size * (size_t)clocks, sizeof *told.commons),
                        array((size_t)clocks, sizeof *told.mine)};
    int code =
        told.sockets && told.commons && told.mine ? ORDO_OK : ordo_error_errno(error, "sockets of %zu ranks", size);
    code = ordo_mpi_agree(run->watch, run->world, code, error);
    code = code ? code : exchange_sockets(run, &told, error);
    for (int clock = 0; clock < clocks && !code; clock++) {
        verify->socket_residual_ns[clock] = told.mine[clock].residual_ns;
        verify->socket_drift_ppb[clock] = told.mine[clock].drift_ppb;
        verify->lowest[clock] = told.mine[clock].lowest;
    }
    release(run, told.sockets);
    release(run, told.commons);
    release(run, told.mine);
    return code;
}

/* The leader's verdicts, then known to all of the node. */
static int judge(struct run *run, int measured, struct ordo_error *error)
{
    struct ordo_verify_node *own = &run->verify->own;
    int clocks = run->options->clock_count;
    for (int i = 0; i < clocks && run->node_rank == 0; i++)
        own->verdicts[i] = !own->shared ? ordo_verdict_none(ORDO_REASON_UNSHARED)
                           : measured
                               ? ordo_verdict_none(ORDO_REASON_SILENT)
                               : ordo_verdict_reach(&run->plan, run->segment.memory, i,
                                                    tolerance_units(run, run->options->clocks[i].source),
                                                    own->pairs + i * own->pair_count, own->swept + i * own->sweeps);
    if (!own->shared || measured)
        own->pair_count = own->sweeps = 0;
    int code = ORDO_MPI_WAIT(run->watch, error, MPI_Ibcast, own->verdicts, clocks * (int)sizeof *own->verdicts,
                             MPI_BYTE, 0, run->node);
    if (code)
        return code;
    for (int i = 0; i < clocks; i++) {
        const struct ordo_verdict *verdict = &own->verdicts[i];
        run->verify->kinds[i] = (int)verdict->kind;
        run->verify->node_residual_ns[i] =
            verdict->kind == ORDO_VALID
                ? (int64_t)ceil(ordo_verify_ns(own, run->options->clocks[i].source, verdict->residual_units))
                : -1;
        run->verify->node_drift_ppb[i] = (int64_t)ceil(ordo_drift_most_ppb(verdict->drift));
    }
    code = tell_sockets(run, error);
    if (code)
        return code;
    return ORDO_MPI_WAIT(run->watch, error, MPI_Iallreduce, MPI_IN_PLACE, run->verify->kinds, clocks, MPI_INT, MPI_MAX,
                         run->world);
}

/* From one bracket to another: what the node's lowest rank finds, for all of it. */
static int find_rate(struct run *run, const struct ordo_bracket *first, struct ordo_error *error)
{
    double low_hz = 1e9, high_hz = 1e9;
    const struct ordo_bracket last = ordo_bracket_take(ordo_clock_source_find("monotonic_raw"));
    ordo_bracket_rate(first, &last, 1000000000, &low_hz, &high_hz);
    run->verify->own.tick_hz = (low_hz + high_hz) / 2;
    return ordo_mpi_broadcast(run->watch, run->node, &run->verify->own.tick_hz, sizeof(double), error);
}

/* What is too wide a visit, in units: for that the rate must be known roughly before. */
static int find_widths(struct run *run, const struct ordo_bracket *first, struct ordo_error *error)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    int code = find_rate(run, first, error);
    int important = run->options->important ? run->options->important : run->options->clock_count;
    for (int i = 0; i < run->options->clock_count; i++)
        run->wide_units[i] = i < important ? tolerance_units(run, run->options->clocks[i].source) : INT64_MAX;
    return code;
}

static int measure(struct run *run, struct ordo_error *error)
{
    const struct ordo_bracket first = ordo_bracket_take(ordo_clock_source_find("monotonic_raw"));
    int measured = ORDO_OK, code = find_widths(run, &first, error);
    ordo_mpi_segment_create(run->watch, run->node, ordo_node_bytes(&run->plan), &run->segment);
    run->verify->own.shared = run->segment.memory != NULL;
    run->verify->at_ns = clock_ns();
    if (run->verify->own.shared)
        measured = ordo_node_measure(&run->plan, run->segment.memory, NULL);
    run->verify->end_ns = clock_ns();
    code = code ? code : find_rate(run, &first, error);
    ordo_evidence_take(&run->evidence);
    return code ? code : judge(run, measured, error);
}

static int tell_evidence(struct run *run, struct ordo_error *error)
{
    struct ordo_verify_rank *own = &run->evidence;
    struct ordo_verify *verify = run->verify;
    int size = run->watch->size, code = ORDO_OK;
    own->rank = run->rank;
    own->node = verify->own.ranks[0];
    if (run->rank == 0 && !(verify->ranks = array((size_t)size, sizeof *own)))
        code = ordo_error_errno(error, "evidence of %d ranks", size);
    code = ordo_mpi_agree(run->watch, run->world, code, error);
    if (code)
        return code;
    verify->rank_count = run->rank == 0 ? size : 0;
    code = ORDO_MPI_WAIT(run->watch, error, MPI_Igather, own, sizeof *own, MPI_BYTE, verify->ranks, sizeof *own,
                         MPI_BYTE, 0, run->world);
    /* Nodes are numbered in the order of their lowest ranks. */
    for (int rank = 0, nodes = 0; !code && rank < verify->rank_count; rank++)
        verify->ranks[rank].node =
            verify->ranks[rank].node == rank ? nodes++ : verify->ranks[verify->ranks[rank].node].node;
    return code;
}

enum { PARTS = 6 };

/* What is told of a node, which has as many pairs as it has room for. */
struct part {
    void *bytes;
    size_t count;
};

static void parts_of(struct ordo_verify_node *node, int clock_count, struct part parts[PARTS])
{
    size_t clocks = (size_t)clock_count;
    parts[0] = (struct part){node->ranks, (size_t)node->size * sizeof *node->ranks};
    parts[1] = (struct part){node->verdicts, clocks * sizeof *node->verdicts};
    parts[2] = (struct part){node->summaries, clocks * sizeof *node->summaries};
    parts[3] = (struct part){node->pairs, clocks * (size_t)node->pair_count * sizeof *node->pairs};
    parts[4] = (struct part){node->swept, clocks * (size_t)node->sweeps * sizeof *node->swept};
    parts[5] = (struct part){&node->tick_hz, sizeof node->tick_hz};
}

/* Without pairs, where they are not wanted. */
static struct ordo_verify_node wanted(const struct run *run)
{
    struct ordo_verify_node node = run->verify->own;
    bool pairs = run->options->detail >= ORDO_VERIFY_PAIRS;
    node.pair_count = pairs ? node.pair_count : 0;
    node.sweeps = pairs ? node.sweeps : 0;
    return node;
}

static int send_own(struct run *run, struct ordo_error *error)
{
    struct ordo_verify_node node = wanted(run);
    struct part parts[PARTS];
    int code = ORDO_OK;
    parts_of(&node, run->options->clock_count, parts);
    parts[PARTS - 1].bytes = &run->verify->own.tick_hz;
    for (int i = 0; i < PARTS && !code; i++)
        code = leader_sends(run, 0, parts[i].bytes, parts[i].count, error);
    return code;
}

static int receive_node(struct run *run, struct ordo_verify_node *node, int from, struct ordo_error *error)
{
    struct part parts[PARTS];
    int code = ORDO_OK;
    parts_of(node, run->options->clock_count, parts);
    for (int i = 0; i < PARTS && !code; i++)
        code = leader_receives(run, from, parts[i].bytes, parts[i].count, error);
    return code;
}

static void copy_own(struct run *run, struct ordo_verify_node *copy)
{
    struct ordo_verify_node own = wanted(run);
    struct part from[PARTS], to[PARTS];
    parts_of(&own, run->options->clock_count, from);
    parts_of(copy, run->options->clock_count, to);
    for (int i = 0; i < PARTS; i++)
        memcpy(to[i].bytes, from[i].bytes, to[i].count);
}

/* For the node of the leader `index`, which has told these sizes; the first is the own one. */
static int make_room(struct run *run, int index, const int sizes[SIZES], struct ordo_error *error)
{
    struct ordo_verify_node *node = &run->verify->nodes[run->verify->node_count++];
    *node = (struct ordo_verify_node){
        .size = sizes[0], .sweeps = sizes[1], .pair_count = sizes[2], .shared = sizes[3], .cpus = sizes[4]};
    int code = node_alloc(node, run->options->clock_count, true, error);
    if (!code && index == 0)
        copy_own(run, node);
    return code;
}

static int gather_sizes(struct run *run, int *own, int *all, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Igather, own, SIZES, MPI_INT, all, SIZES, MPI_INT, 0, run->leaders);
}

/* Among the leaders: the lowest collects all nodes. */
static int tell_nodes(struct run *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    const struct ordo_verify_node node = wanted(run);
    int self, count, code = ORDO_OK;
    MPI_Comm_rank(run->leaders, &self);
    MPI_Comm_size(run->leaders, &count);
    int *all = array((size_t)count + 1, SIZES * sizeof *all), *own = all ? all + (size_t)count * SIZES : NULL;
    if (!all || (self == 0 && !(verify->nodes = array((size_t)count, sizeof *verify->nodes))))
        code = ordo_error_errno(error, "%d nodes", count);
    else
        memcpy(own, (int[SIZES]){node.size, node.sweeps, node.pair_count, node.shared, node.cpus}, SIZES * sizeof *own);
    code = ordo_mpi_agree(run->watch, run->leaders, code, error);
    code = code ? code : gather_sizes(run, own, all, error);
    for (int i = 0; i < count && self == 0 && !code; i++)
        code = make_room(run, i, all + i * SIZES, error);
    release(run, all);
    code = ordo_mpi_agree(run->watch, run->leaders, code, error);
    if (self != 0)
        return code ? code : send_own(run, error);
    for (int i = 1; i < count && !code; i++)
        code = receive_node(run, &verify->nodes[i], i, error);
    return code;
}

/* Frees all but the result. */
static void finish(struct run *run)
{
    if (run->node != MPI_COMM_NULL)
        ordo_mpi_segment_free(run->watch, run->node, &run->segment);
    ordo_mpi_part_free(run->watch, &run->leaders);
    ordo_mpi_part_free(run->watch, &run->node);
    ordo_mpi_watch_free(run->watch);
    free(run->wide_units);
}

static struct ordo_verify *verify_alloc(int clock_count)
{
    struct ordo_verify *verify = array(1, sizeof *verify);
    size_t clocks = (size_t)clock_count;
    if (!verify)
        return NULL;
    verify->clock_count = clock_count;
    verify->kinds = array(clocks, sizeof *verify->kinds);
    verify->node_residual_ns = array(clocks, sizeof *verify->node_residual_ns);
    verify->socket_residual_ns = array(clocks, sizeof *verify->socket_residual_ns);
    verify->node_drift_ppb = array(clocks, sizeof *verify->node_drift_ppb);
    verify->socket_drift_ppb = array(clocks, sizeof *verify->socket_drift_ppb);
    verify->lowest = array(clocks, sizeof *verify->lowest);
    if (verify->kinds && verify->node_residual_ns && verify->socket_residual_ns && verify->node_drift_ppb &&
        verify->socket_drift_ppb && verify->lowest)
        return verify;
    ordo_verify_free(verify);
    return NULL;
}

static int prepare_result(struct run *run, struct ordo_error *error)
{
    run->verify = verify_alloc(run->options->clock_count);
    run->wide_units = array((size_t)run->options->clock_count, sizeof *run->wide_units);
    int code = run->verify && run->wide_units ? ORDO_OK : ordo_error_errno(error, "verification");
    return ordo_mpi_agree(run->watch, run->world, code, error);
}

static int work(struct run *run, struct ordo_error *error)
{
    int code = prepare_result(run, error);
    code = code ? code : ordo_mpi_agree(run->watch, run->world, prepare(run, error), error);
    code = code ? code : measure_tolerance(run, error);
    code = code ? code : ordo_mpi_agree(run->watch, run->world, measure(run, error), error);
    if (!code && run->options->detail >= ORDO_VERIFY_NODES) {
        code = tell_evidence(run, error);
        if (!code && run->leaders != MPI_COMM_NULL)
            code = tell_nodes(run, error);
        code = ordo_mpi_agree(run->watch, run->world, code, error);
    }
    return code;
}

int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **out,
                    struct ordo_error *error)
{
    int64_t begin_ns = clock_ns(), deadline_ns = options->deadline_ns ? options->deadline_ns : ORDO_MPI_DEADLINE_NS;
    struct ordo_mpi_watch *watch;
    *out = NULL;
    int code = ordo_mpi_watch_create(comm, deadline_ns, &watch, error);
    if (code)
        return code;
    struct run *run = calloc(1, sizeof *run);
    code = ordo_mpi_agree(watch, watch->comm, run ? ORDO_OK : ordo_error_errno(error, "verification"), error);
    if (code) {
        ordo_mpi_watch_free(watch);
        free(run);
        return code;
    }
    run->options = options;
    run->watch = watch;
    run->world = watch->comm;
    run->node = run->leaders = MPI_COMM_NULL;
    run->segment.window = MPI_WIN_NULL;
    code = work(run, error);
    code = ordo_mpi_watch_explain(watch, code, error);
    if (watch->lost >= 0)
        return code; /* MPI may still write into the run and what it holds */
    finish(run);
    if (code)
        ordo_verify_free(run->verify);
    else
        run->verify->seconds = (double)(clock_ns() - begin_ns) / 1e9;
    *out = code ? NULL : run->verify;
    free(run);
    return code;
}
