/* A command's options: strict, with the same help everywhere, and one line about what is wrong. */
#ifndef ORDO_COMMON_OPTIONS_H
#define ORDO_COMMON_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/** Parses a command's own arguments; argv[0] is its name. Adds -h, --help, --usage and -V, --version. Long options are
 * taken only whole: what `--run` abbreviates today may be another tomorrow. What is wrong ends the program with one
 * line and EXIT_USAGE, and with --json on the command line with the object of cli_fail. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** "<command>: <text>", and the end of the program with EXIT_USAGE: for parsers. */
_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** An option that does nothing but set a member of the parser's input: a flag, a text, or a number from `least` to `most`. */
struct cli_store {
    int key;
    const char *option; /* "--runs", for complaints; NULL ends a table */
    enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_INT, CLI_WHOLE, CLI_REAL } kind;
    size_t offset;
    double least, most;
};

/** What a member of this type takes. An int without a value on the command line is a flag; no number is negative. */
#define CLI_KIND(member)                                                                                               \
    _Generic((member), bool : CLI_FLAG, const char * : CLI_TEXT, int : CLI_INT, uint64_t : CLI_WHOLE,                  \
             int64_t : CLI_WHOLE, double : CLI_REAL)

/** A row of a table of them, for a member of the struct `input`. */
#define CLI_STORE(key, option, input, member, least, most)                                                             \
    {                                                                                                                  \
        key, option, CLI_KIND(((input *)0)->member), offsetof(input, member), least, most                              \
    }
#define CLI_FLAG_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 1)
#define CLI_TEXT_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 0)

/** Sets the member that the table names for `key`; ARGP_ERR_UNKNOWN where it names none. What is out of range is a usage
 * error. For the default case of a parser. */
error_t cli_store(const struct cli_store *stores, int key, const char *argument, const struct argp_state *state);

/** Sets `member` by its row; the offset of the row is ignored. */
void cli_set(const struct cli_store *row, void *member, const char *argument, const struct argp_state *state);

/** The number that an option was given, or a usage error that names the option. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
                    uint64_t most);

/** What an item means, which begins a text of which it takes `length` characters: from 0 on, and -1: nothing. */
typedef int cli_item_read(const char *item, size_t length, void *context);

/** Reads items joined by commas, at most `limit`; returns how many, or -1: they are more, or one means nothing, which is the
 * caller's to say. Two that mean the same are a usage error: what is measured twice would be compared with itself. */
int cli_list(const struct argp_state *state, const char *option, const char *list, cli_item_read *read, void *context,
             int *meanings, int limit);

/** The same for numbers, written to `numbers` in ascending order; also what is no list of them is a usage error. */
int cli_numbers(const struct argp_state *state, const char *option, const char *text, int least, int most, int *numbers,
                int limit);

/** Adds a name to a list: "a, b, c". `text` has `size` bytes, and keeps as many names as fit. */
void cli_add_name(char *text, size_t size, const char *name);

/** Returns the help of an option with the names in the place of its '@', malloc'ed: for argp's help_filter. NULL if out of memory. */
char *cli_help_with(const char *text, const char *names);

/** The same for a number that need not be whole. */
double cli_real(const struct argp_state *state, const char *option, const char *text, double least, double most);

#endif
