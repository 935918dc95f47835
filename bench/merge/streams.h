/* Streams in memory, merged by one thread: by Ordo's merger, from arrays and from rings, and by a heap. */
#ifndef BENCH_MERGE_STREAMS_H
#define BENCH_MERGE_STREAMS_H

#include <ordo/merge.h>

#include "harness.h"

#define MERGE_STREAMS_MOST 4096
#define MERGE_VARIANTS 3

/** What a worker counts beside events. */
enum merge_counter { MERGE_UNCERTAIN };

struct merge_streams {
    struct ordo_merge_event *events; /* [streams][each], each stream in the order of its times */
    uint64_t each;
    uint64_t span_ticks; /* times are below it */
    uint32_t streams;
    uint64_t boundary_ticks;
    /* What the consumers found wrong since the last audit. */
    atomic_uint_least64_t inverted; /* neighbours that came out in the wrong order */
    atomic_uint_least64_t lost, twice;
    char workload[32];
};

/** Makes `streams` streams whose events come every 64 ticks or so, together. ORDO_E_SYSTEM: no memory. */
int merge_streams_make(struct merge_streams *set, uint32_t streams, uint64_t boundary_ticks, struct ordo_error *error);
void merge_streams_free(struct merge_streams *set);

/** Ordo's merger and the heap, over `set`. An operation is an event that left the merger. Every event is checked: a thread that begins a
 * set works until the whole set should have left. */
void merge_streams_variants(struct merge_streams *set, struct bench_variant variants[MERGE_VARIANTS]);

#endif
