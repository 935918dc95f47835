#include "roundtime.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/time.h"
#include "cluster/barrier/scheme.h"
#include "cluster/mpi/context.h"

enum { BROADCASTS = 31 };

static int64_t now_ns(struct mpi_session *session)
{
    return ordo_mpi_now(session->clock).estimate_ns;
}

static int64_t farthest(int64_t low, int64_t high)
{
    return -low > high ? -low : high;
}

/* Collective: returns the largest bound on the error of a rank's global time. */
static int64_t worst_bound_ns(struct mpi_session *session)
{
    struct ordo_global_time now = ordo_mpi_now(session->clock);
    int64_t bound_ns = farthest(now.earliest_ns - now.estimate_ns, now.latest_ns - now.estimate_ns);
    mpi_cli_reduce(&bound_ns, 1, MPI_INT64_T, MPI_MAX);
    return bound_ns;
}

bool roundtime_look(struct mpi_session *session, uint64_t seed, struct roundtime_clock *clock)
{
    enum { MOST_RANKS = 64, PINGPONG = 20 };
    struct ordo_error error = {.text = "out of memory"};
    int count, percent = session->size > MOST_RANKS ? 100 * MOST_RANKS / session->size : 100;
    const struct ordo_mpi_check_options options = {percent ? percent : 1, PINGPONG, seed};
    struct ordo_global_check *checks = calloc((size_t)session->size, sizeof *checks);
    mpi_cli_must(checks ? ORDO_OK : ORDO_E_SYSTEM, &error);
    *clock = (struct roundtime_clock){.bound_ns = worst_bound_ns(session), .rank = -1};
    int code = ordo_mpi_check(session->clock, &options, checks, &count, &error);
    mpi_cli_must(code == ORDO_E_MEASURE ? ORDO_OK : code, &error);
    for (int i = 0; i < count; i++) {
        int64_t low_ns = checks[i].measured_low_ns, high_ns = checks[i].measured_high_ns;
        if (clock->rank >= 0 && farthest(low_ns, high_ns) <= farthest(clock->measured_low_ns, clock->measured_high_ns))
            continue;
        *clock = (struct roundtime_clock){clock->bound_ns, checks[i].rank, low_ns, high_ns};
    }
    free(checks);
    return code == ORDO_OK;
}

