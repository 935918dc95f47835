#include "cluster/transport/mpi_call.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Answers roll calls. Fails if a rank is lost. So a rank that was declared lost, but comes later, learns this before it
 * joins a collective function that the others have given up. */
static int serve_calls(struct ordo_mpi_watch *watch, struct ordo_error *error)
{
    return ordo_mpi_watch_serve(watch) ? ORDO_OK : ordo_mpi_watch_explain(watch, ORDO_E_SYSTEM, error);
}

int ordo_mpi_barrier(struct ordo_mpi_watch *watch, MPI_Comm comm, struct ordo_error *error)
{
    int code = serve_calls(watch, error);
    if (code)
        return code;
    code = ORDO_MPI_WAIT(watch, error, MPI_Ibarrier, comm);
    return code ? code : serve_calls(watch, error);
}

int ordo_mpi_reduce(struct ordo_mpi_watch *watch, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op,
                    struct ordo_error *error)
{
    int bytes = 0;
    (void)MPI_Type_size(type, &bytes);
    size_t all = (size_t)bytes * (size_t)count;
    if (all > sizeof watch->own)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%zu bytes to be reduced: too many", all);
    int code = serve_calls(watch, error);
    if (code)
        return code;
    memcpy(watch->own, values, all);
    code = ORDO_MPI_WAIT(watch, error, MPI_Iallreduce, MPI_IN_PLACE, watch->own, count, type, op, comm);
    if (!code)
        memcpy(values, watch->own, all);
    return code ? code : serve_calls(watch, error);
}

int ordo_mpi_broadcast(struct ordo_mpi_watch *watch, MPI_Comm comm, void *bytes, int count, struct ordo_error *error)
{
    if ((size_t)count > sizeof watch->own)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%d bytes to be told: too many", count);
    int code = serve_calls(watch, error);
    if (code)
        return code;
    memcpy(watch->own, bytes, (size_t)count);
    code = ORDO_MPI_WAIT(watch, error, MPI_Ibcast, watch->own, count, MPI_BYTE, 0, comm);
    if (!code)
        memcpy(bytes, watch->own, (size_t)count);
    return code;
}

int ordo_mpi_agree(struct ordo_mpi_watch *watch, MPI_Comm comm, int code, struct ordo_error *error)
{
    int worst = code;
    int failed = ordo_mpi_reduce(watch, comm, &worst, 1, MPI_INT, MPI_MIN, error);
    if (failed || code || !worst)
        return failed ? failed : code;
    return ordo_error_set(error, worst, 0, "another rank failed: %s", ordo_strerror(worst));
}

/* FNV-1a with 64 bits: no attacker has to be considered here. */
static uint64_t hash_of(const char *words)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *words; words++)
        hash = (hash ^ (unsigned char)*words) * UINT64_C(0x100000001b3);
    return hash;
}

/* Sets `*different` to the lowest rank whose hash differs from rank 0's, on all ranks. */
static int find_different(struct ordo_mpi_watch *watch, MPI_Comm comm, uint64_t hash, int *different,
                          struct ordo_error *error)
{
    uint64_t first = hash;
    int code = ordo_mpi_broadcast(watch, comm, &first, sizeof first, error);
    MPI_Comm_rank(comm, different);
    if (first == hash)
        *different = INT_MAX;
    return code ? code : ordo_mpi_reduce(watch, comm, different, 1, MPI_INT, MPI_MIN, error);
}

int ordo_mpi_same(struct ordo_mpi_watch *watch, MPI_Comm comm, const char *words, const char *what,
                  struct ordo_error *error)
{
    uint64_t hash = hash_of(words), most[2] = {hash, ~hash};
    int different, code = ordo_mpi_reduce(watch, comm, most, 2, MPI_UINT64_T, MPI_MAX, error);
    if (code || most[0] == ~most[1])
        return code;
    code = find_different(watch, comm, hash, &different, error);
    return code ? code
                : ordo_error_set(error, ORDO_E_INVALID, 0,
                                 "%s: rank %d differs from rank 0; all ranks must do the same", what, different);
}

int ordo_mpi_split(struct ordo_mpi_watch *watch, MPI_Comm comm, int color, int key, MPI_Comm *part,
                   struct ordo_error *error)
{
    *part = MPI_COMM_NULL;
    int code = ordo_mpi_barrier(watch, comm, error);
    return code ? code : ORDO_MPI_CALL(error, MPI_Comm_split, comm, color, key, part);
}

void ordo_mpi_part_free(const struct ordo_mpi_watch *watch, MPI_Comm *part)
{
    if (*part != MPI_COMM_NULL && watch->lost < 0)
        MPI_Comm_free(part);
}
