/* The watch (mpi_watch.h) in simulated time. No rank is ever lost, so there are no deadlines and no roll calls. A rank
 * waits in MPI_Wait until its message arrives, because polling would take simulated time. */
#include <stdlib.h>

#include "cluster/transport/mpi_call.h"

int ordo_mpi_watch_create(MPI_Comm comm, int64_t deadline_ns, struct ordo_mpi_watch **made, struct ordo_error *error)
{
    struct ordo_mpi_watch *watch = malloc(sizeof *watch);
    *made = NULL;
    (void)deadline_ns;
    if (!watch)
        return ordo_error_errno(error, "watch");
    *watch = (struct ordo_mpi_watch){.lost = -1};
    int code = ORDO_MPI_CALL(error, MPI_Comm_dup, comm, &watch->comm);
    if (code) {
        free(watch);
        return code;
    }
    MPI_Comm_rank(comm, &watch->rank);
    MPI_Comm_size(comm, &watch->size);
    *made = watch;
    return ORDO_OK;
}

void ordo_mpi_watch_free(struct ordo_mpi_watch *watch)
{
    if (!watch)
        return;
    MPI_Comm_free(&watch->comm);
    free(watch);
}

int64_t ordo_mpi_watch_patience_ns(const struct ordo_mpi_watch *watch)
{
    (void)watch;
    return INT64_MAX;
}

bool ordo_mpi_watch_serve(struct ordo_mpi_watch *watch)
{
    (void)watch;
    return true;
}

int ordo_mpi_watch_explain(const struct ordo_mpi_watch *watch, int code, struct ordo_error *error)
{
    (void)watch;
    (void)error;
    return code;
}

int ordo_mpi_wait(struct ordo_mpi_watch *watch, int begun, MPI_Status *status, const char *call,
                  struct ordo_error *error)
{
    return ordo_mpi_result(begun == MPI_SUCCESS ? MPI_Wait(&watch->request, status) : begun, call, error);
}
