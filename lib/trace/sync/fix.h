/* The knowledge of a rank's clock: fixes, in sessions.
 *
 * Sign everywhere: offset = clock - global. A fix is an exchange with the master, or a pair of messages of a program in
 * opposite directions. The offset was at least low_ns when the clock showed sent_ns, because the other side read its
 * clock later; it was at most high_ns when the clock showed received_ns, because the other side had read its clock
 * before. Neither bound depends on the latency of a message. (The causality interval; Ordo, EuroSys 2018, section
 * 3.2.) */
#ifndef ORDO_TRACE_SYNC_FIX_H
#define ORDO_TRACE_SYNC_FIX_H

#include <stdint.h>

#include "base/error.h"

struct ordo_fix {
    int64_t session;
    int64_t sent_ns, received_ns; /* readings of the rank's clock */
    int64_t low_ns, high_ns;      /* bounds of the offset */
};

/** Returns the fix of an exchange: the client sent, the master answered with its time, and the client received. */
static inline struct ordo_fix ordo_fix_of_exchange(int64_t session, int64_t sent_ns, int64_t master_ns,
                                                   int64_t received_ns)
{
    return (struct ordo_fix){session, sent_ns, received_ns, sent_ns - master_ns, received_ns - master_ns};
}

/** When the clock showed at_ns, the offset was probably about offset_ns. This is no proof, unlike a fix. */
struct ordo_likely {
    int64_t at_ns, offset_ns;
};

/** The fixes of one rank, in the order of sessions, and by time within each session. */
struct ordo_fixes {
    int32_t rank;
    struct ordo_fix *all;
    int count, room;
    const struct ordo_likely *likely; /* in the order of times; NULL: none. Its owner is the caller */
    int likely_count;
};

/** Appends a fix. ORDO_E_SYSTEM: out of memory. */
int ordo_fixes_add(struct ordo_fixes *fixes, const struct ordo_fix *fix, struct ordo_error *error);

/** Sorts the fixes by session and time. */
void ordo_fixes_sort(struct ordo_fixes *fixes);

/** Returns the index after the last fix of the session that begins at `from`; a session is a run of equal numbers. */
static inline int ordo_fixes_session_end(const struct ordo_fixes *fixes, int from)
{
    int end = from;
    while (end < fixes->count && fixes->all[end].session == fixes->all[from].session)
        end++;
    return end;
}

/** A session as one point: the mean of its fixes' middles, without the tenth with the longest round trips. The offset
 * is base_ns + offset_ns. */
struct ordo_condensed {
    int64_t at_ns, base_ns;
    double offset_ns, round_trip_ns; /* round_trip_ns: the shortest of the session */
};

/** Condenses the fixes with the indices `from` to `end` - 1 into a point, and sorts them by their round trips. */
struct ordo_condensed ordo_fixes_condense(struct ordo_fix *fixes, int from, int end);

/** Returns how many of `count` fixes remain if the tenth with the longest round trips is left out. */
static inline int ordo_fixes_kept(int count)
{
    return count - count / 10;
}

int ordo_fixes_sessions(const struct ordo_fixes *fixes);

#endif
