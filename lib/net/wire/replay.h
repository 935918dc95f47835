/* Accepts each number of a session only once.
 *
 * A window ends at the highest number that has come (RFC 4303, section 3.4.3, and RFC 6479). A number below the window
 * is refused, because it may have come before. */
#ifndef ORDO_NET_WIRE_REPLAY_H
#define ORDO_NET_WIRE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDO_NET_REPLAY_WORDS = 16, ORDO_NET_REPLAY_WINDOW = 64 * (ORDO_NET_REPLAY_WORDS - 1) };

/** The numbers that have come. All 0: none. */
struct ordo_net_replay {
    uint64_t end; /* the highest number that has come, plus 1; 0: none */
    uint64_t came[ORDO_NET_REPLAY_WORDS];
};

/** True if the number comes for the first time. False if it has come before, or is below the window. */
bool ordo_net_replay_first(struct ordo_net_replay *replay, uint64_t number);

#endif
