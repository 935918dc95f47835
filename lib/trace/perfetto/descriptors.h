/* The tracks of a trace of Perfetto: threads, processes, and tracks of asynchronous events, which are named by numbers. */
#ifndef ORDO_TRACE_PERFETTO_DESCRIPTORS_H
#define ORDO_TRACE_PERFETTO_DESCRIPTORS_H

#include "base/map.h"
#include "trace/event/names.h"
#include "trace/perfetto/wire.h"

/** A track (TrackDescriptor in Perfetto's schema). */
struct ordo_descriptor {
    uint64_t parent;  /* 0: none */
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

/** Returns the thread or track with a number: its own description, and the pid of the tracks around it. */
struct ordo_descriptor ordo_descriptors_find(const struct ordo_descriptors *descriptors, uint64_t id);

void ordo_descriptors_free(struct ordo_descriptors *descriptors);

#endif
