/* The tracks of a trace of Perfetto: threads, processes, and tracks of asynchronous events, which are named by
 * numbers. The track around another one is passed over, because a number is unique in the whole trace. */
#ifndef ORDO_TRACE_PERFETTO_DESCRIPTORS_H
#define ORDO_TRACE_PERFETTO_DESCRIPTORS_H

#include "base/map.h"
#include "trace/event/names.h"
#include "trace/perfetto/wire.h"

/** A track (TrackDescriptor in Perfetto's schema). */
struct ordo_descriptor {
    int64_t pid, tid; /* -1: not stated */
    uint32_t name;    /* 1 + its number; 0: none */
};

struct ordo_descriptors {
    struct ordo_map ids; /* number of a track: 1 + its index */
    struct ordo_descriptor *all;
    size_t count, room;
    struct ordo_names names;
};

/** Learns a track. Returns 0; -1 if out of memory; -2 if there are millions. */
int ordo_descriptors_learn(struct ordo_descriptors *descriptors, struct ordo_text message);

/** Reads a description of a thread or a process alone, as old writers send it. */
struct ordo_descriptor ordo_descriptor_read(struct ordo_text process, struct ordo_text thread, struct ordo_text *name);

/** Returns the description of a track; its numbers are -1 if it has none. */
struct ordo_descriptor ordo_descriptors_find(const struct ordo_descriptors *descriptors, uint64_t id);

void ordo_descriptors_free(struct ordo_descriptors *descriptors);

#endif
