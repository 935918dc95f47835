/* A command's options as a table. A row holds the name of an option, its argument, its default, its check and its help; one call reads
 * the defaults and a command line into a plain struct. */
#ifndef ORDO_COMMON_TABLE_H
#define ORDO_COMMON_TABLE_H

#include "options.h"

struct cli_row;

/** An option on the command line, for the function that reads its value. */
struct cli_given {
    const struct cli_row *row;
    const char *option; /* "--runs", for complaints */
    char *text;         /* the value, which may be changed */
    const struct argp_state *state;
};

struct cli_row {
    const char *name;     /* "runs" */
    char letter;          /* 'q', or 0 */
    int group;            /* in the help */
    const char *argument; /* of the help: "N"; NULL: a flag */
    const char *usual;    /* the default, as it would be typed; NULL: the struct holds it before */
    const char *help;     /* without a `usual`, which is appended */
    enum cli_kind kind;   /* how the value is read and checked, */
    double least, most;
    void (*read)(const struct cli_given *given, void *member); /* replaces `kind`, unless NULL */
    size_t offset;                                             /* of the member in the struct */
};

/** How a member of the struct `input` is read, and where it is: for rows without a `read`. */
#define CLI_VALUE(input, member) .kind = CLI_KIND(((input *)0)->member), .offset = offsetof(input, member)

/** Rows for one struct within the command's. */
struct cli_part {
    const struct cli_row *rows; /* the last has no name; NULL ends the parts */
    size_t offset;              /* of that struct in the command's */
    const char *header;         /* above the rows in the help; NULL: they are among those of the part before */
    /** Returns what is wrong with all options together, or NULL. The last part is checked first. */
    const char *(*check)(void *options, char text[400]);
};

struct cli_table {
    const char *help;             /* what the command does, and after \v what its exit status says */
    const struct cli_part *parts; /* the first without a header */
};

/** Reads the defaults into `options`, which may hold others, and then the command line, by cli_parse. */
void cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** Reads "10%" or "10" as a whole number within the limits of the row: for readers. */
int cli_percent(const struct cli_given *given);

#endif
