/* The commands of a program. A command is found by its name, and gets the rest of the command line. */
#ifndef ORDO_COMMON_COMMAND_H
#define ORDO_COMMON_COMMAND_H

#include <stdbool.h>

#include "result.h"

struct command {
    const char *name;    /* as the user types it */
    const char *another; /* an alias, such as the name in an earlier version; or NULL */
    const char *title;   /* one line for the help */
    const char *schema;  /* of the output of --json; NULL if there is no --json */
    /* Runs the command; argv[0] is "<program> <name>". Returns the exit code. */
    int (*run)(int argc, char **argv);
};

/* A word that is no longer a command of a program. */
struct moved {
    const char *name, *to; /* `to`: the command line that replaces it; name NULL: end of the table */
};

struct program {
    const char *name;                      /* "ordo" */
    const char *call;                      /* the part of the usage line before COMMAND */
    const char *purpose;                   /* one sentence */
    const struct command *const *commands; /* in the order of the help; ends with NULL */
    const struct moved *moved;             /* commands of earlier versions; or NULL */
    bool (*speaks)(void);                  /* true if this process prints errors; NULL: always */
};

/** Implements the program's main(): runs the command that argv names, or prints help, version or the list of commands.
 * If the name is unknown, suggests a command with a similar name. Returns the exit code. */
int cli_main(const struct program *program, int argc, char **argv);

/** Returns the schema of the running command. */
const char *cli_schema(void);

#endif
