/* Command lines that end with another program's command: SUBJECT -- COMMAND [OPTION...]. */
#ifndef ORDO_COMMON_CALL_H
#define ORDO_COMMON_CALL_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct cli_call {
    const char *subject; /* NULL: not given */
    char **rest;         /* COMMAND and its options, as they are; NULL: not given */
    int rest_count;
};

/** For parsers: takes the subject, and then all words behind it at once. False if `key` is no argument. */
bool cli_take_call(struct cli_call *call, int key, char *argument, struct argp_state *state);

/** Finds a program of the project: in the folder of this program, or in the folder of installed helpers. `name` may
 * begin with folders relative to it. False if there is none. */
bool cli_beside(const char *name, char *path, size_t size);

#endif
