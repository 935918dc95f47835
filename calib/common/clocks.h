/* The command `clocks`, which is the same in every program; only the clock sources in the build differ. */
#ifndef ORDO_COMMON_CLOCKS_H
#define ORDO_COMMON_CLOCKS_H

#include "common/command.h"
#include "common/table.h"
#include "machine/comparison/comparison.h"
#include "json/builder.h"

struct cli_clocks_options {
    double seconds;
    const char *cpus, *phc, *svg;
    bool json, csv, quiet;
};

/** The result of the ranks of the nodes about their clocks, as JSON and as text for people. NULL: no ranks. */
struct cli_clocks_ranks {
    const struct ordo_json *json;
    const char *text;
};

/** Reads into a struct cli_clocks_options. */
extern const struct cli_table cli_clocks_table;

/** Compares the clock sources of this program and prints the result. Returns the exit code. */
int cli_clocks_run(const char *program, const struct cli_clocks_options *options, struct cli_clocks_ranks ranks);

/** Implements a command's `run`: reads the options and compares. */
int cli_clocks(int argc, char **argv);

/** Writes the comparison as a report. Returns 0, or -1 if out of memory or if the stream failed. */
int clocks_write_text(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_json(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_csv(const struct ordo_comparison *comparison, FILE *stream);

/** Draws a picture with gnuplot: the distribution of the offsets, and the Allan deviations. */
int clocks_write_svg(const struct ordo_comparison *comparison, FILE *stream, struct ordo_error *error);

/** Formats the moment `at_s` of a comparison as "2026-11-22T17:30:00.123456Z". */
void clocks_format_utc(const struct ordo_comparison *comparison, double at_s, char text[40]);

#endif
