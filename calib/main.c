/* ordo: measures how far apart the clocks of this machine can be, and publishes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/version.h>

#include "cli.h"

static const struct command *const commands[] = {&command_calibrate, &command_check, &command_show, &command_topology,
                                                 &command_clocks};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *stream)
{
    fprintf(stream, "Usage: ordo COMMAND [OPTION...]\n"
                    "Measures how far apart the clocks of this machine's CPUs can be (ORDO_BOUNDARY).\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-11s %s\n", commands[i]->name, commands[i]->title);
    fprintf(stream, "\nordo COMMAND --help lists a command's options; ordo --version; man ordo.\n"
                    "Exit status: 0 ok, 1 measured and the property fails, 2 could not tell, 64 usage, 70 internal.\n");
}

int main(int argc, char **argv)
{
    argp_program_version = "ordo " ORDO_VERSION;
    argp_err_exit_status = EXIT_USAGE;
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return cli_close_stdout("ordo");
    }
    if (strcmp(name, "--version") == 0) {
        puts(argp_program_version);
        return cli_close_stdout("ordo");
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0) {
            char program[32];
            (void)snprintf(program, sizeof program, "ordo %s", name);
            argv[1] = program;
            return commands[i]->run(argc - 1, argv + 1);
        }
    if (*name)
        fprintf(stderr, "ordo: '%s' is not a command; see ordo --help\n", name);
    else
        print_help(stderr);
    return EXIT_USAGE;
}
