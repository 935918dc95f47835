/* The command `clocks`, which is the same in every program: only the sources differ that it was built with. */
#ifndef ORDO_COMMON_CLOCKS_H
#define ORDO_COMMON_CLOCKS_H

#include "common/command.h"

/** A command's `run`: lists the clock sources of this program, with the step and the price of each. */
int cli_clocks(int argc, char **argv);

#endif
