/* ordo clocks: the command `clocks` with the clock sources of this program. */
#include "common/clocks.h"

const struct command command_clocks = {
    .name = "clocks",
    .title = "compare the clock sources, and judge what each is fit for",
    .schema = "ordo-clocks/1",
    .run = cli_clocks,
};
