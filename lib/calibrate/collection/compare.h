/* A comparison of two reports, in nanoseconds, because their counters have different rates. */
#ifndef ORDO_CALIBRATE_COLLECTION_COMPARE_H
#define ORDO_CALIBRATE_COLLECTION_COMPARE_H

#include <stdio.h>

#include "calibrate/collection/report.h"

enum { ORDO_COMPARED_MOST = 24, ORDO_COMPARED_NOTES = 8 };

/** One quantity of both reports. */
struct ordo_compared {
    char name[40];    /* a JSON key with its unit, such as "boundary_ns" or "delta_l3_ns" */
    const char *text; /* the name in words, without the unit */
    const char *what; /* the distance, such as "same core"; NULL if the quantity has none */
    double a, b;      /* values in the two reports; NAN: not in the report */
};

/** The compared quantities, and causes of differences that are not properties of the clocks. */
struct ordo_compared_reports {
    struct ordo_compared rows[ORDO_COMPARED_MOST];
    int count;
    const char *notes[ORDO_COMPARED_NOTES];
    int note_count;
};

/** Compares two reports that passed ordo_collection_judge. A pure function. */
void ordo_collection_compare(const struct ordo_collection_report *a, const struct ordo_collection_report *b,
                             struct ordo_compared_reports *comparison);

/** Returns b / a; NAN if a or b is unknown, if a is 0, or if a or b is negative. */
double ordo_collection_factor(const struct ordo_compared *row);

/** Writes the comparison as a table of text. */
void ordo_collection_write_table(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                                 const struct ordo_collection_report *b, FILE *stream);

/** Writes the comparison as JSON, schema ordo-report-comparison/1. Returns 0, or -1 if the stream failed or memory ran
 * out. */
int ordo_collection_write_json(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                               const struct ordo_collection_report *b, FILE *stream);

#endif
