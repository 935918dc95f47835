/* The command line of `ordo-bench model`. */
#ifndef BENCH_MODEL_ARGUMENTS_H
#define BENCH_MODEL_ARGUMENTS_H

#include "model/machines.h"
#include "rlu/arguments.h"

/** Takes the defaults and then the command line: the hash, 1 and 2 threads, the stamps that the model needs, and no
 * baseline. Returns the machine to project onto, NULL for none. `--machine list` prints them all and ends the program; a
 * wrong command line ends it with one line and EXIT_USAGE. */
const struct model_machine *model_options_parse(struct rlu_options *options, int argc, char **argv);

#endif
