/* ordo-bench COMMAND [OPTIONS]: finds the command and runs it. */
#include "common/command.h"

/* Generated from the files in command/; ends with NULL. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo-bench",
        .call = "ordo-bench",
        .purpose = "Measures the cost of ordering by hardware clocks, compared with the usual methods.",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
