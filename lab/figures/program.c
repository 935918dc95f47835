#include "lab/figures/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "common/call.h"

enum { ARGUMENTS = 60, OUTPUT_BYTES = 64 << 20, COMMAND_TEXT = 80 };

static const int64_t most_ns = 300 * (int64_t)1000000000;

/* Launchers of MPI search their helpers in $PATH, and Open MPI runs as root only with both of its variables. If the
 * program fails, the last line of the output is the first of its errors that has a letter. */
static const char script[] =
    "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; exec 3>&1; "
    "errors=$(\"$@\" 2>&1 >&3 3>&-); code=$?; [ $code -gt 1 ] || exit 0; "
    "printf '\\nexit %s: %s' $code \"$(printf %s \"$errors\" | grep -m 1 '[[:alpha:]]')\"; exit 1";

/* The command line for messages: each argument and the whole are cut. */
static void command_text(const char *const *arguments, char text[COMMAND_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (; *arguments && used < COMMAND_TEXT - 1; arguments++)
        used += (size_t)snprintf(text + used, COMMAND_TEXT - used, "%s%.20s", used ? " " : "", *arguments);
}

/* Why the program failed, from the last line of its output. */
static const char *reason_text(const char *text)
{
    const char *line = strrchr(text, '\n');
    return line && strncmp(line, "\nexit ", 6) == 0 ? line + 1 : "no end within 5 minutes, or more than 64 MiB";
}

static int read_document(const char *const *arguments, const char *text, ptrdiff_t bytes,
                         struct ordo_json_value **document, struct ordo_error *error)
{
    char command[COMMAND_TEXT];
    struct ordo_json_fault fault = {0};
    command_text(arguments, command);
    if (bytes < 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "'%s' failed, %s", command, reason_text(text));
    int code = ordo_json_read(text, (size_t)bytes, document, &fault);
    if (code == -1)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "'%s' printed no JSON document: %s: %s", command, fault.path,
                              fault.found);
    return code ? ordo_error_errno(error, "%s", command) : ORDO_OK;
}

int ordo_figure_program(const char *const *arguments, struct ordo_json_value **document, struct ordo_error *error)
{
    const char *all[ARGUMENTS + 5] = {"/bin/sh", "-c", script, "sh"};
    char beside[PATH_MAX];
    int count = 4;
    *document = NULL;
    for (int i = 0; arguments[i] && count < ARGUMENTS + 4; i++)
        all[count++] = arguments[i];
    if (cli_beside(arguments[0], beside, sizeof beside))
        all[4] = beside;
    char *text = malloc(OUTPUT_BYTES);
    if (!text)
        return ordo_error_errno(error, "%s", arguments[0]);
    int code = read_document(arguments, text, ordo_output_of(all, most_ns, text, OUTPUT_BYTES), document, error);
    free(text);
    return code;
}
