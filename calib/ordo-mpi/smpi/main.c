/* ordo-mpi.smpi: ordo-mpi on SimGrid's SMPI, which runs real MPI programs on simulated networks. Rank 0 runs the
 * program, and the other ranks follow its instructions; so only rank 0 has variables, and SMPI need not give each rank
 * its own. */
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

/* Replaces exit (by the linker), with which the command-line parser ends the program, because SimGrid must be
 * notified. */
_Noreturn void __wrap_exit(int status)
{
    end();
    exit(status); /* SMPI's exit of this rank, by smpi_helpers.h */
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
