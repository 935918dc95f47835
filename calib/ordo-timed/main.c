/* ordo-timed: publishes the time of day of this host as an interval that contains it. */
#include "common/command.h"

/* All commands, ending with NULL; generated from the files of command/. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo-timed",
        .call = "ordo-timed",
        .purpose = "Publishes the time of day as an interval that contains it.",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
