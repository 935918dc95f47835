/* ordo: measures how far apart the clocks of this machine's CPUs can be, and publishes the bound. */
#include "common/command.h"

/* Generated from the files in command/; ends with NULL. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo",
        .call = "ordo",
        .purpose = "Measures how far apart the clocks of this machine's CPUs can be (ORDO_BOUNDARY).",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
