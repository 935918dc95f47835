/* What a node is: ranks of one kernel (same boot id) that share memory, which is tried rather than believed. Time
 * namespaces and host names do not split it: what they hide is exactly what a verification is to find. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "cluster/transport/mpi.h"

int ordo_mpi_split(struct ordo_mpi_watch *watch, MPI_Comm comm, int color, int key, MPI_Comm *part,
                   struct ordo_error *error)
{
    *part = MPI_COMM_NULL;
    int code = ordo_mpi_meet(watch, comm, error);
    return code ? code : ordo_mpi_result(MPI_Comm_split(comm, color, key, part), "MPI_Comm_split", error);
}

void ordo_mpi_part_free(const struct ordo_mpi_watch *watch, MPI_Comm *part)
{
    if (*part != MPI_COMM_NULL && watch->lost < 0)
        MPI_Comm_free(part);
}

/* The ranks of the first one's kernel leave, and the others do the same, until all are gone: once, as a rule. */
static int split_by_kernel(struct ordo_mpi_watch *watch, MPI_Comm rest, MPI_Comm *node, struct ordo_error *error)
{
    enum { BYTES = 16 };
    unsigned char own[BYTES] = {0}, first[BYTES];
    (void)ordo_record_boot_id(own); /* where there is none all are alike */
    memcpy(first, own, sizeof first);
    int code = ordo_mpi_broadcast(watch, rest, first, BYTES, error);
    bool leaves = memcmp(first, own, sizeof own) == 0;
    code = ordo_mpi_agree(watch, rest, code, error);
    MPI_Comm part = MPI_COMM_NULL;
    if (!code)
        code = ordo_mpi_split(watch, rest, leaves, 0, &part, error);
    if (code || leaves) {
        *node = part;
        return code;
    }
    code = split_by_kernel(watch, part, node, error);
    ordo_mpi_part_free(watch, &part);
    return code;
}

int ordo_mpi_split_node(struct ordo_mpi_watch *watch, MPI_Comm comm, MPI_Comm *node, struct ordo_error *error)
{
    MPI_Comm shared;
    int rank;
    *node = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    int code = ordo_mpi_meet(watch, comm, error);
    if (!code)
        code = ordo_mpi_result(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared),
                               "MPI_Comm_split_type", error);
    if (!code) {
        code = split_by_kernel(watch, shared, node, error);
        ordo_mpi_part_free(watch, &shared);
    }
    if (!code)
        code = ordo_mpi_result(MPI_Comm_set_errhandler(*node, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", error);
    code = ordo_mpi_agree(watch, comm, code, error);
    if (code)
        ordo_mpi_part_free(watch, node);
    return code;
}

/* Whether it holds on every rank. */
static bool all_say(struct ordo_mpi_watch *watch, MPI_Comm node, bool yes)
{
    int all = yes;
    return ordo_mpi_reduce(watch, node, &all, 1, MPI_INT, MPI_MIN, NULL) == ORDO_OK && all;
}

/* Whether every rank sees in the segment what rank 0 wrote there, and what all the others added. */
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
    if (ordo_mpi_meet(watch, node, NULL))
        return;
    bool have = MPI_Win_allocate_shared(share, 1, MPI_INFO_NULL, node, &own, &segment->window) == MPI_SUCCESS;
    if (!have)
        segment->window = MPI_WIN_NULL;
    have = have && MPI_Win_set_errhandler(segment->window, MPI_ERRORS_RETURN) == MPI_SUCCESS;
    have = have && MPI_Win_shared_query(segment->window, 0, &size, &unit, &memory) == MPI_SUCCESS && memory;
    if (!all_say(watch, node, have))
        return;
    /* Mappings begin on pages, so this is the same place in all of them. */
    memory = (char *)memory + (-(uintptr_t)memory & (PAGE - 1));
    if (rank == 0)
        memset(memory, 0, bytes);
    if (is_common(watch, node, memory))
        segment->memory = memory;
}

void ordo_mpi_segment_free(struct ordo_mpi_watch *watch, MPI_Comm node, struct ordo_mpi_segment *segment)
{
    if (segment->window != MPI_WIN_NULL && ordo_mpi_meet(watch, node, NULL) == ORDO_OK)
        MPI_Win_free(&segment->window);
    segment->memory = NULL;
}
