/* A command's options: strict, with the same help everywhere, and errors of one line. */
#ifndef ORDO_COMMON_OPTIONS_H
#define ORDO_COMMON_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/** Parses a command's own arguments; argv[0] is its name. Adds -h, --help, --usage and -V, --version. Does not accept
 * abbreviated long options, because an abbreviation of `--run` may become ambiguous or change its meaning in another
 * version. An error ends the program with one line and EXIT_USAGE, and with --json on the command line with the object
 * of cli_fail. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** Prints "<command>: <text>" and ends the program with EXIT_USAGE: for parsers. */
_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** An option that only sets a member of the parser's input: a flag, a text, or a number from `least` to `most`. */
struct cli_store {
    int key;
    const char *option; /* "--runs", for error messages; NULL ends a table */
    enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_INT, CLI_WHOLE, CLI_REAL } kind;
    size_t offset;
    double least, most;
};

/** The kind of value for a member of this type. An int without a value on the command line is a flag; no number is
 * negative. */
#define CLI_KIND(member)                                                                                               \
    _Generic((member), bool : CLI_FLAG, const char * : CLI_TEXT, int : CLI_INT, uint64_t : CLI_WHOLE,                  \
             int64_t : CLI_WHOLE, double : CLI_REAL)

/** One row of such a table, for a member of the struct `input`. */
#define CLI_STORE(key, option, input, member, least, most)                                                             \
    {                                                                                                                  \
        key, option, CLI_KIND(((input *)0)->member), offsetof(input, member), least, most                              \
    }
#define CLI_FLAG_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 1)
#define CLI_TEXT_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 0)

/** Sets the member that the table names for `key`; for the default case of a parser. A value out of range is a usage
 * error. ARGP_ERR_UNKNOWN: the table has no such key. */
error_t cli_store(const struct cli_store *stores, int key, const char *argument, const struct argp_state *state);

/** Sets `member` by its row; ignores the offset of the row. */
void cli_set(const struct cli_store *row, void *member, const char *argument, const struct argp_state *state);

/** Returns the value of a numeric option; a malformed one is a usage error that names the option. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
                    uint64_t most);

/** Returns the meaning (from 0) of the item of `length` characters at the start of a text; -1: none. */
typedef int cli_item_read(const char *item, size_t length, void *context);

/** Reads items separated by commas, at most `limit`. Two of the same meaning are a usage error, because the command
 * would compare a measurement with itself. Returns the number of items, or -1 if they are more or one has no meaning;
 * the caller reports that. */
int cli_list(const struct argp_state *state, const char *option, const char *list, cli_item_read *read, void *context,
             int *meanings, int limit);

/** Does the same for numbers, written to `numbers` in ascending order; a malformed list is a usage error too. */
int cli_numbers(const struct argp_state *state, const char *option, const char *text, int least, int most, int *numbers,
                int limit);

/** Adds a name to a list: "a, b, c". `text` has `size` bytes, and keeps as many names as fit. */
void cli_add_name(char *text, size_t size, const char *name);

/** Returns the help of an option with the names in place of its '@', malloc'ed: for argp's help_filter. NULL if out of
 * memory. */
char *cli_help_with(const char *text, const char *names);

/** Does the same as cli_number for a number that need not be whole. */
double cli_real(const struct argp_state *state, const char *option, const char *text, double least, double most);

#endif
