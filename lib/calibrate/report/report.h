/* The result of a calibration in one of several formats: text, JSON, CSV, SVG, a C header. Each has a file in this
 * folder. */
#ifndef ORDO_CALIBRATE_REPORT_REPORT_H
#define ORDO_CALIBRATE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "calibrate/record/calibration.h"

struct ordo_report_style {
    bool colour; /* true: terminal escapes may be used */
    int width;   /* width of the terminal in columns */
};

struct ordo_report {
    const char *name;
    const char *title;
    /* Returns 0, or -1 if out of memory; the caller checks whether the stream failed. */
    int (*write)(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream);
};

/** All reports, ending with NULL; generated from the files of this folder. */
extern const struct ordo_report *const ordo_reports[];

/** Returns the report of this name, or NULL. */
const struct ordo_report *ordo_report_find(const char *name);

/** A summary of the deltas of one distance class, in ticks. */
struct ordo_class_summary {
    int pairs; /* number of pairs; 0: there are no pairs of this distance */
    int64_t min, median, max;
};

/** Summarises both directions of all pairs of the class (enum ordo_distance). */
struct ordo_class_summary ordo_report_class(const struct ordo_calibration *calibration, int distance);

#endif
