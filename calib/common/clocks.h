/* The command `clocks`. It is the same in every program, except that each program contains other clock sources. */
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

/** The ranks' results about the clocks of their nodes, as JSON and as text. NULL: there are no ranks. */
struct cli_clocks_ranks {
    const struct ordo_json *json;
    const char *text;
};

/** The table of the options; they are read into a struct cli_clocks_options. */
extern const struct cli_table cli_clocks_table;

/** Compares the clock sources of this program and prints the result. Returns the exit code. */
int cli_clocks_run(const char *program, const struct cli_clocks_options *options, struct cli_clocks_ranks ranks);

/** The `run` function of a command: reads the options, then calls cli_clocks_run(). */
int cli_clocks(int argc, char **argv);

/** Write the comparison as text, JSON or CSV. Return 0, or -1 if out of memory or if the stream failed. */
int clocks_write_text(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_json(const struct ordo_comparison *comparison, struct cli_clocks_ranks ranks, FILE *stream);
int clocks_write_csv(const struct ordo_comparison *comparison, FILE *stream);

/** Draws a picture with gnuplot: the distribution of the offsets and the Allan deviations. */
int clocks_write_svg(const struct ordo_comparison *comparison, FILE *stream, struct ordo_error *error);

/** Writes the time `at_s` seconds after the beginning of the comparison, as "2026-11-22T17:30:00.123456Z". */
void clocks_format_utc(const struct ordo_comparison *comparison, double at_s, char text[40]);

#endif
