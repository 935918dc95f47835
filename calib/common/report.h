/* What the commands of `ordo` share: reports on stdout and in files. */
#ifndef ORDO_COMMON_REPORT_H
#define ORDO_COMMON_REPORT_H

#include "base/error.h"
#include "calibrate/report/report.h"
#include "common/command.h"
#include "common/options.h"

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

#endif
