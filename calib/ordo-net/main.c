/* ordo-net: measures the clocks of hosts, and of the CPUs of a host, by the methods of HUYGENS. */
#include "common/command.h"

/* All commands, ending with NULL; generated from the files of command/. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct moved moved[] = {{"simulate", "ordo-lab simulate"},
                                         {"replay", "ordo-lab replay"},
                                         {"testbed", "ordo-lab testbed"},
                                         {"figures", "ordo-lab figures"},
                                         {0}};
    static const struct program program = {
        .name = "ordo-net",
        .call = "ordo-net",
        .purpose = "Measures how far apart the clocks of hosts are.",
        .commands = commands,
        .moved = moved,
    };
    return cli_main(&program, argc, argv);
}
