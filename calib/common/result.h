/* How a command ends, and what it says then: the result on stdout, everything else on stderr. */
#ifndef ORDO_COMMON_RESULT_H
#define ORDO_COMMON_RESULT_H

/** How every program of the project exits. */
enum {
    EXIT_OK = 0,
    EXIT_FAILS = 1,   /* measured, and the property does not hold */
    EXIT_UNKNOWN = 2, /* could not tell */
    EXIT_USAGE = 64,
    EXIT_INTERNAL = 70
};

/** From now on stdout is for JSON of this schema, and never stays empty: the first cli_fail prints an object
 * {"schema", "tool_version", "error": {"code": exit code, "text"}} there. NULL: no more. */
void cli_json(const char *schema);

/** The schema of that object while it is still to come, else NULL. */
const char *cli_owes_json(void);

/** The end: "<program>: <text>" on stderr, and the object. Returns `exit_code`. Nothing else may be printed then. */
int cli_fail(int exit_code, const char *program, const char *text);

/** The same with a formatted text, of which 500 characters are kept. */
int cli_failf(int exit_code, const char *program, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The text as it may be printed on a terminal (ordo_error_tidy): for names of files. One of four buffers, which are used in
 * turn; 4000 characters are kept. */
const char *cli_show(const char *text);

/** "<program>: <text>" on stderr, and on it goes. */
void cli_warn(const char *program, const char *text);

/** EXIT_INTERNAL, for a result that was not written: said once, whether stdout failed or memory ran out. */
int cli_fail_output(const char *program);

/** Flushes stdout; EXIT_OK, or EXIT_INTERNAL where it could not be written, which is said once. */
int cli_close_stdout(const char *program);

#endif
