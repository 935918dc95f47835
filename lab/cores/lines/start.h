/* Runs another program to its end. */
#ifndef ORDO_LAB_CORES_START_H
#define ORDO_LAB_CORES_START_H

#include <stdbool.h>

#include "base/error.h"

/* The files of the program's standard streams; NULL: the caller's. */
struct cores_streams {
    const char *in, *out, *err;
    bool bare; /* no variables of the environment: the places of a program's variables would depend on them */
};

/** Runs the program arguments[0], found by PATH if its name has no slash. Returns its exit code, or a negative code: it
 * could not be started, or ended by a signal. */
int cores_start(char *const *arguments, const struct cores_streams *streams, struct ordo_error *error);

#endif
