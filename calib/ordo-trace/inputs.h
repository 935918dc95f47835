/* Shared options of the commands of ordo-trace: the files, their form, and their columns. */
#ifndef ORDO_TRACE_INPUTS_H
#define ORDO_TRACE_INPUTS_H

#include "common/command.h"
#include "common/options.h"
#include "trace/correct/traces.h"

enum { INPUTS_FROM = 1000, INPUTS_COLUMN, INPUTS_PARTIAL, INPUTS_STRICT, INPUTS_UNIT };

/** A child of a command's parser; its input is a struct ordo_traces_options that holds inputs_defaults(). */
extern const struct argp inputs_argp;

/** Returns the names of all methods, "a, b, c". */
const char *inputs_methods(void);

/** Returns the names of all forms that can be read; if `written`, only of those that can also be written. */
const char *inputs_forms(bool written);

/** Returns the default options, which print the oddities of each file to stderr. */
struct ordo_traces_options inputs_defaults(void);

/** Prints a line for each kind of oddity of a file. */
void inputs_tell_odds(FILE *stream, const struct ordo_reader *reader, const char *before);

/** Takes the files of the command line from ARGP_KEY_ARG, and checks at ARGP_KEY_END that there is at least one.
 * Returns ARGP_ERR_UNKNOWN for any other key. */
error_t inputs_parse_files(int key, struct argp_state *state, struct ordo_traces_options *options);

/** Checks that an output, which is not NULL, replaces none of `count` input files. An input may be NULL.
 *
 * 0: the output is another file, or stdout
 * ORDO_E_INVALID: it is an input */
int inputs_spare(const char *output, const char *const *inputs, int count, struct ordo_error *error);

/** Ends a command that failed. Prints the error and returns:
 *
 * EXIT_USAGE: the command line is wrong, or a file is malformed
 * EXIT_FAILS: clocks or messages contradict each other
 * EXIT_INTERNAL: any other error */
int inputs_fail(const char *program, const struct ordo_error *error);

#endif
