/* Explains a verification in words: the reasons of a verdict, the remedy, and the hierarchy to use. */
#ifndef ORDO_CLUSTER_REPORT_WORDS_H
#define ORDO_CLUSTER_REPORT_WORDS_H

#include "base/span.h"
#include "cluster/mpi/verify.h"

/** A verification, with the facts that explain it. */
struct ordo_verify_result {
    const struct ordo_verify *verify;
    const struct ordo_node_clock *clocks;
    const double *boundaries_ns; /* per rank: published boundary of its machine's hardware clock; 0: none */
};

enum { ORDO_VERIFY_REASONS = 9 };

/** Writes the reasons of a clock's verdict on a node. Each reason is a sentence, which the caller must free. Returns
 * the number of reasons. */
int ordo_verify_reasons(const struct ordo_verify_result *result, int node, int clock,
                        char *reasons[ORDO_VERIFY_REASONS]);

/** Returns the remedy for these reasons; "" if nothing needs to be done. */
const char *ordo_verify_remedy(const struct ordo_verify_result *result, int node, int clock, char *text, size_t size);

/** Returns the hierarchy that this clock allows:
 * "copy": one model per node
 * "socket": one model per socket
 * "measure": one model per rank */
const char *ordo_verify_hierarchy(const struct ordo_verify_result *result, int clock);

/** Returns the clock to use on all nodes. The clocks have an order of preference, which begins with the hardware clock;
 * the first clock that is not refuted decides:
 * its index: it is valid
 * -1: the verdict on the clock is inconclusive (a busy machine is no reason to choose a clock that people set), or all
 *     clocks are refuted */
int ordo_verify_best_clock(const struct ordo_verify_result *result);

/** Returns the name of a clock, followed by a remark if the clock can be stepped. */
const char *ordo_verify_clock_words(const struct ordo_clock_source *source, char text[96]);

#endif
