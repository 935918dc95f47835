/* MPI_Wtime: seconds as a double, since an origin that the library may choose anew in every process (MPI-4.0, section
 * 9.6). The clocks of different processes agree only if MPI_WTIME_IS_GLOBAL says so; the standard does not say how
 * closely. */
#include <mpi.h>

#include "machine/clock/source.h"

static uint64_t read_wtime_ns(void)
{
    return (uint64_t)(int64_t)(MPI_Wtime() * 1e9);
}

const struct ordo_clock_source ordo_clock_source_mpi_wtime = {
    .name = "mpi_wtime",
    .title = "MPI_Wtime: since an origin of the library's choice",
    .unit_hz = 1000000000,
    .steered = true,
    .read = read_wtime_ns,
};
