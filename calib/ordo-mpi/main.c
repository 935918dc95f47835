/* ordo-mpi: checks whether the ranks of each node share a clock, and makes a clock that all ranks share. */
#include "cli.h"

/* All commands, ending with NULL; generated from the files of command/. */
extern const struct command *const commands[];

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
