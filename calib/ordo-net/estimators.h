/* The estimators of edges, as the options of commands name them. */
#ifndef ORDO_NET_ESTIMATORS_H
#define ORDO_NET_ESTIMATORS_H

#include "common/options.h"
#include "net/offset/estimator.h"

/** Returns the estimator that --estimator names; another name is a usage error, which lists them. */
const struct ordo_net_offset_estimator *estimator_named(const char *name, const struct argp_state *state);

/** Prints each with its title. Returns the exit code. */
int estimators_list(const char *program);

#endif
