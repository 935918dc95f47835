/* The commands of a program: found by name, and run with the rest of the command line. */
#ifndef ORDO_COMMON_COMMAND_H
#define ORDO_COMMON_COMMAND_H

#include <stdbool.h>

#include "result.h"

struct command {
    const char *name;    /* as the user types it */
    const char *another; /* an alias, such as the name in an earlier version; NULL: none */
    const char *title;   /* one line for people */
    const char *schema;  /* of the output of --json; NULL if there is no --json */
    /* argv[0] is "<program> <name>". Returns the exit code. */
    int (*run)(int argc, char **argv);
};

struct program {
    const char *name;                      /* "ordo" */
    const char *call;                      /* the usage, before COMMAND */
    const char *purpose;                   /* a sentence */
    const struct command *const *commands; /* in the order of the help, ending with NULL */
    bool (*speaks)(void); /* true in the one process of many that prints errors; NULL: the process is the only one */
};

/** Implements the program's main: runs the command that argv names, or prints help, version or the list of commands, or
 * suggests a command of a similar name. Returns the exit code. */
int cli_main(const struct program *program, int argc, char **argv);

/** Returns the schema of the running command. */
const char *cli_schema(void);

#endif
