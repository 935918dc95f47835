/* The commands of a program: found by name, and run with what follows on the command line. */
#ifndef ORDO_COMMON_COMMAND_H
#define ORDO_COMMON_COMMAND_H

#include <stdbool.h>

#include "result.h"

struct command {
    const char *name;    /* as typed */
    const char *another; /* a name that is taken as well, such as one of an earlier version; NULL: none */
    const char *title;   /* one line for people */
    const char *schema;  /* of what --json prints; NULL if there is no --json */
    /* argv[0] is "<program> <name>". Returns the exit code. */
    int (*run)(int argc, char **argv);
};

struct program {
    const char *name;                      /* "ordo" */
    const char *call;                      /* how it is called, before COMMAND */
    const char *purpose;                   /* a sentence */
    const struct command *const *commands; /* in the order of the help, ending with NULL */
    bool (*speaks)(void); /* whether this process is the one of many that complains; NULL: it is the only one */
};

/** The program's main: runs the command that argv names, or prints help, version, the list of commands, or what was
 * probably meant. Returns the exit code. */
int cli_main(const struct program *program, int argc, char **argv);

/** The schema of the command that runs. */
const char *cli_schema(void);

#endif
