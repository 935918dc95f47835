/* Each node measures itself in its shared segment; then its lowest rank, the leader, tells the lowest rank of all. */
#include "mpi/verify.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/counter.h"
#include "mpi/evidence.h"
#include "transport/mpi.h"

enum { MOST_CPUS = CPU_SETSIZE, SIZES = 5 };

/* One verification on one rank. */
struct run {
    const struct ordo_verify_options *options;
    struct ordo_verify *verify;
    MPI_Comm world, node, leaders; /* leaders: MPI_COMM_NULL on the others */
    int rank, node_rank;
    struct ordo_node_plan plan;
    unsigned sweep_cpus[MOST_CPUS];
    struct ordo_mpi_segment segment;
    struct ordo_verify_rank evidence;
};

static void node_free(struct ordo_verify_node *node)
{
    free(node->ranks);
    free(node->verdicts);
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
    free(verify);
}

/* Never NULL for a count of 0. */
static void *array(size_t count, size_t bytes)
{
    return calloc(count + 1, bytes);
}

static int node_alloc(struct ordo_verify_node *node, int clock_count, struct ordo_error *error)
{
    size_t clocks = (size_t)clock_count;
    node->ranks = array((size_t)node->size, sizeof *node->ranks);
    node->verdicts = array(clocks, sizeof *node->verdicts);
    node->pairs = array(clocks * (size_t)node->pair_count, sizeof *node->pairs);
    node->swept = array(clocks * (size_t)node->sweeps, sizeof *node->swept);
    if (node->ranks && node->verdicts && node->pairs && node->swept)
        return ORDO_OK;
    return ordo_error_errno(error, "verdicts of %d ranks", node->size);
}

double ordo_verify_ns(const struct ordo_verify_node *node, const struct ordo_clock_source *source, int64_t units)
{
    if (units == INT64_MIN || units == INT64_MAX)
        return units < 0 ? -INFINITY : INFINITY;
    return (double)units * 1e9 / (source->unit_hz ? (double)source->unit_hz : node->tick_hz);
}

/* The CPUs that ranks may migrate to: those of ranks that may use several. And how many there are for all. */
static int find_cpus(struct run *run, struct ordo_error *error)
{
    cpu_set_t own, wanted, all;
    CPU_ZERO(&own);
    CPU_ZERO(&wanted);
    (void)sched_getaffinity(0, sizeof own, &own);
    if (CPU_COUNT(&own) > 1)
        wanted = own;
    int code =
        ordo_mpi_result(MPI_Allreduce(&own, &all, sizeof all, MPI_BYTE, MPI_BOR, run->node), "MPI_Allreduce", error);
    if (code)
        return code;
    own = wanted;
    code =
        ordo_mpi_result(MPI_Allreduce(&own, &wanted, sizeof all, MPI_BYTE, MPI_BOR, run->node), "MPI_Allreduce", error);
    for (unsigned cpu = 0; cpu < MOST_CPUS; cpu++)
        if (CPU_ISSET(cpu, &wanted))
            run->sweep_cpus[run->plan.sweep_count++] = cpu;
    run->verify->own.cpus = CPU_COUNT(&all);
    return code;
}

static int prepare(struct run *run, struct ordo_error *error)
{
    const struct ordo_verify_options *options = run->options;
    struct ordo_verify_node *own = &run->verify->own;
    int size;
    MPI_Comm_rank(run->world, &run->rank);
    int code = ordo_mpi_split_node(run->world, &run->node, error);
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
                                        .progress = run->rank == 0 ? options->progress : NULL,
                                        .context = options->context};
    code = find_cpus(run, error);
    run->plan.one_by_one = size > own->cpus;
    own->size = size;
    own->pair_count = size * (size - 1) / 2;
    own->sweeps = ordo_node_sweeps(&run->plan);
    code = ordo_mpi_agree(run->world, code ? code : node_alloc(own, options->clock_count, error), error);
    if (code)
        return code;
    code =
        ordo_mpi_result(MPI_Comm_split(run->world, run->node_rank == 0 ? 0 : MPI_UNDEFINED, run->rank, &run->leaders),
                        "MPI_Comm_split", error);
    return code ? code
                : ordo_mpi_result(MPI_Allgather(&run->rank, 1, MPI_INT, own->ranks, 1, MPI_INT, run->node),
                                  "MPI_Allgather", error);
}

