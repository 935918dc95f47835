/* What a node is: ranks of one kernel (same boot id) that share memory, which is tried rather than believed. Time
 * namespaces and host names do not split it: what they hide is exactly what a verification is to find. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "transport/mpi.h"

int ordo_mpi_result(int code, const char *call, struct ordo_error *error)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return ORDO_OK;
    (void)MPI_Error_string(code, words, &length);
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: %.200s", call, words);
}

int ordo_mpi_agree(MPI_Comm comm, int code, struct ordo_error *error)
{
    int worst;
    int failed = ordo_mpi_result(MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce", error);
    if (failed || code || !worst)
        return failed ? failed : code;
    return ordo_error_set(error, worst, 0, "another rank failed: %s", ordo_strerror(worst));
}

/* An error of MPI_Comm_dup belongs to the caller's communicator, whose handler may abort: it is set aside meanwhile. */
static int duplicate_quietly(MPI_Comm comm, MPI_Comm *duplicate, struct ordo_error *error)
{
    MPI_Errhandler callers;
    int code = ordo_mpi_result(MPI_Comm_get_errhandler(comm, &callers), "MPI_Comm_get_errhandler", error);
    if (code)
        return code;
    code = ordo_mpi_result(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", error);
    if (!code)
        code = ordo_mpi_result(MPI_Comm_dup(comm, duplicate), "MPI_Comm_dup", error);
    (void)MPI_Comm_set_errhandler(comm, callers);
    (void)MPI_Errhandler_free(&callers);
    return code;
}

int ordo_mpi_duplicate(MPI_Comm comm, MPI_Comm *duplicate, struct ordo_error *error)
{
    int begun = 0, over = 0, two_groups = 0;
    *duplicate = MPI_COMM_NULL;
    if (MPI_Initialized(&begun) != MPI_SUCCESS || !begun || MPI_Finalized(&over) != MPI_SUCCESS || over)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "MPI: %s", begun ? "finalized already" : "not initialised yet");
    if (comm == MPI_COMM_NULL)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "MPI_COMM_NULL: not a communicator");
    if (MPI_Comm_test_inter(comm, &two_groups) != MPI_SUCCESS || two_groups)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "an intercommunicator: merge its groups (MPI_Intercomm_merge)");
    int code = duplicate_quietly(comm, duplicate, error);
    if (code)
        return code;
    code = ordo_mpi_result(MPI_Comm_set_errhandler(*duplicate, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", error);
    if (code)
        MPI_Comm_free(duplicate);
    return code;
}

/* The ranks of the first one's kernel leave, and the others do the same, until all are gone: once, as a rule. */
static int split_by_kernel(MPI_Comm rest, MPI_Comm *node, struct ordo_error *error)
{
    enum { BYTES = 16 };
    unsigned char own[BYTES] = {0}, first[BYTES];
    (void)ordo_record_boot_id(own); /* where there is none all are alike */
    memcpy(first, own, sizeof first);
    int code = ordo_mpi_result(MPI_Bcast(first, BYTES, MPI_BYTE, 0, rest), "MPI_Bcast", error);
    bool leaves = memcmp(first, own, sizeof own) == 0;
    code = ordo_mpi_agree(rest, code, error);
    MPI_Comm part = MPI_COMM_NULL;
    if (!code)
        code = ordo_mpi_result(MPI_Comm_split(rest, leaves, 0, &part), "MPI_Comm_split", error);
    if (code || leaves) {
        *node = part;
        return code;
    }
    code = split_by_kernel(part, node, error);
    MPI_Comm_free(&part);
    return code;
}

int ordo_mpi_split_node(MPI_Comm comm, MPI_Comm *node, struct ordo_error *error)
{
    MPI_Comm shared;
    int rank;
    *node = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    int code = ordo_mpi_result(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared),
                               "MPI_Comm_split_type", error);
    if (!code) {
        code = split_by_kernel(shared, node, error);
        MPI_Comm_free(&shared);
    }
    if (!code)
        code = ordo_mpi_result(MPI_Comm_set_errhandler(*node, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", error);
    code = ordo_mpi_agree(comm, code, error);
    if (code && *node != MPI_COMM_NULL)
        MPI_Comm_free(node);
    return code;
}

/* Whether it holds on every rank. */
static bool all_say(MPI_Comm node, bool yes)
{
    int mine = yes, all = 0;
    return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, node) == MPI_SUCCESS && all;
}

/* Whether every rank sees in the segment what rank 0 wrote there, and what all the others added. */
static bool is_common(MPI_Comm node, _Atomic uint64_t *word)
{
    const uint64_t mark = UINT64_C(0x6f72646f00000000);
    int rank, size;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    if (rank == 0)
        atomic_store_explicit(word, mark, memory_order_relaxed);
    if (!all_say(node, true))
        return false;
    (void)atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
    if (!all_say(node, true) ||
        !all_say(node, atomic_load_explicit(word, memory_order_relaxed) == mark + (uint64_t)size))
        return false;
    atomic_store_explicit(word, 0, memory_order_relaxed);
    return all_say(node, true);
}

void ordo_mpi_segment_create(MPI_Comm node, size_t bytes, struct ordo_mpi_segment *segment)
{
    enum { PAGE = 4096 };
    int rank, unit;
    MPI_Aint size;
    void *own, *memory = NULL;
    MPI_Comm_rank(node, &rank);
    *segment = (struct ordo_mpi_segment){MPI_WIN_NULL, NULL};
    MPI_Aint share = rank == 0 ? (MPI_Aint)bytes + PAGE : 0;
    bool have = MPI_Win_allocate_shared(share, 1, MPI_INFO_NULL, node, &own, &segment->window) == MPI_SUCCESS;
    if (!have)
        segment->window = MPI_WIN_NULL;
    have = have && MPI_Win_set_errhandler(segment->window, MPI_ERRORS_RETURN) == MPI_SUCCESS;
    have = have && MPI_Win_shared_query(segment->window, 0, &size, &unit, &memory) == MPI_SUCCESS && memory;
    if (!all_say(node, have))
        return;
    /* Mappings begin on pages, so this is the same place in all of them. */
    memory = (char *)memory + (-(uintptr_t)memory & (PAGE - 1));
    if (rank == 0)
        memset(memory, 0, bytes);
    if (is_common(node, memory))
        segment->memory = memory;
}

void ordo_mpi_segment_free(struct ordo_mpi_segment *segment)
{
    if (segment->window != MPI_WIN_NULL)
        MPI_Win_free(&segment->window);
    segment->memory = NULL;
}
