/* Uses the public interface within an MPI program: many contexts, communicators of all shapes, times that order events.
 * Run under mpirun; exit 0, or 1 on every rank that saw an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/mpi.h>

static int rank, size, failures;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "rank %d: not so: %s\n", rank, what);
}

/* Passes a token round the ranks, in a new order in each round. No reading is certainly earlier than the reading of the
 * rank that had the token before. */
static void order_a_ring(struct ordo_mpi *context, MPI_Comm comm)
{
    struct ordo_global_time last = ordo_mpi_now(context);
    int here, count;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &count);
    int rounds = 400 / (size * size) * (count > 1); /* each round costs more if ranks outnumber CPUs */
    for (int round = 0; round < rounds; round++) {
        int next = (here + 1) % count, before = (here + count - 1) % count;
        if (here != round % count)
            MPI_Recv(&last, sizeof last, MPI_BYTE, before, 9, comm, MPI_STATUS_IGNORE);
        struct ordo_global_time now = ordo_mpi_now(context);
        expect(ordo_global_compare(now, last) >= 0, "after a message, time is not certainly earlier");
        expect(now.earliest_ns <= now.estimate_ns && now.estimate_ns <= now.latest_ns,
               "an estimate inside its interval");
        if (next != round % count)
            MPI_Send(&now, sizeof now, MPI_BYTE, next, 9, comm);
        last = now;
        MPI_Barrier(comm);
    }
}

/* Two events on any two ranks are certainly ordered if the pause between them is longer than every bound. */
static void order_far_events(struct ordo_mpi *context, MPI_Comm comm)
{
    struct ordo_global_time early = ordo_mpi_now(context), late;
    int count;
    MPI_Comm_size(comm, &count);
    struct ordo_global_time *all = malloc((size_t)count * sizeof *all);
    MPI_Barrier(comm);
    int64_t width_ns = early.latest_ns - early.earliest_ns, widest_ns;
    MPI_Allreduce(&width_ns, &widest_ns, 1, MPI_INT64_T, MPI_MAX, comm);
    expect(widest_ns < 1000000000, "the widest bound is below a second");
    int64_t until_ns = ordo_mpi_local_ns(context) + 3 * widest_ns + 1000000;
    while (ordo_mpi_local_ns(context) < until_ns)
        ;
    late = ordo_mpi_now(context);
    MPI_Allgather(&early, sizeof early, MPI_BYTE, all, sizeof early, MPI_BYTE, comm);
    for (int i = 0; i < count; i++)
        expect(ordo_global_compare(late, all[i]) == 1 && ordo_global_compare(all[i], late) == -1,
               "far events are ordered");
    free(all);
}

/* Checks all ranks, and then a share of the ranks. Expects that the results on rank 0 are consistent and refute
 * nothing. */
static void check(struct ordo_mpi *context, MPI_Comm comm)
{
    struct ordo_error error = {0};
    int here, ranks, count = -1;
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &ranks);
    struct ordo_global_check *checks = calloc((size_t)ranks, sizeof *checks);
    expect(ordo_mpi_check(context, NULL, checks, &count, &error) == 0, error.text);
    expect(count == (here == 0 ? ranks - 1 : 0), "rank 0 gets the checks of all other ranks");
    for (int i = 0; i < count; i++)
        expect(checks[i].rank == i + 1 && !checks[i].refuted &&
                   checks[i].measured_low_ns <= checks[i].claimed_high_ns &&
                   checks[i].measured_high_ns >= checks[i].claimed_low_ns,
               "a measurement agrees with the claim");
    const struct ordo_mpi_check_options some = {.percent = 1, .pingpong = 5, .seed = 3};
    expect(ordo_mpi_check(context, &some, NULL, &count, &error) == 0, error.text);
    expect(count == (here == 0 && ranks > 1), "a share of 1% checks one rank");
    const struct ordo_mpi_check_options wrong = {.percent = 101};
    expect(ordo_mpi_check(context, &wrong, NULL, NULL, &error) == ORDO_E_INVALID, "101 percent are refused");
    free(checks);
}

