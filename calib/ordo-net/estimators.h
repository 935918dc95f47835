/* The estimators of edges, for the options of commands. */
#ifndef ORDO_NET_ESTIMATORS_H
#define ORDO_NET_ESTIMATORS_H

#include "common/options.h"
#include "net/offset/estimator.h"

/** Returns the estimator with this name, for --estimator. If there is none, ends the program with a usage error that
 * lists all estimators. */
const struct ordo_net_offset_estimator *estimator_named(const char *name, const struct argp_state *state);

/** Prints the name and the title of each estimator. Returns the exit code. */
int estimators_list(const char *program);

#endif
