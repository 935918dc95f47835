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

/* A file in memory, which ends with the process. */
struct cores_temporary {
    int file;
    char path[32]; /* for this process and its children */
};

/** Opens an empty temporary file. ORDO_E_SYSTEM: no file can be opened; the file is then closed. */
int cores_temporary_open(struct cores_temporary *temporary, struct ordo_error *error);
void cores_temporary_close(struct cores_temporary *temporary);

/** Runs the program arguments[0], found by PATH if its name has no slash. Returns its exit code, or a negative code: it
 * could not be started, or ended by a signal. The program is killed if the caller ends. */
int cores_start(char *const *arguments, const struct cores_streams *streams, struct ordo_error *error);

#endif
