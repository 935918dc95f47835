/* The offsets of all pairs of hosts in a window, and their limits, in five formats: a table and lines, JSON, a drawing
 * and Prometheus text. */
#ifndef ORDO_NET_PAIRS_H
#define ORDO_NET_PAIRS_H

#include <stdio.h>

#include "ordo-net/measured.h"
#include "json/builder.h"

/** The hosts to show if not all can be shown: at most `most`, in the order of their numbers. Hosts with the most pairs
 * that exceed a limit come first in the choice, then hosts with undecided pairs, then the largest offsets.
 * Returns an array, malloc'ed, and the count; NULL if out of memory. */
int *pairs_choose(const struct measured *measured, int most, int *count);

enum { PAIR_TEXT = 1024 };

/** Describes the finding about a pair a < b and a limit, as a line without a newline: the hosts, their distance and the
 * limit; or the reason why the pair is undecided. Returns `text`. */
const char *pairs_describe(const struct measured *measured, enum alarm_kind kind, int a, int b, char text[PAIR_TEXT]);

/** Prints a table of all pairs; if there are limits, also a line for each pair that exceeds one, a line for each
 * undecided pair, and the numbers of both. */
void pairs_print(const struct measured *measured);

/** Returns the numbers of pairs with each finding as a phrase. */
const char *pairs_sum(const struct measured *measured, enum alarm_kind kind, char text[PAIR_TEXT]);

/** Sets the keys "limits" and "pairs". */
void pairs_put_json(const struct measured *measured, struct ordo_json *document);

void pairs_put_metrics(const struct measured *measured, FILE *stream);

/** Draws the table, and writes it to the file `path`, which appears completely or not at all. */
int pairs_write_svg(const struct measured *measured, const char *path, struct ordo_error *error);

#endif
