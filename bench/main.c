/* ordo-bench COMMAND [OPTIONS]: finds the command and runs it. */
#include "common/command.h"

/* Generated from the files in command/; ends with NULL. */
extern const struct command *const commands[];

int main(int argc, char **argv)
{
    static const struct program program = {
        .name = "ordo-bench",
        .call = "ordo-bench",
        .purpose = "Measures what ordering by hardware clocks costs, beside the usual ways.",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
