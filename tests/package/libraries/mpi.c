/* Calls libordo-mpi on one rank; valid C and C++. */
#include <ordo/mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct ordo_mpi *clock;
    struct ordo_error error;
    int code = ordo_mpi_create(MPI_COMM_WORLD, NULL, &clock, &error);
    if (code == 0)
        code = ordo_mpi_sync(clock, NULL, &error);
    if (code == 0) {
        struct ordo_global_time before = ordo_mpi_now(clock), after = ordo_mpi_now(clock);
        code = ordo_global_compare(before, after) == 1;
    }
    ordo_mpi_free(clock);
    MPI_Finalize();
    return code != 0;
}
