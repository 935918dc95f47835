/* ordo-mpi: whether the ranks of each node share a clock, and a clock that all ranks share. */
#include <stdlib.h>
#include <string.h>

#include <ordo/version.h>

#include "mpi.h"

static const struct command *const commands[] = {&command_mpi_verify,  &command_mpi_sync,      &command_mpi_check,
                                                 &command_mpi_compare, &command_mpi_roundtime, &command_mpi_simulate,
                                                 &command_clocks};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *stream)
{
    fprintf(stream, "Usage: mpirun ... ordo-mpi COMMAND [OPTION...]\n"
                    "Proves or refutes that the ranks of each node share a clock, and synchronises the cluster.\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-11s %s\n", commands[i]->name, commands[i]->title);
    fprintf(stream, "\nordo-mpi COMMAND --help lists a command's options; ordo-mpi --version; man ordo-mpi.\n"
                    "Exit status: 0 ok, 1 measured and the property fails, 2 could not tell, 64 usage, 70 internal.\n");
}

int main(int argc, char **argv)
{
    argp_program_version = "ordo-mpi " ORDO_VERSION;
    argp_err_exit_status = EXIT_USAGE;
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return cli_close_stdout("ordo-mpi");
    }
    if (strcmp(name, "--version") == 0) {
        puts(argp_program_version);
        return cli_close_stdout("ordo-mpi");
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0) {
            char program[32];
            (void)snprintf(program, sizeof program, "ordo-mpi %s", name);
            argv[1] = program;
            return commands[i]->run(argc - 1, argv + 1);
        }
    if (!mpi_cli_speaks())
        return EXIT_USAGE;
    if (*name)
        fprintf(stderr, "ordo-mpi: '%s' is not a command; see ordo-mpi --help\n", name);
    else
        print_help(stderr);
    return EXIT_USAGE;
}
