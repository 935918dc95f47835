/* The command line of `ordo-bench model`. */
#ifndef BENCH_MODEL_ARGUMENTS_H
#define BENCH_MODEL_ARGUMENTS_H

#include "model/machines.h"
#include "rlu/arguments.h"

/** Sets the defaults (the hash, 1 and 2 threads, the stamps that the model needs, no baseline) and parses the command
 * line. Returns the target machine of the projection, or NULL. `--machine list` prints all machines and ends the
 * program. A wrong command line ends the program with a message and EXIT_USAGE. */
const struct model_machine *model_options_parse(struct rlu_options *options, int argc, char **argv);

#endif
