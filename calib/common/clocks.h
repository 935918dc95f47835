/* The command `clocks`, which is the same in every program: only the sources differ that it was built with. */
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

/** What the ranks of the nodes said of their clocks beforehand: as JSON, and as text for people. NULL: there were none. */
struct cli_clocks_ranks {
    const struct ordo_json *json;
    const char *text;
};

/** Reads into a struct cli_clocks_options. */
extern const struct cli_table cli_clocks_table;

/** Compares the clock sources of this program and prints the result. Returns the exit code. */
int cli_clocks_run(const char *program, const struct cli_clocks_options *options, struct cli_clocks_ranks ranks);

/** A command's `run`: both of them. */
int cli_clocks(int argc, char **argv);

/** The comparison as a report: 0, or -1 where memory ran out or the stream failed. */
int clocks_write_text(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_json(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_csv(const struct ordo_comparison *comparison, FILE *stream);

/** A picture: how the offsets are distributed, and the Allan deviations. Drawn by gnuplot. */
int clocks_write_svg(const struct ordo_comparison *comparison, FILE *stream, struct ordo_error *error);

/** The moment `at_s` of a comparison as "2026-11-22T17:30:00.123456Z". */
void clocks_format_utc(const struct ordo_comparison *comparison, double at_s, char text[40]);

#endif
