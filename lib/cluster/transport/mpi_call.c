#include "cluster/transport/mpi_call.h"

#include <string.h>

int ordo_mpi_result(int code, const char *call, struct ordo_error *error)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return ORDO_OK;
    (void)MPI_Error_string(code, words, &length);
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: %.200s", call, words);
}

/* A rank that was thought to be lost, and comes after all, learns of it before it joins what others have left. */
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
    return code;
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
