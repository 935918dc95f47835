/* A node is a set of ranks that run on one kernel (same boot id) and can share memory according to MPI. mpi_segment.c
 * tests whether they really share memory. Different time namespaces and host names do not split a node, because a
 * verification must compare exactly such ranks. */
#include <string.h>

#include <ordo/record.h>

#include "cluster/transport/mpi.h"

/* Makes a node of all ranks with the boot id of the first rank, and repeats this with the other ranks until none is
 * left. Usually all ranks have the same boot id. */
static int split_by_kernel(struct ordo_mpi_watch *watch, MPI_Comm rest, MPI_Comm *node, struct ordo_error *error)
{
    enum { BYTES = 16 };
    unsigned char own[BYTES] = {0}, first[BYTES];
    (void)ordo_record_boot_id(own); /* without a boot id, `own` stays 0 on all ranks */
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
    int code = ordo_mpi_barrier(watch, comm, error);
    if (!code)
        code = ORDO_MPI_CALL(error, MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
    if (!code) {
        code = split_by_kernel(watch, shared, node, error);
        ordo_mpi_part_free(watch, &shared);
    }
    if (!code)
        code = ORDO_MPI_CALL(error, MPI_Comm_set_errhandler, *node, MPI_ERRORS_RETURN);
    code = ordo_mpi_agree(watch, comm, code, error);
    if (code)
        ordo_mpi_part_free(watch, node);
    return code;
}
