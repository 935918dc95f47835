/* An iterative solver with one late rank. Its trace shows which rank, on one time axis.
 *
 *     ordo-trace run -- mpirun -n 4 ./late-sender
 *
 * Every iteration is work on the rank's own cells, a small allreduce of the residual, and an exchange with its neighbours
 * (the manner of the case study of Hunold and Carpen-Amarie, CLUSTER 2018, Section V-C). One rank has eight times the cells of
 * the others, so that all wait for it in the allreduce. At the end the ranks compare when each entered the last one, by their
 * own MPI_Wtime: that is nonsense wherever the clocks of two nodes differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>
#include <ordo/trace.h>

enum { CELLS = 20000, ITERATIONS = 200, SWEEPS = 4, LATE = 8, EVERY = 50 };

static int rank, size;

/* What this rank has of -u'' = 1: `old` and `new` have a neighbour's cell at each end. */
struct part {
    int cells;
    double *old, *new;
};

static int late_rank(void)
{
    return size > 2 ? size - 2 : size - 1;
}

/* The cells at the ends go to the neighbours, and theirs come here. */
static void exchange(const struct part *part)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&part->old[part->cells], 1, MPI_DOUBLE, right, 1, &part->old[0], 1, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&part->old[1], 1, MPI_DOUBLE, left, 2, &part->old[part->cells + 1], 1, MPI_DOUBLE, right, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Some sweeps of Jacobi's method; returns the square of the last change. */
static double relax(struct part *part)
{
    double change = 0;
    ordo_trace_begin("relax");
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        change = 0;
        for (int i = 1; i <= part->cells; i++) {
            part->new[i] = 0.5 * (part->old[i - 1] + part->old[i + 1] + 1e-9);
            change += (part->new[i] - part->old[i]) * (part->new[i] - part->old[i]);
        }
        double *swap = part->old;
        part->old = part->new;
        part->new = swap;
        part->old[0] = part->new[0];
        part->old[part->cells + 1] = part->new[part->cells + 1];
    }
    ordo_trace_end("relax");
    return change;
}

/* By MPI_Wtime, which every rank reads for itself. */
static void compare(double entered_s)
{
    double *all = calloc((size_t)size, sizeof *all);
    MPI_Gather(&entered_s, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size && rank == 0; i++)
        fprintf(stderr, "by MPI_Wtime rank %d came %.6f s after rank 0\n", i, all[i] - all[0]);
    free(all);
}

int main(int argc, char **argv)
{
    double residual = 0, entered_s = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct part part = {.cells = rank == late_rank() ? LATE * CELLS : CELLS};
    part.old = calloc((size_t)part.cells + 2, sizeof *part.old);
    part.new = calloc((size_t)part.cells + 2, sizeof *part.new);
    if (!part.old || !part.new)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ITERATIONS; i++) {
        double change = relax(&part);
        entered_s = MPI_Wtime();
        MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        exchange(&part);
        if (i % EVERY == EVERY - 1)
            ordo_trace_timesync(); /* a session now and then keeps the bounds narrow */
    }
    compare(entered_s);
    int good = residual > 0 && isfinite(residual);
    if (rank == 0)
        good =
            printf("%d ranks, %d iterations, rank %d has the most to do\n", size, ITERATIONS, late_rank()) > 0 && good;
    free(part.old);
    free(part.new);
    MPI_Finalize();
    return !good;
}