static int64_t clock_ns(void)
{
    return (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
}

/* There and back between the first leader and another; does nothing on the rest. */
static int round_trip(const struct run *run, int other, int64_t *best_ns)
{
    enum { TAG = 7 };
    char byte = 0;
    int self, failed;
    MPI_Comm_rank(run->leaders, &self);
    if (self != 0 && self != other)
        return MPI_SUCCESS;
    int64_t begin_ns = clock_ns();
    if (self == 0) {
        failed = MPI_Send(&byte, 1, MPI_BYTE, other, TAG, run->leaders);
        failed = failed ? failed : MPI_Recv(&byte, 1, MPI_BYTE, other, TAG, run->leaders, MPI_STATUS_IGNORE);
        *best_ns = clock_ns() - begin_ns < *best_ns ? clock_ns() - begin_ns : *best_ns;
        return failed;
    }
    failed = MPI_Recv(&byte, 1, MPI_BYTE, 0, TAG, run->leaders, MPI_STATUS_IGNORE);
    return failed ? failed : MPI_Send(&byte, 1, MPI_BYTE, 0, TAG, run->leaders);
}

/* A clock that is common to within half of the best half round trip is worth copying: no message could do better. */
static int measure_tolerance(struct run *run, struct ordo_error *error)
{
    enum { TRIPS = 50, MOST_NS = 1000 };
    int leaders = 1, failed = MPI_SUCCESS;
    int64_t best_ns = INT64_MAX;
    if (run->leaders != MPI_COMM_NULL)
        MPI_Comm_size(run->leaders, &leaders);
    for (int other = 1; other < leaders; other++)
        for (int trip = 0; trip < TRIPS && !failed; trip++)
            failed = round_trip(run, other, &best_ns);
    int code = ordo_mpi_result(failed, "a round trip between nodes", error);
    if (code)
        return code;
    int64_t own_ns = best_ns / 4 < MOST_NS ? best_ns / 4 : MOST_NS;
    if (run->options->tolerance_ns)
        own_ns = run->options->tolerance_ns;
    return ordo_mpi_result(MPI_Allreduce(&own_ns, &run->verify->tolerance_ns, 1, MPI_INT64_T, MPI_MIN, run->world),
                           "MPI_Allreduce", error);
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

/* What the ranks on the socket of a rank have in common: the largest residual and drift of all their pairs; a residual
 * of -1 where one pair does not agree. */
static void judge_socket(const struct run *run, int clock, const int *sockets, int rank, int64_t common[2])
{
    const struct ordo_verify_node *own = &run->verify->own;
    const struct ordo_verdict *verdict = &own->verdicts[clock];
    const struct ordo_clock_source *source = run->options->clocks[clock].source;
    int64_t most = 0;
    double drift_ppb = 0;
    common[0] = -1;
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
    common[0] = (int64_t)ceil(ordo_verify_ns(own, source, most));
    common[1] = (int64_t)ceil(drift_ppb);
}

/* Tells each rank of the node how well the clocks of its socket agree. */
static int tell_sockets(struct run *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    int clocks = run->options->clock_count, size = verify->own.size;
    int *sockets = array((size_t)size, sizeof *sockets);
    int64_t(*commons)[2] = array((size_t)size * (size_t)clocks, sizeof *commons);
    int64_t(*mine)[2] = array((size_t)clocks, sizeof *mine);
    int code = sockets && commons && mine ? ORDO_OK : ordo_error_errno(error, "sockets of %d ranks", size);
    code = ordo_mpi_agree(run->world, code, error);
    code = code ? code
                : ordo_mpi_result(MPI_Gather(&run->evidence.socket, 1, MPI_INT, sockets, 1, MPI_INT, 0, run->node),
                                  "MPI_Gather", error);
    for (int rank = 0; rank < size && !code && run->node_rank == 0; rank++)
        for (int clock = 0; clock < clocks; clock++)
            judge_socket(run, clock, sockets, rank, commons[rank * clocks + clock]);
    if (!code)
        code =
            ordo_mpi_result(MPI_Scatter(commons, 2 * clocks, MPI_INT64_T, mine, 2 * clocks, MPI_INT64_T, 0, run->node),
                            "MPI_Scatter", error);
    for (int clock = 0; clock < clocks && !code; clock++) {
        verify->socket_residual_ns[clock] = mine[clock][0];
        verify->socket_drift_ppb[clock] = mine[clock][1];
    }
    free(sockets);
    free(commons);
    free(mine);
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
    int code = ordo_mpi_result(MPI_Bcast(own->verdicts, clocks * (int)sizeof *own->verdicts, MPI_BYTE, 0, run->node),
                               "MPI_Bcast", error);
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
    return ordo_mpi_result(MPI_Allreduce(MPI_IN_PLACE, run->verify->kinds, clocks, MPI_INT, MPI_MAX, run->world),
                           "MPI_Allreduce", error);
}

static int measure(struct run *run, struct ordo_error *error)
{
    const struct ordo_bracket first = ordo_bracket_take(ordo_clock_source_find("monotonic_raw"));
    struct ordo_verify_node *own = &run->verify->own;
    double low_hz = 1e9, high_hz = 1e9;
    int measured = ORDO_OK;
    ordo_mpi_segment_create(run->node, ordo_node_bytes(&run->plan), &run->segment);
    own->shared = run->segment.memory != NULL;
    run->verify->at_ns = clock_ns();
    if (own->shared)
        measured = ordo_node_measure(&run->plan, run->segment.memory, NULL);
    else
        (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    const struct ordo_bracket last = ordo_bracket_take(ordo_clock_source_find("monotonic_raw"));
    ordo_bracket_rate(&first, &last, 1000000000, &low_hz, &high_hz);
    own->tick_hz = (low_hz + high_hz) / 2;
    int code = ordo_mpi_result(MPI_Bcast(&own->tick_hz, 1, MPI_DOUBLE, 0, run->node), "MPI_Bcast", error);
    ordo_evidence_take(&run->evidence);
    return code ? code : judge(run, measured, error);
}

static int tell_evidence(struct run *run, struct ordo_error *error)
{
    struct ordo_verify_rank own = run->evidence;
    struct ordo_verify *verify = run->verify;
    int size, code = ORDO_OK;
    MPI_Comm_size(run->world, &size);
    own.rank = run->rank;
    own.node = verify->own.ranks[0];
    if (run->rank == 0 && !(verify->ranks = array((size_t)size, sizeof own)))
        code = ordo_error_errno(error, "evidence of %d ranks", size);
    code = ordo_mpi_agree(run->world, code, error);
    if (code)
        return code;
    verify->rank_count = run->rank == 0 ? size : 0;
    code = ordo_mpi_result(MPI_Gather(&own, sizeof own, MPI_BYTE, verify->ranks, sizeof own, MPI_BYTE, 0, run->world),
                           "MPI_Gather", error);
    /* Nodes are numbered in the order of their lowest ranks. */
    for (int rank = 0, nodes = 0; !code && rank < verify->rank_count; rank++)
        verify->ranks[rank].node =
            verify->ranks[rank].node == rank ? nodes++ : verify->ranks[verify->ranks[rank].node].node;
    return code;
}

/* Sends or receives one node's arrays; `other` is a leader. */
static int pass_node(struct run *run, struct ordo_verify_node *node, int other, bool send, struct ordo_error *error)
{
    const int clocks = run->options->clock_count, tag = 8;
    const struct {
        void *bytes;
        size_t count;
    } parts[] = {{node->ranks, (size_t)node->size * sizeof *node->ranks},
                 {node->verdicts, (size_t)clocks * sizeof *node->verdicts},
                 {node->pairs, (size_t)clocks * (size_t)node->pair_count * sizeof *node->pairs},
                 {node->swept, (size_t)clocks * (size_t)node->sweeps * sizeof *node->swept},
                 {&node->tick_hz, sizeof node->tick_hz}};
    int code = ORDO_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !code; i++) {
        int failed =
            send ? MPI_Send(parts[i].bytes, (int)parts[i].count, MPI_BYTE, other, tag, run->leaders)
                 : MPI_Recv(parts[i].bytes, (int)parts[i].count, MPI_BYTE, other, tag, run->leaders, MPI_STATUS_IGNORE);
        code = ordo_mpi_result(failed, "the verdicts of a node", error);
    }
    return code;
}

static int copy_own(struct run *run, struct ordo_verify_node *copy, struct ordo_error *error)
{
    const struct ordo_verify_node *own = &run->verify->own;
    size_t clocks = (size_t)run->options->clock_count;
    *copy = *own;
    int code = node_alloc(copy, run->options->clock_count, error);
    if (code)
        return code;
    memcpy(copy->ranks, own->ranks, (size_t)own->size * sizeof *own->ranks);
    memcpy(copy->verdicts, own->verdicts, clocks * sizeof *own->verdicts);
    memcpy(copy->pairs, own->pairs, clocks * (size_t)own->pair_count * sizeof *own->pairs);
    memcpy(copy->swept, own->swept, clocks * (size_t)own->sweeps * sizeof *own->swept);
    return ORDO_OK;
}

/* For the node of the leader `index`, which has told these sizes; the first is the own one. */
static int make_room(struct run *run, int index, const int sizes[SIZES], struct ordo_error *error)
{
    struct ordo_verify_node *node = &run->verify->nodes[run->verify->node_count++];
    if (index == 0)
        return copy_own(run, node, error);
    *node = (struct ordo_verify_node){
        .size = sizes[0], .sweeps = sizes[1], .pair_count = sizes[2], .shared = sizes[3], .cpus = sizes[4]};
    return node_alloc(node, run->options->clock_count, error);
}

/* Among the leaders: the lowest collects all nodes. */
static int tell_nodes(struct run *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    const struct ordo_verify_node *own = &verify->own;
    const int sizes[SIZES] = {own->size, own->sweeps, own->pair_count, own->shared, own->cpus};
    int self, count, code = ORDO_OK;
    MPI_Comm_rank(run->leaders, &self);
    MPI_Comm_size(run->leaders, &count);
    int *all = array((size_t)count * SIZES, sizeof *all);
    if (!all || (self == 0 && !(verify->nodes = array((size_t)count, sizeof *verify->nodes))))
        code = ordo_error_errno(error, "%d nodes", count);
    code = ordo_mpi_agree(run->leaders, code, error);
    code = code ? code
                : ordo_mpi_result(MPI_Gather(sizes, SIZES, MPI_INT, all, SIZES, MPI_INT, 0, run->leaders), "MPI_Gather",
                                  error);
    for (int i = 0; i < count && self == 0 && !code; i++)
        code = make_room(run, i, all + i * SIZES, error);
    free(all);
    code = ordo_mpi_agree(run->leaders, code, error);
    if (self != 0)
        return code ? code : pass_node(run, &verify->own, 0, true, error);
    for (int i = 1; i < count && !code; i++)
        code = pass_node(run, &verify->nodes[i], i, false, error);
    return code;
}

static void finish(struct run *run)
{
    if (run->node != MPI_COMM_NULL)
        ordo_mpi_segment_free(&run->segment);
    if (run->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&run->leaders);
    if (run->node != MPI_COMM_NULL)
        MPI_Comm_free(&run->node);
    MPI_Comm_free(&run->world);
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
    if (verify->kinds && verify->node_residual_ns && verify->socket_residual_ns && verify->node_drift_ppb &&
        verify->socket_drift_ppb)
        return verify;
    ordo_verify_free(verify);
    return NULL;
}

int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **out,
                    struct ordo_error *error)
{
    struct run run = {.options = options, .node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
    run.segment.window = MPI_WIN_NULL;
    int64_t begin_ns = clock_ns();
    *out = NULL;
    int code = ordo_mpi_duplicate(comm, &run.world, error);
    if (code)
        return code;
    run.verify = verify_alloc(options->clock_count);
    if (!run.verify)
        code = ordo_error_errno(error, "verification");
    code = ordo_mpi_agree(run.world, code, error);
    code = code ? code : ordo_mpi_agree(run.world, prepare(&run, error), error);
    code = code ? code : measure_tolerance(&run, error);
    code = code ? code : ordo_mpi_agree(run.world, measure(&run, error), error);
    code = code ? code : tell_evidence(&run, error);
    if (!code && run.leaders != MPI_COMM_NULL)
        code = tell_nodes(&run, error);
    code = ordo_mpi_agree(run.world, code, error);
    finish(&run);
    if (code) {
        ordo_verify_free(run.verify);
        return code;
    }
    run.verify->seconds = (double)(clock_ns() - begin_ns) / 1e9;
    *out = run.verify;
    return ORDO_OK;
}
