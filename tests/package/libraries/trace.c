/* Records a trace of one rank by libordo-trace; valid C and C++. */
#include <mpi.h>
#include <ordo/trace.h>

int main(int argc, char **argv)
{
    int outside = ordo_trace_timesync() == ORDO_E_INVALID;
    MPI_Init(&argc, &argv);
    ordo_trace_begin("region");
    ordo_trace_end("region");
    int inside = ordo_trace_timesync() == 0 && ordo_trace_flush() == 0;
    MPI_Finalize();
    return !(outside && inside);
}
