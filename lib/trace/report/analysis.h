/* The analysis of a trace in global time: in which calls the ranks spend their time and wait, and which ranks are
 * late. */
#ifndef ORDO_TRACE_REPORT_ANALYSIS_H
#define ORDO_TRACE_REPORT_ANALYSIS_H

#include "trace/causal/match.h"
#include "trace/correct/traces.h"
#include "trace/event/names.h"
#include "trace/event/ranks.h"
#include "trace/report/regions.h"

/** A call site: the regions of one name. */
struct ordo_call {
    uint64_t count;
    double total_ns, longest_ns;
    double busiest_ns; /* time of the rank that spends the most time in the call */
    /* Sum and maximum of the waiting times: for the last rank that enters a collective, or for a late message. */
    double wait_ns, wait_longest_ns;
    uint64_t waits;
};

/** One collective operation of all its ranks. */
struct ordo_gathering {
    uint32_t name;
    uint32_t ranks; /* the number of ranks that have entered the collective */
    int last;       /* the index of the rank that entered last; -1: none */
    int64_t first_begin_ns, last_begin_ns, first_end_ns, last_end_ns;
    /* The least of all ranks' latest times, and the largest of all ranks' earliest times. If earliest - latest is
     * positive, two ranks are certainly at least this far apart. */
    int64_t begin_latest_ns, begin_earliest_ns, end_latest_ns, end_earliest_ns;
    double begin_sum_ns; /* sum of (begin - base_ns) over all ranks; base_ns: time of the first event that was taken */
    int64_t base_ns;
};

struct ordo_analysis {
    struct ordo_names names;
    struct ordo_call *calls; /* by the number of the name */
    uint32_t call_room;
    struct ordo_gathering *gatherings;
    size_t gathering_count, gathering_room;
    struct ordo_ranks ranks; /* the ranks that have events */
    int *order;              /* their indices, the lowest rank first */
    uint64_t *rank_events;   /* number of events, by the index of the rank */
    int rank_room;
    int64_t first_ns, last_ns; /* time of the first event, and of the last event or end of a span */
    uint64_t events;
    struct ordo_causality causality;
};

/** Reads all events of traces that were started. */
int ordo_analysis_make(struct ordo_analysis *analysis, struct ordo_traces *traces, struct ordo_error *error);

/** Analyses the time from begin_ns up to end_ns: a region and a wait count with their part in this time, a message if it
 * was received in it, a collective if the last rank entered in it. The counts of `causality` are those of the whole
 * trace. */
int ordo_analysis_make_within(struct ordo_analysis *analysis, struct ordo_traces *traces, int64_t begin_ns,
                              int64_t end_ns, struct ordo_error *error);
void ordo_analysis_free(struct ordo_analysis *analysis);

/** Returns the imbalance of a call: the longest time that a rank spends in it, divided by the mean over all ranks with
 * events, less 1. 0: balanced. */
double ordo_call_imbalance(const struct ordo_call *call, int rank_count);

#endif
