/* Global time in an MPI program: every rank notes when something happened to it, and rank 0 says in which order.
 *
 * A token goes from rank to rank, so that the true order is known: 0, 1, 2, and so on. No pair may come out the other
 * way round; pairs that are closer than the bounds cannot be ordered. */
#include <stdio.h>
#include <stdlib.h>

#include <ordo/mpi.h>

static int rank, size;

/* All ranks agree that a call succeeded; the first that failed says why. */
static int must(int code, const struct ordo_error *error)
{
    if (code)
        fprintf(stderr, "rank %d: %s\n", rank, error->text);
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return code == ORDO_OK;
}

/* Passes the token on, after an event of this rank. */
static struct ordo_global_time note(const struct ordo_mpi *clock)
{
    struct ordo_global_time event;
    char token = 0;
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    event = ordo_mpi_now(clock);
    if (rank + 1 < size)
        MPI_Send(&token, 1, MPI_CHAR, rank + 1, 0, MPI_COMM_WORLD);
    return event;
}

static void report(const struct ordo_global_time *events)
{
    int known = 0, wrong = 0;
    for (int a = 0; a < size; a++)
        for (int b = a + 1; b < size; b++) {
            int order = ordo_global_compare(events[b], events[a]);
            known += order != 0;
            wrong += order < 0;
        }
    for (int i = 0; i < size; i++)
        fprintf(stderr, "rank %d: %lld ns, certain to +-%lld ns\n", i,
                (long long)(events[i].estimate_ns - events[0].estimate_ns),
                (long long)(events[i].latest_ns - events[i].earliest_ns) / 2);
    fprintf(stderr, "%d of %d pairs can be ordered\n", known, size * (size - 1) / 2);
    printf("%d events, %d pairs in the wrong order\n", size, wrong);
}

int main(int argc, char **argv)
{
    struct ordo_mpi *clock;
    struct ordo_error error = {0};
    /* A node whose ranks were not shown to read one clock is measured rank by rank. */
    const struct ordo_mpi_options options = {.algorithm = "h2hca:window=100ms", .fallback = 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int good = must(ordo_mpi_create(MPI_COMM_WORLD, NULL, &clock, &error), &error);
    if (good)
        (void)ordo_mpi_verify(clock, &error);
    good = good && must(ordo_mpi_sync(clock, &options, &error), &error);
    struct ordo_global_time event = note(clock), *all = calloc((size_t)size, sizeof event);
    MPI_Gather(&event, sizeof event, MPI_BYTE, all, sizeof event, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (good && rank == 0)
        report(all);
    good = good && must(ordo_mpi_check(clock, NULL, NULL, NULL, &error), &error); /* does it still hold? */
    free(all);
    ordo_mpi_free(clock);
    MPI_Finalize();
    return !good;
}
