#include <errno.h>
#include <stdlib.h>

#include "cluster/transport/mpi_call.h"
#include "cluster/transport/mpi_pause.h"

/* Begins the duplication of `comm`, and waits for it. There is no roll call in this wait, because the library has no
 * communicator of its own yet. */
static int await_duplicate(MPI_Comm comm, struct ordo_mpi_watch *watch, struct ordo_error *error)
{
    int64_t begin_ns = ordo_raw_ns();
    struct ordo_mpi_pauses pauses = {.tests = 1};
    int done = 0, code = ORDO_MPI_CALL(error, MPI_Comm_idup, comm, &watch->comm, &watch->request);
    while (!code && !done) {
        if (ordo_mpi_pause(&pauses) && watch->deadline_ns > 0 && ordo_raw_ns() - begin_ns > watch->deadline_ns) {
            watch->lost = watch->rank; /* marks the watch as unusable; the lost rank is unknown */
            return ordo_error_set(error, ORDO_E_SYSTEM, ETIMEDOUT,
                                  "MPI_Comm_idup: not all ranks have called it within %g s",
                                  (double)watch->deadline_ns / 1e9);
        }
        code = ORDO_MPI_CALL(error, MPI_Test, &watch->request, &done, MPI_STATUS_IGNORE);
    }
    return code;
}

/* Duplicates `comm`. MPI passes an error of the duplication to the error handler of `comm`, which may abort. So the
 * handler is replaced during the duplication. */
static int duplicate_quietly(MPI_Comm comm, struct ordo_mpi_watch *watch, struct ordo_error *error)
{
    MPI_Errhandler callers;
    int code = ORDO_MPI_CALL(error, MPI_Comm_get_errhandler, comm, &callers);
    if (code)
        return code;
    code = ORDO_MPI_CALL(error, MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
    if (!code)
        code = await_duplicate(comm, watch, error);
    (void)MPI_Comm_set_errhandler(comm, callers);
    (void)MPI_Errhandler_free(&callers);
    if (!code)
        code = ORDO_MPI_CALL(error, MPI_Comm_set_errhandler, watch->comm, MPI_ERRORS_RETURN);
    return code;
}

static int refuse_communicator(MPI_Comm comm, struct ordo_error *error)
{
    int begun = 0, over = 0, two_groups = 0;
    if (MPI_Initialized(&begun) != MPI_SUCCESS || !begun || MPI_Finalized(&over) != MPI_SUCCESS || over)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "MPI: %s", begun ? "finalized already" : "not initialised yet");
    if (comm == MPI_COMM_NULL)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "MPI_COMM_NULL: not a communicator");
    if (MPI_Comm_test_inter(comm, &two_groups) != MPI_SUCCESS || two_groups)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "an intercommunicator: merge its groups (MPI_Intercomm_merge)");
    return ORDO_OK;
}

int ordo_mpi_watch_create(MPI_Comm comm, int64_t deadline_ns, struct ordo_mpi_watch **made, struct ordo_error *error)
{
    int rank, size;
    *made = NULL;
    if (refuse_communicator(comm, error))
        return ORDO_E_INVALID;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct ordo_mpi_watch spare, *watch = malloc(sizeof *watch + (rank ? 0 : (size_t)size * sizeof *watch->here));
    struct ordo_mpi_watch *own =
        watch ? watch : &spare; /* out of memory: `spare` serves until all ranks agree to fail */
    *own = (struct ordo_mpi_watch){
        .comm = MPI_COMM_NULL, .rank = rank, .size = size, .deadline_ns = deadline_ns, .lost = -1};
    int code = duplicate_quietly(comm, own, error);
    if (code && own->lost < 0)
        free(watch);
    if (code)
        return code;
    own->deadline_ns =
        watch ? deadline_ns : 0; /* no deadline with `spare`, because a roll call needs the array `here` */
    code = ordo_mpi_agree(own, own->comm, watch ? ORDO_OK : ordo_error_errno(error, "watch"), error);
    if (code && own->lost < 0) {
        MPI_Comm_free(&own->comm);
        free(watch);
    }
    if (!code)
        *made = watch;
    return code;
}

void ordo_mpi_watch_free(struct ordo_mpi_watch *watch)
{
    if (!watch || watch->lost >= 0)
        return;
    MPI_Comm_free(&watch->comm);
    free(watch);
}
