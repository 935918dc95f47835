/* Ranks joined by messages: the seam between what synchronises clocks and what carries the messages. An algorithm
 * sees nothing else, so the same code runs on MPI and on a simulated network whose true clocks are known. */
#ifndef ORDO_CLUSTER_TRANSPORT_TRANSPORT_H
#define ORDO_CLUSTER_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** What ranks may have in common, from the widest. */
enum ordo_level { ORDO_LEVEL_NODE, ORDO_LEVEL_SOCKET, ORDO_LEVELS };

/** What split_level has made: the groups of one level, or NULL. */
struct ordo_transport_level {
    struct ordo_transport *group, *firsts;
    bool has_firsts; /* they were made, on all ranks */
};

/** One rank's end of a group of ranks 0..size-1. Used by one thread at a time.
 *
 * Every call takes the transport itself first, and returns 0 or a negative code (ORDO_E_SYSTEM unless said
 * otherwise). A failed send or receive leaves the group unusable except for free. */
struct ordo_transport {
    int rank, size;

    /** Largest error of a reading of now_ns: the clock was in [reading, reading + granule_ns] when read. At least 1 for
     * a real clock; the same for a transport's whole life, inherited by what is split from it. */
    int64_t granule_ns;

    /** The rate of now_ns differs by at most this from that of the clock, where converting ticks adds an error. The
     * same on all ranks, and inherited. */
    int64_t rate_error_ppb;

    /** Sends `count` bytes (at most 64 KiB); returns when they may be overwritten. May or may not wait for the
     * receiver. Messages from one rank to another with one tag arrive in order. `to` is not the own rank; 0 <= tag <
     * ORDO_TAG_END (tags.h). */
    int (*send)(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count);

    /** Waits for the next message of that sender and tag, which must have exactly `count` bytes. */
    int (*receive)(struct ordo_transport *self, int from, int tag, void *bytes, size_t count);

    /** The local clock in ns since an origin of its own, which no other rank needs to share. Read after every earlier
     * receive has completed and before any later send begins. Where the clock counts ticks, ranks of one node must
     * convert them by the same rate. Never fails. */
    int64_t (*now_ns)(struct ordo_transport *self);

    /** Returns when now_ns() has reached `until_ns`; at once where it has. Not much later than that should take where
     * the clock is set back meanwhile. */
    void (*wait_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** The same for a time that is near: busily, so that it returns with the first reading that has reached `until_ns`,
     * and returns that reading. Where the clock is set back meanwhile, a reading that has not. */
    int64_t (*spin_until_ns)(struct ordo_transport *self, int64_t until_ns);

    /** Collective: ranks with the same `color` form a new group, ordered by `key` and then by rank. `*group` becomes
     * NULL where color is negative. Groups carry their messages apart from each other; each is freed on its own.
     * Where it fails for one rank of `self`, it fails for all, and `self` can still be used. */
    int (*split)(struct ordo_transport *self, int color, int key, struct ordo_transport **group,
                 struct ordo_error *error);

    /** Collective: the group of all ranks that have `level` in common with this one, ordered by rank, and that of the
     * first ranks of all these groups (NULL on the others; `firsts` may be NULL on all). A rank whose place is not
     * known is in a group with all others of its node of which the same is true. Both groups are made once, and stay
     * `self`'s: later calls return them again, and they are freed with it. Fails for all, as above. */
    int (*split_level)(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                       struct ordo_transport **firsts, struct ordo_error *error);

    /** Frees this group, with those of its levels. Collective where the backend's release is (MPI); messages in flight
     * are lost. */
    void (*free)(struct ordo_transport *self);
};

/** For backends: a split_level whose groups are remembered in `level`, where `make` makes the group. */
int ordo_transport_level(struct ordo_transport *self, struct ordo_transport_level *level,
                         int (*make)(struct ordo_transport *self, enum ordo_level which, struct ordo_transport **group,
                                     struct ordo_error *error),
                         enum ordo_level which, struct ordo_transport **group, struct ordo_transport **firsts,
                         struct ordo_error *error);

/** For backends: frees what these levels hold. */
void ordo_transport_free_levels(struct ordo_transport_level levels[ORDO_LEVELS]);

#endif
