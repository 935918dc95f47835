#include "result.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <ordo/error.h>

#include "json/builder.h"

static const char *json_schema; /* NULL: errors do not go to stdout */

void cli_json(const char *schema)
{
    json_schema = schema;
}

const char *cli_owes_json(void)
{
    return json_schema;
}

const char *cli_show(const char *text)
{
    enum { TEXTS = 4, BYTES = 4200 };
    static char shown[TEXTS][BYTES];
    static unsigned turn;
    char *at = shown[turn++ % TEXTS];
    (void)snprintf(at, BYTES, "%s", text);
    ordo_error_tidy(at);
    return at;
}

void cli_warn(const char *program, const char *text)
{
    fprintf(stderr, "%s: %s\n", program, cli_show(text));
}

int cli_fail(int exit_code, const char *program, const char *text)
{
    cli_warn(program, text);
    if (!json_schema)
        return exit_code;
    struct ordo_json document = ordo_json_document(json_schema), object = ordo_json_object();
    json_schema = NULL;
    ordo_json_put_int(&object, "code", exit_code);
    ordo_json_put_text(&object, "text", cli_show(text));
    ordo_json_put(&document, "error", object);
    (void)ordo_json_write(&document, stdout);
    return cli_close_stdout(program) ? EXIT_INTERNAL : exit_code;
}

int cli_failf(int exit_code, const char *program, const char *format, ...)
{
    char text[501];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cli_fail(exit_code, program, text);
}

int cli_close_stdout(const char *program)
{
    static bool said;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_OK;
    if (!said)
        cli_warn(program, "stdout: the result could not be written");
    said = true;
    return EXIT_INTERNAL;
}

int cli_fail_output(const char *program)
{
    return cli_close_stdout(program) ? EXIT_INTERNAL : cli_fail(EXIT_INTERNAL, program, "out of memory");
}
