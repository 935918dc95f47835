/* Reports of the `ordo` commands, on stdout and in files. */
#ifndef ORDO_COMMON_REPORT_H
#define ORDO_COMMON_REPORT_H

#include "base/error.h"
#include "calibrate/report/report.h"
#include "common/command.h"
#include "common/options.h"

/** Returns the style for stdout: its width, and whether to use colours (only on a terminal, and not if NO_COLOR is
 * set). */
struct ordo_report_style cli_style(void);

/** Writes a report to stdout. Returns EXIT_OK, or EXIT_INTERNAL with a message. */
int cli_print_report(const char *program, const struct ordo_calibration *calibration, const char *report);

/** Makes the text of a report for the file `path`. The text is malloc'ed. */
int cli_render_report(const char *path, const struct ordo_calibration *calibration, const char *report, char **text,
                      size_t *bytes, struct ordo_error *error);

/** Writes a report to a file. The file appears only when it is complete. */
int cli_save_report(const char *path, const struct ordo_calibration *calibration, const char *report,
                    struct ordo_error *error);

#endif
