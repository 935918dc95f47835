/* The calls that begin and end the recording. */
#include "trace/record/call.h"
#include "trace/record/start.h"

ORDO_TRACE_WRAPPER int MPI_Init(int *argc, char ***argv)
{
    int provided = MPI_THREAD_SINGLE, code = PMPI_Init(argc, argv);
    if (code != MPI_SUCCESS)
        return code;
    (void)PMPI_Query_thread(&provided);
    ordo_trace_start(provided);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        ordo_trace_start(*provided);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Finalize(void)
{
    ordo_trace_stop();
    return PMPI_Finalize();
}

/* Writes this rank's events first, because they may show why the program aborts. */
ORDO_TRACE_WRAPPER int MPI_Abort(MPI_Comm comm, int code)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    if (ordo_trace_thread_of_this() && pthread_mutex_trylock(&recorder->lock) == 0) {
        ordo_trace_drain_all();
        pthread_mutex_unlock(&recorder->lock);
    }
    return PMPI_Abort(comm, code);
}
