#include "report.h"

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
        return cli_fail_output(program);
    return cli_close_stdout(program);
}

int cli_render_report(const char *path, const struct ordo_calibration *calibration, const char *report, char **text,
                      size_t *bytes, struct ordo_error *error)
{
    FILE *stream = open_memstream(text, bytes);
    if (!stream)
        return ordo_error_errno(error, "%s", path);
    int failed = ordo_report_find(report)->write(calibration, (struct ordo_report_style){.width = 80}, stream);
    failed |= fclose(stream);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path) : ORDO_OK;
}

int cli_save_report(const char *path, const struct ordo_calibration *calibration, const char *report,
                    struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    int code = cli_render_report(path, calibration, report, &text, &bytes, error);
    if (!code)
        code = ordo_file_replace(path, text, bytes, 0644, error);
    free(text);
    return code;
}
