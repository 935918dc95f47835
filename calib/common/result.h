/* The end of a command, and its output: the result goes to stdout, everything else to stderr. */
#ifndef ORDO_COMMON_RESULT_H
#define ORDO_COMMON_RESULT_H

/** Exit codes of all programs of the project. */
enum {
    EXIT_OK = 0,
    EXIT_FAILS = 1,   /* measured, and the property does not hold */
    EXIT_UNKNOWN = 2, /* could not tell whether it holds */
    EXIT_USAGE = 64,
    EXIT_INTERNAL = 70
};

/** Declares that stdout is for JSON of this schema, and never stays empty: the first cli_fail prints an object
 * {"schema", "tool_version", "error": {"code": exit code, "text"}} there. NULL ends this. */
void cli_json(const char *schema);

/** Returns the schema if such an object would still be printed, else NULL. */
const char *cli_owes_json(void);

/** Ends the output: prints "<program>: <text>" on stderr, and the object. Returns `exit_code`. Nothing else may be
 * printed afterwards. */
int cli_fail(int exit_code, const char *program, const char *text);

/** Does the same with a formatted text, cut to 500 characters. */
int cli_failf(int exit_code, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Returns a text in a form that is safe to print on a terminal (ordo_error_tidy): for names of files. Uses four
 * buffers in turn, and keeps 4000 characters. */
const char *cli_show(const char *text);

/** Prints "<program>: <text>" on stderr; the program continues. */
void cli_warn(const char *program, const char *text);

/** Returns EXIT_INTERNAL for a result that was not written, because stdout failed or memory ran out; prints the reason
 * once. */
int cli_fail_output(const char *program);

/** Flushes stdout. Returns EXIT_OK, or EXIT_INTERNAL if stdout failed; prints the reason once. */
int cli_close_stdout(const char *program);

#endif
