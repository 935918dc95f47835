/* ordo-mpi.smpi: ordo-mpi on SimGrid's SMPI, which runs real MPI programs on simulated networks. Rank 0 is the program, and the
 * others do what it says; so only rank 0 has variables, and SMPI need not give each rank its own. */
#include <mpi.h>
#include <stdlib.h>

#include "cluster/transport/smpi/sim.h"
#include "common/command.h"
#include "ordo-mpi/smpi/cluster.h"

extern const struct command command_simulate;

static void end(void)
{
    ordo_smpi_end();
    MPI_Finalize();
}

/* The kit ends a wrong command line with exit, of which SimGrid has to hear: the linker puts this in its place. */
_Noreturn void __wrap_exit(int status)
{
    end();
    exit(status); /* SMPI's, by smpi_helpers.h: of this rank */
}

int main(int argc, char **argv)
{
    static const struct command *const commands[] = {&command_simulate, NULL};
    static const struct program program = {
        .name = "ordo-mpi.smpi",
        .call = "smpirun ... ordo-mpi.smpi",
        .purpose = "Synchronises the clocks of a cluster that SimGrid simulates, message by message.",
        .commands = commands,
    };
    int rank, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    smpi_cluster_begin();
    if (rank == 0) {
        code = cli_main(&program, argc, argv);
        end();
        return code;
    }
    ordo_smpi_serve();
    MPI_Finalize();
    return EXIT_OK;
}
