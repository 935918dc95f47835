/* The interface between algorithms that synchronise clocks and backends that carry messages between ranks. An algorithm
 * uses only this interface, so the same code runs on MPI and on a simulated network whose true clocks are known. */
#ifndef ORDO_CLUSTER_TRANSPORT_TRANSPORT_H
#define ORDO_CLUSTER_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Parts of a cluster, the larger first. */
enum ordo_level { ORDO_LEVEL_NODE, ORDO_LEVEL_SOCKET, ORDO_LEVELS };

/** The groups that split_level has made for one level. NULL: not made, or this rank is not in the group. */
struct ordo_transport_level {
    struct ordo_transport *group, *firsts;
    bool has_firsts; /* the group `firsts` was made, on all ranks */
};

/** One rank of a group with the ranks 0, ..., size - 1. Only one thread may use it at a time.
 *
 * Every function takes the transport as its first argument. Those that return an int return 0 or a negative code:
 * ORDO_E_SYSTEM unless stated otherwise. After a failed send or receive, the group can only be freed. */
struct ordo_transport {
    int rank, size;

    /** Largest error of a reading of now_ns: when read, the clock was in [reading, reading + granule_ns]. At least 1
     * for a real clock. Constant for the life of a transport; groups that are split from it inherit the value. */
    int64_t granule_ns;

    /** Bound on the error of the rate that the conversion of ticks to ns adds; 0: none. The same on all ranks; groups
     * that are split from this transport inherit the value. */
    int64_t rate_error_ppb;

    /** Sends `count` bytes (at most 64 KiB); returns when they may be overwritten. May or may not wait for the
     * receiver. Messages with the same sender, receiver and tag arrive in order. `to` must be another rank; 0 <= tag <
     * ORDO_TAG_END (tags.h). */
    int (*send)(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count);

    /** Waits for the next message from this sender with this tag. The message must have exactly `count` bytes. */
    int (*receive)(struct ordo_transport *self, int from, int tag, void *bytes, size_t count);

    /** Sends `sent` to the rank `to`, and receives `received` from the rank `from`, both with `count` bytes. Unlike a
     * send before a receive, never waits for ever if all ranks of a ring call it. */
    int (*exchange)(struct ordo_transport *self, int to, int from, int tag, const void *sent, void *received,
                    size_t count);

    /** Returns the local clock, in ns since its origin, which may differ from the origins of other ranks. Reads the
     * clock after every earlier receive has completed, and before any later send begins. If the clock counts ticks, all
     * ranks of one node must convert them by the same rate. Never fails. */
    int64_t (*now_ns)(struct ordo_transport *self);

    /** Returns when now_ns() has reached `until_ns`. If the clock is set back meanwhile, returns at about the time at
     * which the wait would have ended without this. */
    void (*wait_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** Waits busily, for a time that is near. Returns the first reading that has reached `until_ns`, immediately after
     * the reading. If the clock is set back meanwhile, may return a reading below `until_ns`. */
    int64_t (*spin_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** Collective: ranks with the same `color` form a new group, ordered by `key` and then by rank. `*group` becomes
     * NULL if `color` is negative. Groups do not receive each other's messages; each group must be freed. If split
     * fails on one rank of `self`, it fails on all, and `self` can still be used. */
    int (*split)(struct ordo_transport *self, int color, int key, struct ordo_transport **group,
                 struct ordo_error *error);

    /** Collective: sets `*group` to the group of all ranks on the same node or socket as this rank, ordered by rank.
     * Sets `*firsts` to the group of the first ranks of all these groups, or NULL on other ranks; `firsts` may be NULL
     * on all ranks. Ranks of a node whose socket is unknown form one group. Both groups belong to `self`: they are made
     * by the first call, returned again by later calls, and freed with `self`. If it fails on one rank, it fails on
     * all. */
    int (*split_level)(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                       struct ordo_transport **firsts, struct ordo_error *error);

    /** Frees this group, and the groups that split_level made. Collective on MPI. Messages in flight are lost. */
    void (*free)(struct ordo_transport *self);
};

/** For backends: implements split_level. Keeps the groups in `level`; `make` must make the group of this rank. */
int ordo_transport_level(struct ordo_transport *self, struct ordo_transport_level *level,
                         int (*make)(struct ordo_transport *self, enum ordo_level which, struct ordo_transport **group,
                                     struct ordo_error *error),
                         enum ordo_level which, struct ordo_transport **group, struct ordo_transport **firsts,
                         struct ordo_error *error);

/** For backends: frees the groups in `levels`. */
void ordo_transport_free_levels(struct ordo_transport_level levels[ORDO_LEVELS]);

#endif
