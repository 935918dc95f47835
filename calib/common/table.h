/* The options of a command as a table. A row has the name of an option, its argument, default, check and help. One call
 * sets the defaults and reads a command line into a struct. */
#ifndef ORDO_COMMON_TABLE_H
#define ORDO_COMMON_TABLE_H

#include "options.h"

struct cli_row;

/** An option on the command line, as a `read` function gets it. */
struct cli_given {
    const struct cli_row *row;
    const char *option; /* "--runs", for error messages */
    char *text;         /* the value; `read` may change it */
    const struct argp_state *state;
};

struct cli_row {
    const char *name;     /* "runs" */
    char letter;          /* 'q', or 0 */
    int group;            /* group in the help */
    const char *argument; /* the argument in the help, "N"; NULL: a flag */
    bool optional;        /* the argument may be left out, as in --name; `read` then gets a text of NULL */
    const char *usual;    /* the default, as the user would type it; NULL: set before cli_read */
    const char *help;     /* without the default, which is appended to it */
    enum cli_kind kind;   /* how the value is parsed and checked */
    double least, most;
    void (*read)(const struct cli_given *given, void *member); /* parses the value instead of `kind`, unless NULL */
    size_t offset;                                             /* of the member in the struct */
};

/** Initialises `kind` and `offset` for a member of the struct `input`: for rows without `read`. */
#define CLI_VALUE(input, member) .kind = CLI_KIND(((input *)0)->member), .offset = offsetof(input, member)

/** The rows for one member struct of the command's struct. */
struct cli_part {
    const struct cli_row *rows; /* ends with a row without a name; rows == NULL ends the list of parts */
    size_t offset;              /* of the member struct in the command's struct */
    const char *header;         /* a heading above the rows in the help; NULL: the rows continue the previous part */
    /** Checks all options of the part together. Returns an error message, or NULL. The last part is checked first. */
    const char *(*check)(void *options, char text[400]);
};

struct cli_table {
    const char *help;             /* the effect of the command; after \v, the meaning of its exit status */
    const struct cli_part *parts; /* the first part has no header */
};

/** Sets the defaults in `options`, which may already hold other values, and then parses the command line with
 * cli_parse. */
void cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** Parses "10%" or "10". The number must be whole and within the limits of the row. */
int cli_percent(const struct cli_given *given);

#endif
