/* The readers of this form, and its version. */
#include <inttypes.h>

#include "calibrate/report/report.h"

static int write_NAME(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream)
{
    (void)style;
    fprintf(stream, "NAME 1\nboundary_ticks %" PRIu64 "\n", calibration->boundary_ticks);
    return 0;
}

const struct ordo_report ordo_report_NAME = {"NAME", "one line for people", write_NAME};
