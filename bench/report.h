/* The result: tables for people as they come, or one JSON document of schema ordo-bench/1 at the end. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "harness.h"
#include "provenance.h"
#include "json/reader.h"

struct bench_report {
    FILE *stream;
    bool json;                 /* else tables */
    struct ordo_json document; /* with --json */
    bool audit_failed;
    double least_cpu_share; /* of any cell */
    int cpus;               /* that the command runs on */
    bool ratio_titled;      /* the table of ratios has its heading */
    bool added_titled;      /* likewise the heading of the added costs */
};

/** What a command adds to a cell's result, as a new object of numbers and strings. */
typedef struct ordo_json bench_extras(const struct bench_set *set, const struct bench_cell *cell);

/** Begins the report of `command`, on `stream`. */
void bench_report_begin(struct bench_report *report, FILE *stream, const char *command,
                        const struct bench_machine *machine, const struct bench_options *options,
                        const struct bench_boundary *boundary);

/** Adds the results of a set. `extras` may be NULL. */
void bench_report_set(struct bench_report *report, const struct bench_set *set, bench_extras *extras);

/** Reads a result that a command wrote with --json. Returns ORDO_OK with `*document`, the caller's, or a code with `error`, one line:
 * ORDO_E_INVALID if the file is no such result. */
int bench_report_load(const char *path, struct ordo_json_value **document, struct ordo_error *error);

/** Adds the ratio of two cells by name, "get_time/ordo" say; with "@threads" where their thread counts differ. Adds
 * nothing where either was not measured. */
void bench_report_ratio(struct bench_report *report, const struct bench_set *set, const char *of, int of_threads,
                        const char *over, int over_threads);

/** Adds the ratio of what two cells add to a third in nanoseconds per operation, all at `threads`. Adds nothing if one was
 * not measured. */
void bench_report_added_ratio(struct bench_report *report, const struct bench_set *set, const char *of,
                              const char *over, const char *base, int threads);

/** Whether something else ran on the CPUs while the sets so far were measured; says so for people. */
bool bench_report_busy(const struct bench_report *report);
void bench_report_print_busy(const struct bench_report *report);

/** Ends it; returns how the command ends: EXIT_OK, EXIT_FAILS or EXIT_INTERNAL. */
int bench_report_end(struct bench_report *report);

/** Prints why `command` could not do its work, and returns its exit code: EXIT_USAGE if the command line is wrong, else
 * EXIT_UNKNOWN. */
int bench_refuse(const char *command, const struct ordo_error *error);

/** Drops the collected results, after an error. */
void bench_report_abandon(struct bench_report *report);

#endif
