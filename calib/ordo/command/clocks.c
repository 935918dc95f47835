/* ordo clocks: what every program of the project says of the clocks that it can read. */
#include "common/clocks.h"

const struct command command_clocks = {
    .name = "clocks",
    .title = "compare the clock sources and say what each is good for",
    .schema = "ordo-clocks/1",
    .run = cli_clocks,
};
