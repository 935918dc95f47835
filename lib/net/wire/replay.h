/* The numbers of a session that have come: each is taken once.
 *
 * A window slides with the highest number that has come (RFC 4303, section 3.4.3, and RFC 6479). A number older than
 * the window is refused as well, because it may have come before. */
#ifndef ORDO_NET_WIRE_REPLAY_H
#define ORDO_NET_WIRE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_NET_REPLAY_WORDS = 16, ORDO_NET_REPLAY_WINDOW = 64 * (ORDO_NET_REPLAY_WORDS - 1) };

/** All 0: nothing has come. */
struct ordo_net_replay {
    uint64_t end; /* one more than the highest number that has come; 0: nothing has */
    uint64_t came[ORDO_NET_REPLAY_WORDS];
};

/** True the first time that a number comes; false if it comes again, or is older than the window. */
bool ordo_net_replay_first(struct ordo_net_replay *replay, uint64_t number);

#endif
