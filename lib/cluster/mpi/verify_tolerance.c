#include "cluster/mpi/verify_work.h"

#include <time.h>

#include "base/gang.h"
#include "base/time.h"
#include "machine/clock/source.h"

/* Measures one round trip between rank 0 and the leader number `other`. Does nothing on other leaders. */
static int round_trip(const struct ordo_verify_work *run, int other, int64_t *best_ns, struct ordo_error *error)
{
    static const char ping = 0;
    char byte;
    int self, code;
    MPI_Comm_rank(run->leaders, &self);
    if (self != 0 && self != other)
        return ORDO_OK;
    int64_t begin_ns = ordo_raw_ns();
    if (self == 0) {
        code = ordo_verify_send(run, other, &ping, 1, error);
        code = code ? code : ordo_verify_receive(run, other, &byte, 1, error);
        *best_ns = ordo_raw_ns() - begin_ns < *best_ns ? ordo_raw_ns() - begin_ns : *best_ns;
        return code;
    }
    code = ordo_verify_receive(run, 0, &byte, 1, error);
    return code ? code : ordo_verify_send(run, 0, &ping, 1, error);
}

/* Returns the shortest duration of a read of CLOCK_MONOTONIC_RAW. A read is slow on virtual machines whose reads of the
 * clock enter the kernel. */
static int64_t reading_ns(void)
{
    enum { READINGS = 100 };
    int64_t best_ns = INT64_MAX, last_ns = (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
    for (int i = 0; i < READINGS; i++) {
        int64_t now_ns = (int64_t)ordo_clock_system_ns(CLOCK_MONOTONIC_RAW);
        best_ns = now_ns - last_ns < best_ns ? now_ns - last_ns : best_ns;
        last_ns = now_ns;
    }
    return best_ns;
}

/* tolerance = min(r / 4, max(4 c, 1 us)), where r is the shortest round trip between two nodes, and c the duration of a
 * read of a clock on the slowest rank.
 *
 * r / 4 is half of the shortest one-way time; a smaller tolerance is useless, because messages are not more exact. 4 c
 * allows for an interval of an offset whose two bounds are each too wide by two reads. */
int ordo_verify_find_tolerance(struct ordo_verify_work *run, struct ordo_error *error)
{
    enum { TRIPS = 50, READINGS_OF_BOUNDS = 4, LEAST_LIMIT_NS = 1000 };
    int leaders = 1, code = ORDO_OK;
    int64_t best_ns = INT64_MAX, most_ns = READINGS_OF_BOUNDS * reading_ns();
    most_ns = most_ns > LEAST_LIMIT_NS ? most_ns : LEAST_LIMIT_NS;
    code = ordo_mpi_reduce(run->watch, run->world, &most_ns, 1, MPI_INT64_T, MPI_MAX, error);
    if (run->leaders != MPI_COMM_NULL)
        MPI_Comm_size(run->leaders, &leaders);
    for (int other = 1; other < leaders; other++)
        for (int trip = 0; trip < TRIPS && !code; trip++)
            code = round_trip(run, other, &best_ns, error);
    if (code)
        return code;
    run->verify->tolerance_ns = best_ns / 4 < most_ns ? best_ns / 4 : most_ns;
    if (run->options->tolerance_ns)
        run->verify->tolerance_ns = run->options->tolerance_ns;
    return ordo_mpi_reduce(run->watch, run->world, &run->verify->tolerance_ns, 1, MPI_INT64_T, MPI_MIN, error);
}

int64_t ordo_verify_tolerance_units(const struct ordo_verify_work *run, const struct ordo_clock_source *source)
{
    double hz = source->unit_hz ? (double)source->unit_hz : run->verify->own.tick_hz;
    return (int64_t)((double)run->verify->tolerance_ns * hz / 1e9);
}

/* A bracket, and the CPU of its readings. */
struct bracket_on {
    int cpu;
    struct ordo_bracket bracket;
};

static int go_there(void *context, int index, struct ordo_error *error)
{
    const struct bracket_on *on = context;
    (void)index;
    bool there = on->cpu >= 0 && ordo_cpus_bind_to((unsigned)on->cpu);
    return there ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "cpu %d: not allowed", on->cpu);
}

static int take_there(void *context, int index, struct ordo_error *error)
{
    (void)index;
    (void)error;
    ((struct bracket_on *)context)->bracket = ordo_bracket_take(ordo_clock_source_find("monotonic_raw"));
    return ORDO_OK;
}

/* Takes the bracket in a thread of its own, because a set of CPUs that is read and written back may have lost CPUs that
 * are offline. False if the CPU is not allowed (any more). */
static bool take_bracket(struct bracket_on *on)
{
    struct ordo_error error;
    return ordo_gang_run(1, go_there, take_there, on, &error) == ORDO_OK;
}

void ordo_verify_begin_rate(struct ordo_verify_work *run)
{
    struct bracket_on on = {.cpu = sched_getcpu()};
    if (!take_bracket(&on))
        (void)take_there(&on, 0, NULL);
    run->first_cpu = on.cpu;
    run->first = on.bracket;
}

int ordo_verify_find_rate(struct ordo_verify_work *run, struct ordo_error *error)
{
    double low_hz = 1e9, high_hz = 1e9, *hz = &run->verify->own.tick_hz;
    struct bracket_on last = {.cpu = run->first_cpu};
    bool taken = take_bracket(&last);
    if (!taken && *hz == 0)
        (void)take_there(&last, 0, NULL);
    if (taken || *hz == 0) {
        ordo_bracket_rate(&run->first, &last.bracket, 1000000000, &low_hz, &high_hz);
        *hz = (low_hz + high_hz) / 2;
    }
    return ordo_mpi_broadcast(run->watch, run->node, hz, sizeof *hz, error);
}

int ordo_verify_find_widths(struct ordo_verify_work *run, struct ordo_error *error)
{
    ordo_sleep_ns(20000000);
    int code = ordo_verify_find_rate(run, error);
    int important = run->options->important ? run->options->important : run->options->clock_count;
    for (int i = 0; i < run->options->clock_count; i++)
        run->wide_units[i] =
            i < important ? ordo_verify_tolerance_units(run, run->options->clocks[i].source) : INT64_MAX;
    return code;
}
