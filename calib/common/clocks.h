/* The command `clocks`. It is the same in every program, except that each program contains other clock sources. */
#ifndef ORDO_COMMON_CLOCKS_H
#define ORDO_COMMON_CLOCKS_H

#include "common/clocks_ranks.h"
#include "common/command.h"
#include "common/table.h"
#include "machine/comparison/comparison.h"

struct cli_clocks_options {
    double seconds;
    const char *cpus, *phc, *aux, *svg;
    bool json, csv, quiet;
};

/** The table of the options; they are read into a struct cli_clocks_options. */
extern const struct cli_table cli_clocks_table;

/** Compares the clock sources of this program and prints the result. Returns the exit code. */
int cli_clocks_run(const char *program, const struct cli_clocks_options *options, struct cli_clocks_ranks ranks);

/** The `run` function of a command: reads the options, then calls cli_clocks_run(). */
int cli_clocks(int argc, char **argv);

#endif
