/* Which numbers of a session have come: each is taken once.
 *
 * A window that slides with the highest number that has come (RFC 4303, section 3.4.3, and RFC 6479): what is older than the
 * window is refused as well, since nobody can tell. */
#ifndef ORDO_NET_WIRE_REPLAY_H
#define ORDO_NET_WIRE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_NET_REPLAY_WORDS = 16, ORDO_NET_REPLAY_WINDOW = 64 * (ORDO_NET_REPLAY_WORDS - 1) };

/** All 0 is one of which nothing has come. */
struct ordo_net_replay {
    uint64_t end; /* one more than the highest number that has come; 0: none has */
    uint64_t came[ORDO_NET_REPLAY_WORDS];
};

/** True once for each number, and then never again. */
bool ordo_net_replay_first(struct ordo_net_replay *replay, uint64_t number);

#endif