/* All ranks leave together, and the proved skew contains the true one, which is known if all ranks read one clock. */
static void leave_together(struct ordo_mpi *context, MPI_Comm comm, int one_clock)
{
    struct ordo_error error = {0};
    for (int i = 0; i < 20; i++) {
        struct ordo_mpi_harmony harmony;
        struct ordo_global_skew skew;
        expect(ordo_mpi_harmonize(context, &harmony, &error) == 0, error.text);
        expect(harmony.left.estimate_ns >= harmony.at_ns, "no rank leaves before the agreed time");
        expect(ordo_mpi_skew(context, &harmony, &skew, &error) == 0, error.text);
        int64_t ends_ns[3] = {-harmony.local_ns, harmony.local_ns, harmony.late};
        MPI_Allreduce(MPI_IN_PLACE, ends_ns, 3, MPI_INT64_T, MPI_MAX, comm);
        int64_t true_ns = ends_ns[0] + ends_ns[1];
        expect(0 <= skew.least_ns && skew.least_ns <= skew.most_ns, "the skew is an interval");
        expect(!one_clock || (skew.least_ns <= true_ns && true_ns <= skew.most_ns),
               "the interval contains the true skew");
        expect(!skew.late == !ends_ns[2], "all ranks know if one was late");
    }
}

static int64_t width_in_10_s(const struct ordo_mpi *context)
{
    struct ordo_global_time time = ordo_mpi_at(context, ordo_mpi_local_ns(context) + 10000000000);
    return time.latest_ns - time.earliest_ns;
}

/* Synchronises again: the memory of earlier synchronisations must not widen a bound noticeably. If the clock is
 * steered, a later synchronisation may contradict an earlier one. */
static void use_again(struct ordo_mpi *context, MPI_Comm comm, const struct ordo_mpi_options *options)
{
    struct ordo_error error = {0};
    struct ordo_global_wander never = ordo_mpi_wander(context);
    int64_t before_ns = width_in_10_s(context);
    expect(never.within_ns == 0, "the wander is unknown after one synchronisation");
    int code = ordo_mpi_sync(context, options, &error);
    expect(code == 0 || code == ORDO_E_MEASURE, error.text);
    if (code)
        return expect(ordo_mpi_now(context).latest_ns == INT64_MAX, "a contradiction makes the time unknown");
    struct ordo_global_wander wander = ordo_mpi_wander(context);
    int here;
    MPI_Comm_rank(comm, &here);
    expect((wander.within_ns > 0) == (here > 0),
           "the wander of all ranks but the reference is known after two synchronisations");
    expect(0 <= wander.least_ppb && wander.least_ppb <= wander.most_ppb, "the wander is an interval");
    expect(width_in_10_s(context) <= before_ns + before_ns / 2 + 1000000,
           "a second synchronisation hardly widens the bound");
}

static void use(MPI_Comm comm, const char *source, const struct ordo_mpi_options *options)
{
    struct ordo_mpi *context;
    struct ordo_error error = {0};
    int code = ordo_mpi_create(comm, source, &context, &error);
    expect(code == 0, error.text);
    struct ordo_global_time never = ordo_mpi_now(context);
    expect(never.earliest_ns == INT64_MIN && never.latest_ns == INT64_MAX,
           "the time is unknown before a synchronisation");
    if (!code)
        code = ordo_mpi_sync(context, options, &error);
    expect(code == 0, error.text);
    if (!code) {
        order_a_ring(context, comm);
        order_far_events(context, comm);
        int64_t local_ns = ordo_mpi_local_ns(context);
        expect(ordo_global_compare(ordo_mpi_at(context, local_ns + 3600000000000), ordo_mpi_now(context)) == 1,
               "a later reading is a certainly later time");
        check(context, comm);
        leave_together(context, comm, source && strcmp(source, "monotonic") == 0);
    }
    if (!code)
        use_again(context, comm, options);
    ordo_mpi_free(context);
}

