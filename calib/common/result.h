/* The output and the end of a command: the result goes to stdout, everything else to stderr. */
#ifndef ORDO_COMMON_RESULT_H
#define ORDO_COMMON_RESULT_H

/** Exit codes of all programs of the project. */
enum {
    EXIT_OK = 0,
    EXIT_FAILS = 1,   /* measured; the property does not hold */
    EXIT_UNKNOWN = 2, /* unknown whether the property holds */
    EXIT_USAGE = 64,
    EXIT_INTERNAL = 70
};

/** Declares that stdout is for JSON of this schema. The first cli_fail then prints an object {"schema", "tool_version",
 * "error": {"code": exit code, "text"}} on stdout, so that stdout is never empty. cli_json(NULL) ends this. */
void cli_json(const char *schema);

/** Returns the schema if cli_fail would print such an object, else NULL. */
const char *cli_owes_json(void);

/** Ends the output: prints "<program>: <text>" on stderr, and the JSON object if cli_json was called. Returns
 * `exit_code`. The caller must not print anything afterwards. */
int cli_fail(int exit_code, const char *program, const char *text);

/** Formats a text, cuts it to 500 characters, and calls cli_fail. */
int cli_failf(int exit_code, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Returns a copy of a text that is safe to print on a terminal (ordo_error_tidy), for example a file name. Keeps 4000
 * characters. The copy is in one of four buffers that are reused in turn. */
const char *cli_show(const char *text);

/** Prints "<program>: <text>" on stderr; the program continues. */
void cli_warn(const char *program, const char *text);

/** Reports a result that was not written, because stdout failed or memory ran out. Prints the reason once. Returns
 * EXIT_INTERNAL. */
int cli_fail_output(const char *program);

/** Flushes stdout. Returns EXIT_OK, or EXIT_INTERNAL if stdout failed; prints the reason once. */
int cli_close_stdout(const char *program);

#endif
