/* A verification in words: why, what to do, and which hierarchy to use. */
#ifndef ORDO_CLUSTER_REPORT_WORDS_H
#define ORDO_CLUSTER_REPORT_WORDS_H

#include "cluster/mpi/verify.h"
#include "cluster/report/span.h"

/** A verification with what is needed to talk about it. */
struct ordo_verify_result {
    const struct ordo_verify *verify;
    const struct ordo_node_clock *clocks;
    const double *boundaries_ns; /* per rank: what is published for the hardware clock where it runs; 0 for nothing */
};

enum { ORDO_VERIFY_REASONS = 9 };

/** The reasons of one clock's verdict on one node, each a sentence that the caller frees; returns how many. */
int ordo_verify_reasons(const struct ordo_verify_result *result, int node, int clock,
                        char *reasons[ORDO_VERIFY_REASONS]);

/** What to do about them; "" where nothing needs to be done. */
const char *ordo_verify_remedy(const struct ordo_verify_result *result, int node, int clock, char *text, size_t size);

/** "copy" (one model per node), "socket" (one per socket) or "measure" (every rank): what this clock allows. */
const char *ordo_verify_hierarchy(const struct ordo_verify_result *result, int clock);

/** The clock to use on all nodes, or -1. Another than the hardware's only where that one, and all before it, are
 * refuted: what could not be told on a busy machine is no reason to take a clock that people set. */
int ordo_verify_best_clock(const struct ordo_verify_result *result);

/** Its name, and where that is so that it can be stepped. */
const char *ordo_verify_clock_words(const struct ordo_clock_source *source, char text[96]);

#endif
