/* The report of a command: tables that are printed as results arrive, or one JSON document of schema ordo-bench/1 at
 * the end. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "harness.h"
#include "provenance.h"
#include "json/reader.h"

struct bench_report {
    FILE *stream;
    bool json;                 /* true: a JSON document; false: tables */
    struct ordo_json document; /* used with --json */
    bool audit_failed;
    double least_cpu_share; /* smallest share of its CPU that any cell had */
    int cpus;               /* number of CPUs of the command */
    bool ratio_titled;      /* true after the heading of the ratios was printed */
    bool added_titled;      /* true after the heading of the added costs was printed */
};

/** Returns a command's additions to the result of a cell, as a new object of numbers and strings. */
typedef struct ordo_json bench_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Begins the report of `command`, on `stream`. */
void bench_report_begin(struct bench_report *report, FILE *stream, const char *command,
                        const struct bench_machine *machine, const struct bench_options *options,
                        const struct bench_boundary *boundary);

/** Adds the results of a set to the report. `extras` may be NULL. */
void bench_report_set(struct bench_report *report, const struct bench_set *set, bench_extras *extras);

/** Reads a result that a command wrote with --json.
 * ORDO_OK: `*document` belongs to the caller. ORDO_E_INVALID: the file is not such a result; `error` has a message.
 * Other codes: `error` has a message. */
int bench_report_load(const char *path, struct ordo_json_value **document, struct ordo_error *error);

/** Adds the ratio of two cells, named for example "get_time/ordo"; the names get "@threads" if the thread counts
 * differ. Adds nothing if either cell was not measured. */
void bench_report_ratio(struct bench_report *report, const struct bench_set *set, const char *of, int of_threads,
                        const char *over, int over_threads);

/** Adds the ratio of the costs that two cells add to a third cell, in nanoseconds per operation, all at `threads`. Adds
 * nothing if one of the cells was not measured. */
void bench_report_added_ratio(struct bench_report *report, const struct bench_set *set, const char *of,
                              const char *over, const char *base, int threads);

/** True if other programs ran on the CPUs during the measurements so far. In a report of tables, also prints a
 * warning. */
bool bench_report_busy(const struct bench_report *report);
void bench_report_print_busy(const struct bench_report *report);

/** Ends the report. Returns the exit code of the command: EXIT_OK, EXIT_FAILS or EXIT_INTERNAL. */
int bench_report_end(struct bench_report *report);

/** Prints why `command` failed, and returns its exit code: EXIT_USAGE if the command line is wrong, else
 * EXIT_UNKNOWN. */
int bench_refuse(const char *command, const struct ordo_error *error);

/** Discards the report after an error. */
void bench_report_abandon(struct bench_report *report);

#endif
