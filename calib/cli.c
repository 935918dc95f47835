#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

static int terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    int width = columns ? atoi(columns) : 0;
    return width > 0 ? width : 80;
}

struct ordo_report_style cli_style(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (struct ordo_report_style){
        .colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0,
        .width = terminal_width(),
    };
}

int cli_print_report(const char *program, const struct ordo_calibration *calibration, const char *report)
{
    if (ordo_report_find(report)->write(calibration, cli_style(), stdout) != 0)
        return cli_fail(EXIT_INTERNAL, program, "out of memory");
    return cli_close_stdout(program);
}

int cli_save_report(const char *path, const struct ordo_calibration *calibration, const char *report,
                    struct ordo_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int failed = ordo_report_find(report)->write(calibration, (struct ordo_report_style){.width = 80}, stream);
    failed |= fclose(stream);
    int code = failed ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path)
                      : ordo_file_replace(path, text, size, 0644, error);
    free(text);
    return code;
}
