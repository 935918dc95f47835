/* What the commands of ordo-trace share: which files, of which form, with which columns. */
#ifndef ORDO_TRACE_INPUTS_H
#define ORDO_TRACE_INPUTS_H

#include "common/command.h"
#include "common/options.h"
#include "trace/correct/traces.h"

enum { INPUTS_FROM = 1000, INPUTS_COLUMN, INPUTS_PARTIAL };

/** A child of a command's parser; its input is a struct ordo_traces_options that holds inputs_defaults(). */
extern const struct argp inputs_argp;

/** The names of all methods, "a, b, c". */
const char *inputs_methods(void);

/** The same of all forms that are read, or of those that are `written` too. */
const char *inputs_forms(bool written);

struct ordo_traces_options inputs_defaults(void);

/** Takes ARGP_KEY_ARG and ARGP_KEY_END for the files of the command line, at least one; else ARGP_ERR_UNKNOWN. */
error_t inputs_parse_files(int key, struct argp_state *state, struct ordo_traces_options *options);

/** Ends a command that failed: EXIT_USAGE where the command line is wrong or a file is malformed, EXIT_FAILS where clocks or
 * messages contradict each other, EXIT_INTERNAL. */
int inputs_fail(const char *program, const struct ordo_error *error);

#endif
