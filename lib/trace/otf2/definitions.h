/* The definitions of an archive that the reading of events needs: regions, ranks and threads, communicators, the clock.
 */
#ifndef ORDO_TRACE_OTF2_DEFINITIONS_H
#define ORDO_TRACE_OTF2_DEFINITIONS_H

#include "base/map.h"
#include "trace/otf2/library.h"

struct ordo_otf2_location {
    OTF2_LocationRef ref;
    OTF2_LocationGroupRef group;
    int32_t rank; /* -1: none */
    uint32_t thread;
};

struct ordo_otf2_group {
    OTF2_GroupType type;
    bool global; /* ranks in events are indices of the list of all ranks */
    uint32_t count;
    uint64_t *members; /* of a communicator's group: ranks */
};

struct ordo_otf2_communicator {
    uint64_t id; /* as in struct ordo_event */
    OTF2_GroupRef groups[2];
    bool two_groups;
};

struct ordo_otf2_definitions {
    uint64_t hz, origin; /* ticks per second; the tick that counts as 0 ns */
    char **strings;
    size_t string_count, string_room;
    struct ordo_otf2_location *locations;
    size_t location_count, location_room;
    struct ordo_otf2_group *groups;
    size_t group_count, group_room;
    struct ordo_otf2_communicator *communicators;
    size_t communicator_count, communicator_room;
    struct ordo_map string_of, region_of, location_of, group_of, communicator_of; /* number of a definition: index + 1;
                                                                      of a region: number of its name + 1 */
    struct ordo_map process_of;          /* a group of locations: its order + 1, and its creator + 1 */
    const struct ordo_otf2_group *ranks; /* members are locations, in the order of ranks; NULL: there is no such list */
    uint64_t earliest, latest;           /* number + 1 of the attributes of corrected events; 0: none */
    bool no_memory;
};

/** Reads the global definitions, and finds the rank and the thread of each location. Their memory is freed when the
 * process ends. */
OTF2_ErrorCode ordo_otf2_define(struct ordo_otf2_definitions *all, OTF2_Reader *reader);

/** Converts a time of the archive to ns. */
int64_t ordo_otf2_ns(const struct ordo_otf2_definitions *all, uint64_t ticks);

/** Returns a string; NULL if it is not defined. */
const char *ordo_otf2_string(const struct ordo_otf2_definitions *all, OTF2_StringRef ref);

/** Returns a communicator; NULL if it is not defined. */
const struct ordo_otf2_communicator *ordo_otf2_communicator(const struct ordo_otf2_definitions *all, OTF2_CommRef ref);

/** Returns the rank of the member `member` of a communicator. In a communicator of two groups, it is a member of the
 * group in which `own` is not. Returns -1 if there is no such rank. */
int32_t ordo_otf2_rank_of(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator,
                          int32_t own, uint32_t member);

/** Returns the number of a rank in a communicator; -1 if the rank is not in it. */
int32_t ordo_otf2_place_of(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator,
                           int32_t rank);

/** True if the communicator has only the rank that uses it. */
bool ordo_otf2_is_self(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator);

#endif
