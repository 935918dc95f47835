/* The files of this folder, in the library: the machines, and the matrices that they name. A generated file defines the
 * tables, so that the machines are found in a build tree and when installed. */
#ifndef ORDO_LAB_CORES_FILES_H
#define ORDO_LAB_CORES_FILES_H

#include <stddef.h>

struct cores_file {
    const char *name; /* "graviton2" of graviton2.json, "aws-graviton2" of aws-graviton2.csv */
    const char *text; /* ends with a 0 that `bytes` does not count */
    size_t bytes;
};

/* In alphabetical order; the last has the name NULL. */
extern const struct cores_file cores_machine_files[], cores_matrix_files[];

#endif
