/* Explains a verification in words: the reasons, the remedy, and the hierarchy to use. */
#ifndef ORDO_CLUSTER_REPORT_WORDS_H
#define ORDO_CLUSTER_REPORT_WORDS_H

#include "cluster/mpi/verify.h"
#include "cluster/report/span.h"

/** A verification, with the facts that explain it. */
struct ordo_verify_result {
    const struct ordo_verify *verify;
    const struct ordo_node_clock *clocks;
    const double *boundaries_ns; /* per rank: the boundary published for the hardware clock of its machine; 0: none */
};

enum { ORDO_VERIFY_REASONS = 9 };

/** Writes the reasons of one clock's verdict on one node, each a sentence that the caller frees. Returns their
 * number. */
int ordo_verify_reasons(const struct ordo_verify_result *result, int node, int clock,
                        char *reasons[ORDO_VERIFY_REASONS]);

/** Returns the remedy for these reasons; "" if nothing needs to be done. */
const char *ordo_verify_remedy(const struct ordo_verify_result *result, int node, int clock, char *text, size_t size);

/** Returns the hierarchy that this clock allows: "copy" (one model per node), "socket" (one per socket) or "measure"
 * (every rank). */
const char *ordo_verify_hierarchy(const struct ordo_verify_result *result, int clock);

/** Returns the clock to use on all nodes, or -1. Returns another clock than the hardware's only if the hardware clock,
 * and every clock before the returned one, is refuted: an inconclusive verdict on a busy machine is no reason to choose
 * a clock that people set. */
int ordo_verify_best_clock(const struct ordo_verify_result *result);

/** Returns the name of a clock, and says so if the clock can be stepped. */
const char *ordo_verify_clock_words(const struct ordo_clock_source *source, char text[96]);

#endif
