/* Ranks joined by messages: the seam between the algorithms that synchronise clocks and the carriers of messages. An
 * algorithm uses nothing else, so the same code runs on MPI and on a simulated network whose true clocks are known. */
#ifndef ORDO_CLUSTER_TRANSPORT_TRANSPORT_H
#define ORDO_CLUSTER_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** The part of a machine that ranks may share, the widest first. */
enum ordo_level { ORDO_LEVEL_NODE, ORDO_LEVEL_SOCKET, ORDO_LEVELS };

/** The groups that split_level has made for one level, or NULL. */
struct ordo_transport_level {
    struct ordo_transport *group, *firsts;
    bool has_firsts; /* the firsts were made, on all ranks */
};

/** One rank's end of a group of ranks 0..size-1. Used by one thread at a time.
 *
 * Every call takes the transport itself first, and returns 0 or a negative code (ORDO_E_SYSTEM unless stated
 * otherwise). After a failed send or receive the group can only be freed. */
struct ordo_transport {
    int rank, size;

    /** Largest error of a reading of now_ns: the clock was in [reading, reading + granule_ns] when read. At least 1 for
     * a real clock. Constant for the life of a transport, and inherited by groups split from it. */
    int64_t granule_ns;

    /** Bound on the difference between the rate of now_ns and that of the clock, if the conversion of ticks adds an
     * error. The same on all ranks, and inherited. */
    int64_t rate_error_ppb;

    /** Sends `count` bytes (at most 64 KiB); returns when they may be overwritten. May or may not wait for the
     * receiver. Messages from one rank to another with one tag arrive in order. `to` is not the own rank; 0 <= tag <
     * ORDO_TAG_END (tags.h). */
    int (*send)(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count);

    /** Waits for the next message of this sender and tag, which must have exactly `count` bytes. */
    int (*receive)(struct ordo_transport *self, int from, int tag, void *bytes, size_t count);

    /** Returns the local clock in ns since an origin of its own, which need not be that of other ranks. Reads the clock
     * after every earlier receive has completed and before any later send begins. If the clock counts ticks, ranks of
     * one node must convert them by the same rate. Never fails. */
    int64_t (*now_ns)(struct ordo_transport *self);

    /** Returns when now_ns() has reached `until_ns`; at once if it already has. If the clock is set back meanwhile,
     * returns not much later than it would have otherwise. */
    void (*wait_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** Waits busily for a time that is near: returns with the first reading that has reached `until_ns`, and returns
     * this reading. If the clock is set back meanwhile, may return a reading below `until_ns`. */
    int64_t (*spin_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** Collective: ranks with the same `color` form a new group, ordered by `key` and then by rank. `*group` becomes
     * NULL if color is negative. Groups do not receive each other's messages; each is freed on its own. If it fails for
     * one rank of `self`, it fails for all, and `self` can still be used. */
    int (*split)(struct ordo_transport *self, int color, int key, struct ordo_transport **group,
                 struct ordo_error *error);

    /** Collective: returns the group of all ranks that share `level` with this one, ordered by rank, and the group of
     * the first ranks of all these groups (NULL on the others; `firsts` may be NULL on all). All ranks of a node whose
     * place is unknown form one group. Both groups are made once, and belong to `self`: later calls return them again,
     * and they are freed with it. Fails for all, as above. */
    int (*split_level)(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                       struct ordo_transport **firsts, struct ordo_error *error);

    /** Frees this group, with those of its levels. Collective if the backend's release is (MPI). Messages in flight are
     * lost. */
    void (*free)(struct ordo_transport *self);
};

/** For backends: a split_level that keeps its groups in `level`; `make` makes a group. */
int ordo_transport_level(struct ordo_transport *self, struct ordo_transport_level *level,
                         int (*make)(struct ordo_transport *self, enum ordo_level which, struct ordo_transport **group,
                                     struct ordo_error *error),
                         enum ordo_level which, struct ordo_transport **group, struct ordo_transport **firsts,
                         struct ordo_error *error);

/** For backends: frees the groups of these levels. */
void ordo_transport_free_levels(struct ordo_transport_level levels[ORDO_LEVELS]);

#endif
