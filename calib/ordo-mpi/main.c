/* ordo-mpi: whether the ranks of each node share a clock, and a clock that all ranks share. */
#include <stddef.h>

#include "cli.h"

static const struct command *const commands[] = {
    &command_mpi_verify,    &command_mpi_sync,     &command_mpi_check, &command_mpi_compare,
    &command_mpi_roundtime, &command_mpi_simulate, &command_clocks,    NULL};

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo-mpi",
        .call = "mpirun ... ordo-mpi",
        .purpose = "Proves or refutes that the ranks of each node share a clock, and synchronises the cluster.",
        .commands = commands,
        .speaks = mpi_cli_speaks,
    };
    return cli_main(&program, argc, argv);
}
