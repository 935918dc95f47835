/* The source lines of a program's instructions and the names of its variables, from the programs addr2line and nm of the
 * package binutils. */
#ifndef ORDO_LAB_CORES_SOURCE_H
#define ORDO_LAB_CORES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct cores_source {
    uint64_t pc; /* the address that the hook returns to, as linked */
    char *file;  /* NULL: not known */
    int line;
    char *function;     /* that contains the source line; NULL: not known */
    char *inlined_into; /* the function of the program that the line was inlined into; NULL: `function` */
};

struct cores_variable {
    uint64_t address, bytes;
    char *name;
};

struct cores_sources {
    struct cores_source *items; /* sorted by pc */
    size_t count;
    struct cores_variable *variables; /* sorted by address */
    size_t variable_count;
};

/** Finds the source lines of the `count` addresses. If a program is missing, nothing is found, and `error` has a
 * message. Returns 0 or a negative code. */
int cores_sources_open(struct cores_sources *sources, const char *program, const uint64_t *pcs, size_t count,
                       struct ordo_error *error);
void cores_sources_close(struct cores_sources *sources);

/** Return the source line of an instruction, and the variable that contains an address; NULL if there is none. */
const struct cores_source *cores_sources_find(const struct cores_sources *sources, uint64_t pc);
const struct cores_variable *cores_sources_variable(const struct cores_sources *sources, uint64_t address);

#endif
