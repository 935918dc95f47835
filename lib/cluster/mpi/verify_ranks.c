/* The leader of a node (its lowest rank) sends each other rank the bounds that hold on the rank's socket, and the
 * rank's offset against the leader. */
#include "cluster/mpi/verify_work.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"

/* True if a rank of the socket read a lower value than another rank of the socket had read before. */
static bool warps_in_socket(const struct ordo_verify_work *run, int clock, const int *sockets, int socket)
{
    int64_t granule = run->verify->own.verdicts[clock].granule_units;
    for (int rank = 0; rank < run->plan.size; rank++)
        for (int before = 0; before < run->plan.size; before++)
            if (sockets[rank] == socket && sockets[before] == socket &&
                ordo_node_step(&run->plan, run->segment.memory, clock, rank, before) < -granule)
                return true;
    return false;
}

static bool socket_runs_on(const struct ordo_verify_work *run, const int *sockets, int socket, unsigned cpu)
{
    for (int rank = 0; rank < run->plan.size; rank++)
        if (sockets[rank] == socket && ordo_node_runs_on(&run->plan, run->segment.memory, rank, cpu))
            return true;
    return false;
}

/* Returns a bound on the difference between the clocks of any two CPUs of a socket. If every CPU was compared only with
 * the first CPU of the sweep, which may be on another socket, the bound is the largest upper bound of the offsets to
 * that CPU minus the smallest lower bound. */
static int64_t swept_in_socket(const struct ordo_verify_work *run, int clock, const int *sockets, int socket)
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

/* The bounds that the leader sends to one rank for one clock. */
struct common {
    int64_t residual_ns, drift_ppb;  /* bounds for all ranks on the rank's socket */
    struct ordo_verdict_pair lowest; /* the pair of the leader and the rank */
};

/* Finds the largest residual and the largest drift of all pairs of ranks on the socket of `rank`. Sets the residual to
 * -1 if these ranks are not proved to read one clock. */
static void judge_socket(const struct ordo_verify_work *run, int clock, const int *sockets, int rank,
                         struct common *common)
{
    const struct ordo_verify_node *own = &run->verify->own;
    const struct ordo_verdict *verdict = &own->verdicts[clock];
    const struct ordo_clock_source *source = run->options->clocks[clock].source;
    int64_t most = 0;
    double drift_ppb = 0;
    common->residual_ns = -1;
    if (verdict->reasons & (ORDO_REASON_BACKWARDS | ORDO_REASON_SWEEP | ORDO_REASON_UNSHARED | ORDO_REASON_SILENT |
                            ORDO_REASON_UNSWEPT | ORDO_REASON_REJECTED) ||
        ordo_node_unswept(run->segment.memory) || warps_in_socket(run, clock, sockets, sockets[rank]))
        return;
    for (int i = 0; i < own->pair_count; i++) {
        const struct ordo_verdict_pair *pair = &own->pairs[clock * own->pair_count + i];
        if (sockets[pair->a] != sockets[rank] || sockets[pair->b] != sockets[rank])
            continue;
        if (!ordo_verdict_agrees(pair, verdict->granule_units, ordo_verify_tolerance_units(run, source)))
            return;
        most = pair->certified_units > most ? pair->certified_units : most;
        drift_ppb = fmax(drift_ppb, ordo_drift_most_ppb(pair->drift));
    }
    int64_t swept = swept_in_socket(run, clock, sockets, sockets[rank]);
    most = swept > most ? swept : most;
    if (most - verdict->granule_units > ordo_verify_tolerance_units(run, source))
        return;
    common->residual_ns = (int64_t)ceil(ordo_verify_ns(own, source, most));
    common->drift_ppb = (int64_t)ceil(drift_ppb);
}

/* Returns the pair of the leader and a rank. Its bounds are infinite if a rank of the node may migrate, if a clock ran
 * backwards, or if nothing was measured. */
static struct ordo_verdict_pair pair_with_lowest(const struct ordo_verify_work *run, int clock, int rank)
{
    const struct ordo_verify_node *own = &run->verify->own;
    bool migrates = run->plan.sweep_count > 0, proof = !(own->verdicts[clock].reasons & ORDO_REASON_BACKWARDS);
    if (rank > 0 && own->pair_count > 0 && proof && !migrates)
        return own->pairs[clock * own->pair_count + rank - 1]; /* the leader's pairs come first */
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

/* Summarises all pairs for one clock. Call on the leader. */
static void summarise(const struct ordo_verify_work *run, int clock, const int *sockets)
{
    const struct ordo_verify_node *own = &run->verify->own;
    struct ordo_verify_summary *summary = &own->summaries[clock];
    int64_t granule = own->verdicts[clock].granule_units,
            tolerance = ordo_verify_tolerance_units(run, run->options->clocks[clock].source);
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
    summary->in_sockets = several && agree && !(own->verdicts[clock].reasons & ORDO_REASON_REJECTED);
}

/* The arrays that the leader gathers from the ranks of its node, and scatters to them. */
struct told {
    int *sockets;
    struct common *commons, *mine; /* commons: per rank and clock, on the leader; mine: per clock, for this rank */
};

static int exchange_sockets(struct ordo_verify_work *run, struct told *told, struct ordo_error *error)
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

int ordo_verify_tell_ranks(struct ordo_verify_work *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    int clocks = run->options->clock_count;
    size_t size = (size_t)verify->own.size;
    struct told told = {ordo_verify_array(size, sizeof *told.sockets),
                        ordo_verify_array(size * (size_t)clocks, sizeof *told.commons),
                        ordo_verify_array((size_t)clocks, sizeof *told.mine)};
    int code = told.sockets && told.commons && told.mine
                   ? ORDO_OK
                   : ordo_error_errno(error, "sockets of %zu rank%s", size, ordo_plural((int64_t)size));
    code = ordo_mpi_agree(run->watch, run->world, code, error);
    code = code ? code : exchange_sockets(run, &told, error);
    for (int clock = 0; clock < clocks && !code; clock++) {
        verify->socket_residual_ns[clock] = told.mine[clock].residual_ns;
        verify->socket_drift_ppb[clock] = told.mine[clock].drift_ppb;
        verify->lowest[clock] = told.mine[clock].lowest;
    }
    ordo_verify_release(run, told.sockets);
    ordo_verify_release(run, told.commons);
    ordo_verify_release(run, told.mine);
    return code;
}
