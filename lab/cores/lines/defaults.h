/* Options of a command of ordo-bench on a simulated machine, unless the user gives them. */
#ifndef ORDO_LAB_CORES_DEFAULTS_H
#define ORDO_LAB_CORES_DEFAULTS_H

#include "common/call.h"

struct cores_defaults {
    char options[6][64]; /* "--name=value" */
    int count;
};

/** Finds the options that the command lacks. `skew` is the value of --skew, or NULL. */
void cores_defaults_find(struct cores_defaults *defaults, const struct cli_call *call, const char *skew);

#endif
