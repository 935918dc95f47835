/* ordo: measures how far apart the clocks of this machine can be, and publishes it. */
#include <stddef.h>

#include "common/report.h"

static const struct command *const commands[] = {&command_calibrate, &command_check,  &command_show,
                                                 &command_topology,  &command_clocks, NULL};

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
