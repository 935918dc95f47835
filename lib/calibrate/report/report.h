/* The result of a calibration in the form of this folder's members: text, JSON, CSV, SVG, a C header. */
#ifndef ORDO_CALIBRATE_REPORT_REPORT_H
#define ORDO_CALIBRATE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "calibrate/record/calibration.h"

struct ordo_report_style {
    bool colour; /* terminal escapes may be used */
    int width;   /* columns of the terminal */
};

struct ordo_report {
    const char *name;
    const char *title;
    /* 0, or -1 where memory ran out; whether the stream failed is for the caller to ask. */
    int (*write)(const struct ordo_calibration *calibration, struct ordo_report_style style, FILE *stream);
};

/** All reports, ending with NULL; generated from the files of this folder. */
extern const struct ordo_report *const ordo_reports[];

/** The report of this name, or NULL. */
const struct ordo_report *ordo_report_find(const char *name);

/** Deltas within one distance class, in ticks. */
struct ordo_class_summary {
    int pairs; /* 0: no pair is that far apart */
    int64_t min, median, max;
};

/** Both directions of all pairs of the class (enum ordo_distance). */
struct ordo_class_summary ordo_report_class(const struct ordo_calibration *calibration, int distance);

#endif