double roundtime_broadcast_ns(struct mpi_session *session)
{
    double latencies[BROADCASTS];
    for (int i = 0; i < BROADCASTS; i++) {
        mpi_cli_guard("a broadcast");
        MPI_CLI_CALL(MPI_Barrier, MPI_COMM_WORLD);
        int64_t begin_ns = now_ns(session), end_ns;
        MPI_CLI_CALL(MPI_Bcast, &begin_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        end_ns = now_ns(session) - begin_ns;
        MPI_CLI_CALL(MPI_Allreduce, MPI_IN_PLACE, &end_ns, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        latencies[i] = end_ns > 0 ? (double)end_ns : 1;
    }
    mpi_cli_guard(NULL);
    return ordo_stats_median(latencies, BROADCASTS).median;
}

/* The result of one round: of each member, the largest value of all ranks. */
struct outcome {
    int64_t late, over, last_ns, first_ns; /* late, over: 0 or 1; last_ns: end; first_ns: negated end */
};

/* The end of the rounds of an operation, by the global clock, and by CLOCK_MONOTONIC_RAW as a limit. */
struct slice {
    int64_t end_ns, raw_end_ns;
};

static struct outcome one_round(struct mpi_session *session, const struct roundtime_plan *plan, double broadcast_ns,
                                struct slice slice, const struct mpi_collective *collective,
                                const struct mpi_buffers *buffers)
{
    struct outcome own, all;
    struct ordo_mpi_harmony begin;
    struct ordo_error error;
    mpi_cli_must(ordo_mpi_harmonize_in(session->clock, (int64_t)(plan->slack * broadcast_ns), &begin, &error), &error);
    mpi_cli_call(collective->call(buffers), collective->name);
    own.late = begin.late;
    own.last_ns = now_ns(session) - begin.at_ns;
    own.first_ns = -own.last_ns;
    own.over = begin.at_ns + own.last_ns >= slice.end_ns || ordo_raw_ns() > slice.raw_end_ns;
    MPI_CLI_CALL(MPI_Allreduce, &own, &all, sizeof own / sizeof own.late, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* A collective operation that is measured after a barrier. */
struct after_barrier {
    const struct ordo_barrier *barrier;
    const struct mpi_collective *collective;
    const struct mpi_buffers *buffers;
};

static int pass_barrier(struct ordo_transport *transport, void *context)
{
    const struct after_barrier *after = context;
    mpi_cli_guard(after->collective->name);
    if (after->barrier)
        return after->barrier->run(transport);
    MPI_CLI_CALL(MPI_Barrier, MPI_COMM_WORLD);
    return ORDO_OK;
}

static int call_collective(struct ordo_transport *transport, void *context)
{
    const struct after_barrier *after = context;
    (void)transport;
    mpi_cli_call(after->collective->call(after->buffers), after->collective->name);
    return ORDO_OK;
}

/* Measures by the barrier scheme, for comparison. `runs` has room for `rounds` numbers. */
static int measure_after_barrier(struct mpi_session *session, struct after_barrier *after, int rounds, double *runs,
                                 struct roundtime_barrier *result)
{
    struct ordo_error error = {.text = "a message of a barrier failed"};
    struct ordo_scheme_times times = {.longest_ns = calloc((size_t)rounds, sizeof *times.longest_ns)};
    if (!times.longest_ns)
        return ORDO_E_SYSTEM;
    mpi_cli_must(
        ordo_scheme_by_barrier(session->clock->transport, pass_barrier, call_collective, after, rounds, &times),
        &error);
    for (int i = 0; i < rounds; i++)
        runs[i] = (double)times.longest_ns[i];
    *result = (struct roundtime_barrier){ordo_stats_median(runs, (size_t)rounds), times.mean_ns, times.slowest_ns};
    free(times.longest_ns);
    return ORDO_OK;
}

static int measure_barriers(struct mpi_session *session, const struct roundtime_plan *plan,
                            const struct mpi_collective *collective, const struct mpi_buffers *buffers, double *runs,
                            struct roundtime *result)
{
    int code = ORDO_OK;
    for (int i = 0; i < plan->barriers && !code && result->valid; i++) {
        struct after_barrier after = {plan->barrier[i], collective, buffers};
        code = measure_after_barrier(session, &after, result->valid, runs, &result->barrier[i]);
        result->barriers++;
    }
    return code;
}

static void summarise(struct roundtime *result, double *runs, double *skews)
{
    if (result->valid == 0)
        return;
    result->run_ns = ordo_stats_median(runs, (size_t)result->valid); /* sorts `runs` */
    result->skew_ns = ordo_stats_median(skews, (size_t)result->valid);
    result->least_ns = runs[0];
    result->most_ns = runs[result->valid - 1];
    result->most_skew_ns = skews[result->valid - 1];
}

int roundtime_measure(struct mpi_session *session, const struct roundtime_plan *plan, double broadcast_ns,
                      const struct mpi_collective *collective, const struct mpi_buffers *buffers,
                      struct roundtime *result)
{
    enum { WARM_UP = 5 };
    double *runs = calloc((size_t)plan->most_rounds, sizeof *runs),
           *skews = calloc((size_t)plan->most_rounds, sizeof *runs);
    int code = runs && skews ? ORDO_OK : ORDO_E_SYSTEM;
    *result = (struct roundtime){0};
    mpi_cli_guard(collective->name);
    for (int i = 0; i < WARM_UP; i++)
        mpi_cli_call(collective->call(buffers), collective->name);
    struct slice slice = {now_ns(session) + (int64_t)(plan->slice_s * 1e9),
                          ordo_raw_ns() + (int64_t)(2 * plan->slice_s * 1e9)};
    MPI_CLI_CALL(MPI_Bcast, &slice.end_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (bool over = false; !code && !over && result->valid < plan->most_rounds;) {
        mpi_cli_guard(collective->name);
        struct outcome all = one_round(session, plan, broadcast_ns, slice, collective, buffers);
        over = all.over;
        if (all.late) {
            result->invalid++;
            continue;
        }
        runs[result->valid] = (double)all.last_ns;
        skews[result->valid++] = (double)(all.last_ns + all.first_ns);
    }
    if (!code)
        summarise(result, runs, skews);
    if (!code)
        code = measure_barriers(session, plan, collective, buffers, runs, result);
    mpi_cli_guard(NULL);
    free(runs);
    free(skews);
    return code;
}
