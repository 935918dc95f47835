/* ordo-mpi clocks: what every program of the project says of the clocks that it can read. */
#include "common/clocks.h"

const struct command command_clocks = {
    .name = "clocks",
    .title = "list the clock sources, their steps and prices",
    .schema = "ordo-clocks/1",
    .run = cli_clocks,
};
