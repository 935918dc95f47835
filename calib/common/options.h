/* The options of a command. Parsing is strict, the help looks the same everywhere, and an error is one line. */
#ifndef ORDO_COMMON_OPTIONS_H
#define ORDO_COMMON_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/** Parses a command's own arguments; argv[0] is the name of the command. Adds -h, --help, --usage and -V, --version.
 * Refuses abbreviated long options, because an abbreviation of `--run` may become ambiguous or change its meaning in
 * another version. An error ends the program with one line and EXIT_USAGE; if --json is on the command line, the error
 * is also printed as JSON (see cli_json). */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** For parsers: prints "<command>: <text>" and ends the program with EXIT_USAGE. */
_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** An option that only sets a member of the parser's input: a flag, a text, or a number from `least` to `most`. */
struct cli_store {
    int key;
    const char *option; /* "--runs", for error messages; NULL: end of the table */
    enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_INT, CLI_WHOLE, CLI_REAL } kind;
    size_t offset;
    double least, most;
};

/** The kind of value of a member, by its type. An int option without a value on the command line is a flag. Numbers are
 * never negative. */
#define CLI_KIND(member)                                                                                               \
    _Generic((member), bool : CLI_FLAG, const char * : CLI_TEXT, int : CLI_INT, uint64_t : CLI_WHOLE,                  \
             int64_t : CLI_WHOLE, double : CLI_REAL)

/** A row of a table of struct cli_store, for a member of the struct `input`. */
#define CLI_STORE(key, option, input, member, least, most)                                                             \
    {                                                                                                                  \
        key, option, CLI_KIND(((input *)0)->member), offsetof(input, member), least, most                              \
    }
#define CLI_FLAG_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 1)
#define CLI_TEXT_STORE(key, option, input, member) CLI_STORE(key, option, input, member, 0, 0)

/** Sets the member that the table names for `key`. Call it in the default case of a parser. A value out of range is a
 * usage error. ARGP_ERR_UNKNOWN: the table has no such key. */
error_t cli_store(const struct cli_store *stores, int key, const char *argument, const struct argp_state *state);

/** Sets `*member` as `row` says, but ignores the row's offset. */
void cli_set(const struct cli_store *row, void *member, const char *argument, const struct argp_state *state);

/** Returns the value of a numeric option. A malformed value is a usage error that names the option. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
                    uint64_t most);

/** Returns the meaning of an item, a number >= 0; or -1 if the item has no meaning. The item is the first `length`
 * characters of `item`. */
typedef int cli_item_read(const char *item, size_t length, void *context);

/** Reads at most `limit` items separated by commas. Two items with the same meaning are a usage error, because the
 * command would compare a measurement with itself. Returns the number of items. Returns -1 if there are more items or
 * if one has no meaning; the caller must report that. */
int cli_list(const struct argp_state *state, const char *option, const char *list, cli_item_read *read, void *context,
             int *meanings, int limit);

/** Reads a list of numbers like cli_list, and writes the numbers to `numbers` in ascending order. A malformed list is a
 * usage error, too. */
int cli_numbers(const struct argp_state *state, const char *option, const char *text, int least, int most, int *numbers,
                int limit);

/** Appends a name to a list, as in "a, b, c". `text` has `size` bytes; names that do not fit are dropped. */
void cli_add_name(char *text, size_t size, const char *name);

/** Returns a copy of an option's help in which '@' is replaced by the names: for argp's help_filter. The copy is
 * malloc'ed; NULL if out of memory. */
char *cli_help_with(const char *text, const char *names);

/** Returns the value of a numeric option like cli_number; the number may have a fraction. */
double cli_real(const struct argp_state *state, const char *option, const char *text, double least, double most);

#endif
