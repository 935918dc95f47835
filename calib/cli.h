/* What the commands of `ordo` share: exit codes, strict numbers, files and streams of results. */
#ifndef ORDO_CALIB_CLI_H
#define ORDO_CALIB_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "report/report.h"

enum {
    EXIT_OK = 0,
    EXIT_FAILS = 1,   /* measured, and the property does not hold */
    EXIT_UNKNOWN = 2, /* could not tell */
    EXIT_USAGE = 64,
    EXIT_INTERNAL = 70
};

/** A command: `name` as typed, and the whole rest. `argv[0]` is "ordo <name>". Returns the exit code. */
struct command {
    const char *name, *title;
    int (*run)(int argc, char **argv);
};

extern const struct command command_calibrate, command_check, command_clocks, command_show, command_topology;

/** The number that an option was given, or a usage error that names the option and exits 64. */
uint64_t cli_number(struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most);

/** "<program>: <text>" on stderr; returns `exit_code`. */
int cli_fail(int exit_code, const char *program, const char *text);

/** How to write to stdout: in colour on a terminal (unless NO_COLOR is set), and how wide. */
struct ordo_report_style cli_style(void);

/** Writes a report to stdout. Returns EXIT_OK, or EXIT_INTERNAL with a message. */
int cli_print_report(const char *program, const struct ordo_calibration *calibration, const char *report);

/** A report that is to go into the file `path`, as malloc'ed text. */
int cli_render_report(const char *path, const struct ordo_calibration *calibration, const char *report, char **text,
                      size_t *bytes, struct ordo_error *error);

/** Writes a report into a file that appears whole or not at all. */
int cli_save_report(const char *path, const struct ordo_calibration *calibration, const char *report,
                    struct ordo_error *error);

/** Flushes stdout; EXIT_OK, or EXIT_INTERNAL where it could not be written. */
int cli_close_stdout(const char *program);

#endif
