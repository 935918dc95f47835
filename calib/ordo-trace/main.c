/* ordo-trace: traces of parallel programs in global time. */
#include "common/command.h"

/* Generated from the files of command/, ending with NULL. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo-trace",
        .call = "ordo-trace",
        .purpose = "Converts the traces of a parallel program to one global time, with bounds for every event.",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
