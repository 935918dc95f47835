/* A command's options as a table. A row holds the name of an option, its argument, its default, its check and its help.
 * One call reads the defaults and a command line into a plain struct. */
#ifndef ORDO_COMMON_TABLE_H
#define ORDO_COMMON_TABLE_H

#include "options.h"

struct cli_row;

/** A given option, for the function that reads its value. */
struct cli_given {
    const struct cli_row *row;
    const char *option; /* "--runs", for error messages */
    char *text;         /* the value; the function may change it */
    const struct argp_state *state;
};

struct cli_row {
    const char *name;     /* "runs" */
    char letter;          /* 'q', or 0 */
    int group;            /* of the help */
    const char *argument; /* in the help: "N"; NULL: a flag */
    const char *usual;    /* the default, as a user would type it; NULL: the struct holds the default before the call */
    const char *help;     /* without the default, which is appended */
    enum cli_kind kind;   /* how the value is read and checked */
    double least, most;
    void (*read)(const struct cli_given *given, void *member); /* replaces `kind`, unless NULL */
    size_t offset;                                             /* of the member within the struct */
};

/** The kind and the offset of a member of the struct `input`: for rows without a `read`. */
#define CLI_VALUE(input, member) .kind = CLI_KIND(((input *)0)->member), .offset = offsetof(input, member)

/** Rows for one struct within the command's struct. */
struct cli_part {
    const struct cli_row *rows; /* the last has no name; NULL ends the parts */
    size_t offset;              /* of that struct within the command's */
    const char *header;         /* above the rows in the help; NULL: they continue the part before */
    /** Returns the error of all options together, or NULL. The last part is checked first. */
    const char *(*check)(void *options, char text[400]);
};

struct cli_table {
    const char *help;             /* the effect of the command, and after \v the meaning of its exit status */
    const struct cli_part *parts; /* the first has no header */
};

/** Reads the defaults into `options`, which may hold other values already, and then the command line, by cli_parse. */
void cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** Reads "10%" or "10" as a whole number within the limits of the row. */
int cli_percent(const struct cli_given *given);

#endif
