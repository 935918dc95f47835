/* ordo-lab: simulated protocols of clocks, real daemons, and simulated machines. */
#include "common/command.h"

/* Generated from the files of command/, ending with NULL. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct moved moved[] = {{"jitter", "ordo-net jitter"}, {0}};
    static const struct program program = {
        .name = "ordo-lab",
        .call = "ordo-lab",
        .purpose = "Compares protocols that synchronise the clocks of hosts, on simulated networks and with real "
                   "daemons; runs ordo-bench on simulated machines.",
        .commands = commands,
        .moved = moved,
    };
    return cli_main(&program, argc, argv);
}
