/* What is known of a rank's clock: fixes, in sessions.
 *
 * Sign everywhere: offset = clock - global. A fix is an exchange with the master, or two messages of a program that went
 * in opposite directions: the offset was at least low_ns when the clock showed sent_ns, as the other read its own clock
 * later, and at most high_ns when it showed received_ns, as the other had read its own before. Neither depends on how long
 * a message took. (The causality interval; Ordo, EuroSys 2018, section 3.2.) */
#ifndef ORDO_TRACE_SYNC_FIX_H
#define ORDO_TRACE_SYNC_FIX_H

#include <stdint.h>

#include "base/error.h"

struct ordo_fix {
    int64_t session;
    int64_t sent_ns, received_ns; /* on the clock */
    int64_t low_ns, high_ns;      /* of the offset */
};

/** The exchange of a client that sent, was answered with the master's time, and received. */
static inline struct ordo_fix ordo_fix_of_exchange(int64_t session, int64_t sent_ns, int64_t master_ns,
                                                   int64_t received_ns)
{
    return (struct ordo_fix){session, sent_ns, received_ns, sent_ns - master_ns, received_ns - master_ns};
}

/** The fixes of one rank, in the order of sessions, and of time in each. */
struct ordo_fixes {
    int32_t rank;
    struct ordo_fix *all;
    int count, room;
};

/** Appends one. ORDO_E_SYSTEM where memory runs out. */
int ordo_fixes_add(struct ordo_fixes *fixes, const struct ordo_fix *fix, struct ordo_error *error);

/** Puts them into order, by session and time. */
void ordo_fixes_sort(struct ordo_fixes *fixes);

/** Where the session that begins at `from` ends; sessions are runs of equal numbers. */
static inline int ordo_fixes_session_end(const struct ordo_fixes *fixes, int from)
{
    int end = from;
    while (end < fixes->count && fixes->all[end].session == fixes->all[from].session)
        end++;
    return end;
}

/** A session as one point: the mean of its fixes' middles, without the tenth with the longest round trips. The offset is
 * base_ns + offset_ns. */
struct ordo_condensed {
    int64_t at_ns, base_ns;
    double offset_ns, round_trip_ns; /* the second is the shortest one */
};

/** Of the fixes from `from` to `end`, which are put into the order of their round trips. */
struct ordo_condensed ordo_fixes_condense(struct ordo_fix *fixes, int from, int end);

/** How many of `count` fixes remain without that tenth. */
static inline int ordo_fixes_kept(int count)
{
    return count - count / 10;
}

int ordo_fixes_sessions(const struct ordo_fixes *fixes);

#endif
