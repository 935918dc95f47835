/* Memory that the ranks of a node share. Tests that all ranks see each other's writes, and does not rely on MPI for
 * this. */
#include <stdatomic.h>
#include <string.h>

#include "cluster/transport/mpi.h"

/* True if `yes` on every rank. */
static bool all_say(struct ordo_mpi_watch *watch, MPI_Comm node, bool yes)
{
    int all = yes;
    return ordo_mpi_reduce(watch, node, &all, 1, MPI_INT, MPI_MIN, NULL) == ORDO_OK && all;
}

/* True if every rank sees in the segment the value that rank 0 stored, and the increments of all ranks. */
static bool is_common(struct ordo_mpi_watch *watch, MPI_Comm node, _Atomic uint64_t *word)
{
    const uint64_t mark = UINT64_C(0x6f72646f00000000);
    int rank, size;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    if (rank == 0)
        atomic_store_explicit(word, mark, memory_order_relaxed);
    if (!all_say(watch, node, true))
        return false;
    (void)atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
    if (!all_say(watch, node, true) ||
        !all_say(watch, node, atomic_load_explicit(word, memory_order_relaxed) == mark + (uint64_t)size))
        return false;
    atomic_store_explicit(word, 0, memory_order_relaxed);
    return all_say(watch, node, true);
}

void ordo_mpi_segment_create(struct ordo_mpi_watch *watch, MPI_Comm node, size_t bytes,
                             struct ordo_mpi_segment *segment)
{
    enum { PAGE = 4096 };
    int rank, unit;
    MPI_Aint size;
    void *own, *memory = NULL;
    MPI_Comm_rank(node, &rank);
    *segment = (struct ordo_mpi_segment){MPI_WIN_NULL, NULL};
    MPI_Aint share = rank == 0 ? (MPI_Aint)bytes + PAGE : 0;
    if (ordo_mpi_barrier(watch, node, NULL))
        return;
    bool have = MPI_Win_allocate_shared(share, 1, MPI_INFO_NULL, node, &own, &segment->window) == MPI_SUCCESS;
    if (!have)
        segment->window = MPI_WIN_NULL;
    have = have && MPI_Win_set_errhandler(segment->window, MPI_ERRORS_RETURN) == MPI_SUCCESS;
    have = have && MPI_Win_shared_query(segment->window, 0, &size, &unit, &memory) == MPI_SUCCESS && memory;
    if (!all_say(watch, node, have))
        return;
    /* A mapping begins at a page, so the address rounded up to a page is the same byte of the segment on all ranks. */
    memory = (char *)memory + (-(uintptr_t)memory & (PAGE - 1));
    if (rank == 0)
        memset(memory, 0, bytes);
    if (is_common(watch, node, memory))
        segment->memory = memory;
}

void ordo_mpi_segment_free(struct ordo_mpi_watch *watch, MPI_Comm node, struct ordo_mpi_segment *segment)
{
    if (segment->window != MPI_WIN_NULL && ordo_mpi_barrier(watch, node, NULL) == ORDO_OK)
        MPI_Win_free(&segment->window);
    segment->memory = NULL;
}
