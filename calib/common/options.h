/* A command's options: strict, with the same help everywhere, and one line about what is wrong. */
#ifndef ORDO_COMMON_OPTIONS_H
#define ORDO_COMMON_OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "result.h"

/** Parses a command's own arguments; argv[0] is its name. Adds -h, --help, --usage and -V, --version. Long options are
 * taken only whole: what `--run` abbreviates today may be another tomorrow. What is wrong ends the program with one
 * line and EXIT_USAGE, and with --json on the command line with the object of cli_fail. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** "<command>: <text>", and the end of the program with EXIT_USAGE: for parsers. */
_Noreturn void cli_wrong(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The number that an option was given, or a usage error that names the option. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
                    uint64_t most);

/** The same for numbers joined by commas: at most `limit`, written to `numbers` in ascending order, each once; returns
 * how many. */
int cli_numbers(const struct argp_state *state, const char *option, const char *text, int least, int most, int *numbers,
                int limit);

/** The same for a number that need not be whole. */
double cli_real(const struct argp_state *state, const char *option, const char *text, double least, double most);

#endif
