/* The calls that begin and end the recording. */
#include <stdlib.h>

#include "trace/record/call.h"
#include "trace/record/complain.h"
#include "trace/record/start.h"

static bool seen; /* MPI was initialised by a call that this library saw */

/* True if the launcher says that this process is not the first one. */
static bool is_later_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i])) != 0;
    return false;
}

/* Says why there is no trace if the recorder was loaded and MPI was used past it. */
__attribute__((destructor)) static void complain_of_unseen(void)
{
    int initialised = 0;
    if (!seen && !is_later_rank() && PMPI_Initialized(&initialised) == MPI_SUCCESS && initialised)
        ordo_trace_complain(0, "nothing is recorded: MPI was initialised by a call that the recorder does not see: "
                               "PMPI_Init, or a Fortran binding that is linked statically");
}

ORDO_TRACE_WRAPPER int MPI_Init(int *argc, char ***argv)
{
    int provided = MPI_THREAD_SINGLE, code = PMPI_Init(argc, argv);
    if (code != MPI_SUCCESS)
        return code;
    (void)PMPI_Query_thread(&provided);
    seen = true;
    ordo_trace_start(provided);
    return code;
}

ORDO_TRACE_WRAPPER int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code != MPI_SUCCESS)
        return code;
    seen = true;
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
