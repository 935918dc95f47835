/* ordo-mpi.smpi: ordo-mpi on SimGrid's SMPI, which runs real MPI programs on simulated networks. Rank 0 runs the
 * program, and the other ranks only take part in its runs (ordo_smpi_serve). So only rank 0 uses the program's
 * variables, and SMPI need not give each rank a copy of them. */
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

/* Replaces exit (option --wrap of the linker). The command-line parser ends the program by exit. Before this, the other
 * ranks must be released, and MPI must be finalised. */
_Noreturn void __wrap_exit(int status)
{
    end();
    exit(status); /* smpi_helpers.h makes this SMPI's exit of the rank */
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
