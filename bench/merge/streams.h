/* Streams in memory, merged by one thread: with Ordo's merger, from arrays and from rings, and with a heap. */
#ifndef BENCH_MERGE_STREAMS_H
#define BENCH_MERGE_STREAMS_H

#include <ordo/merge.h>

#include "harness.h"

#define MERGE_STREAMS_MOST 4096
#define MERGE_VARIANTS 3

/** Indices of a worker's counters. */
enum merge_counter { MERGE_UNCERTAIN };

struct merge_streams {
    struct ordo_merge_event *events; /* [streams][each], each stream sorted by time */
    uint64_t each;
    uint64_t span_ticks; /* all times are < span_ticks */
    uint32_t streams;
    uint64_t boundary_ticks;
    /* Faults that the consumers found since the last audit. */
    atomic_uint_least64_t inverted; /* adjacent events delivered in the wrong order */
    atomic_uint_least64_t lost, twice;
    char workload[32];
};

/** Makes `streams` streams. All streams together have an event about every 64 ticks. ORDO_E_SYSTEM: out of memory. */
int merge_streams_make(struct merge_streams *set, uint32_t streams, uint64_t boundary_ticks, struct ordo_error *error);
void merge_streams_free(struct merge_streams *set);

/** Fills `variants` with Ordo's merger and the heap, over `set`. An operation is one delivered event. Every event is
 * checked. A thread that has begun to merge the set continues until all its events should have been delivered. */
void merge_streams_variants(struct merge_streams *set, struct bench_variant variants[MERGE_VARIANTS]);

#endif
