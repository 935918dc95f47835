/* ordo clocks: what every program of the project says of the clocks that it can read. */
#include "common/clocks.h"

const struct command command_clocks = {"clocks", "list the clock sources, their steps and prices", "ordo-clocks/1",
                                       cli_clocks};
