/* Two reports side by side, in nanoseconds, because their counters tick at different rates. */
#ifndef ORDO_CALIBRATE_COLLECTION_COMPARE_H
#define ORDO_CALIBRATE_COLLECTION_COMPARE_H

#include <stdio.h>

#include "calibrate/collection/report.h"

enum { ORDO_COMPARED_MOST = 24, ORDO_COMPARED_NOTES = 8 };

/** One quantity of both reports. */
struct ordo_compared {
    char name[40];    /* "boundary_ns", "delta_l3_ns": a key of JSON, with the unit at its end */
    const char *text; /* for people, without the unit */
    const char *what; /* the distance, "same core" and the like; NULL if the quantity has none */
    double a, b;      /* NAN: not in the report */
};

/** The compared quantities, and causes of differences that are not properties of the clocks. */
struct ordo_compared_reports {
    struct ordo_compared rows[ORDO_COMPARED_MOST];
    int count;
    const char *notes[ORDO_COMPARED_NOTES];
    int note_count;
};

/** Compares two reports that passed ordo_collection_judge. Pure. */
void ordo_collection_compare(const struct ordo_collection_report *a, const struct ordo_collection_report *b,
                             struct ordo_compared_reports *comparison);

/** Returns B divided by A; NAN if either is unknown, or if a ratio makes no sense (A is 0, or one is negative). */
double ordo_collection_factor(const struct ordo_compared *row);

/** Writes a table for people. */
void ordo_collection_write_table(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                                 const struct ordo_collection_report *b, FILE *stream);

/** Writes the comparison as schema ordo-report-comparison/1. 0, or -1 if the stream or memory failed. */
int ordo_collection_write_json(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                               const struct ordo_collection_report *b, FILE *stream);

#endif