static void refuse(void)
{
    struct ordo_mpi *context = NULL;
    struct ordo_error error = {0};
    expect(ordo_mpi_create(MPI_COMM_WORLD, "sundial", &context, &error) == ORDO_E_INVALID && !context,
           "an unknown clock is refused");
    expect(ordo_mpi_create(MPI_COMM_NULL, NULL, &context, &error) == ORDO_E_INVALID && !context,
           "MPI_COMM_NULL is refused");
    MPI_Errhandler before, after;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    if (ordo_mpi_create(MPI_COMM_WORLD, NULL, &context, &error) == 0)
        ordo_mpi_free(context);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
    expect(before == after && before == MPI_ERRORS_ARE_FATAL, "the caller's error handler is unchanged");
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&after);
    expect(ordo_mpi_sync(NULL, NULL, &error) == ORDO_E_INVALID, "a synchronisation without a context is refused");
    expect(ordo_mpi_check(NULL, NULL, NULL, NULL, &error) == ORDO_E_INVALID, "a check without a context is refused");
    expect(ordo_mpi_wander(NULL).within_ns == 0, "the wander without a context is unknown");
    ordo_mpi_free(NULL);
    if (ordo_mpi_create(MPI_COMM_WORLD, NULL, &context, &error))
        return expect(0, error.text);
    struct ordo_mpi_options wrong = {.algorithm = "hca4"};
    expect(ordo_mpi_sync(context, &wrong, &error) == ORDO_E_INVALID, "an unknown algorithm is refused");
    struct ordo_mpi_options idle = {.algorithm = "hca3", .intra = "jk"};
    expect(ordo_mpi_sync(context, &idle, &error) == ORDO_E_INVALID,
           "a level that the algorithm does not have is refused");
    if (size > 1)
        expect(ordo_mpi_sync(context, NULL, &error) == ORDO_E_UNVERIFIED, "unverified clocks are not copied");
    expect(ordo_mpi_now(context).latest_ns == INT64_MAX, "the time is unknown after a refused synchronisation");
    expect(ordo_mpi_check(context, NULL, NULL, NULL, &error) == ORDO_E_INVALID,
           "a check without a synchronisation is refused");
    struct ordo_mpi_harmony harmony;
    struct ordo_global_skew skew;
    expect(ordo_mpi_harmonize(context, &harmony, &error) == ORDO_E_INVALID,
           "harmonize without a synchronisation is refused");
    expect(ordo_mpi_skew(NULL, &harmony, &skew, &error) == ORDO_E_INVALID, "the skew without a context is refused");
    ordo_mpi_free(context);
}

/* An intercommunicator joins two groups, and has no rank 0. */
static void refuse_two_groups(void)
{
    struct ordo_mpi *context = NULL;
    struct ordo_error error = {0};
    MPI_Comm half, both;
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
    expect(ordo_mpi_create(both, NULL, &context, &error) == ORDO_E_INVALID && !context,
           "an intercommunicator is refused");
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* Verifies a clock and synchronises. Models are copied if the verification passed, and refused if it failed. No time
 * may be wrong. */
static void verify(const char *source)
{
    struct ordo_mpi *context;
    struct ordo_error error = {0};
    if (ordo_mpi_create(MPI_COMM_WORLD, source, &context, &error))
        return expect(0, error.text);
    int verified = ordo_mpi_verify(context, &error), lowest, highest;
    MPI_Allreduce(&verified, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&verified, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(lowest == highest && (verified == 0 || verified == ORDO_E_UNVERIFIED), "all ranks get one verdict");
    int code = ordo_mpi_sync(context, NULL, &error);
    expect(code == (size > 1 ? verified : 0), "models are copied exactly if the clock is verified");
    if (!code)
        order_a_ring(context, MPI_COMM_WORLD);
    ordo_mpi_free(context);
}

int main(int argc, char **argv)
{
    struct ordo_mpi *early;
    struct ordo_error error = {0};
    expect(ordo_mpi_create(MPI_COMM_WORLD, NULL, &early, &error) == ORDO_E_INVALID && !early,
           "a context before MPI_Init is refused");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static const char *const algorithms[] = {"jk", "hca", "hca2", "hca3", "hca3:offset=mean-rtt", "h2hca", "h3hca"};
    for (int i = 0; i < 7; i++)
        use(MPI_COMM_WORLD, i % 2 ? "monotonic" : NULL,
            &(struct ordo_mpi_options){
                .algorithm = algorithms[i], .intra = i < 5 ? NULL : "hca3:window=50ms", .fallback = 1});
    MPI_Comm reversed, half;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    use(reversed, "realtime", &(struct ordo_mpi_options){.algorithm = "hca3:window=20ms"});
    use(half, "mpi_wtime", &(struct ordo_mpi_options){.fallback = 1});
    use(MPI_COMM_SELF, NULL, NULL);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&half);
    refuse();
    refuse_two_groups();
    verify("monotonic");
    MPI_Finalize();
    expect(ordo_mpi_create(MPI_COMM_WORLD, NULL, &early, &error) == ORDO_E_INVALID && !early,
           "a context after MPI_Finalize is refused");
    return failures > 0;
}
