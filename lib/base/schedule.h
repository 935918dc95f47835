/* A round-robin tournament: every pair of players meets exactly once, and within a round the pairs are disjoint. */
#ifndef ORDO_BASE_SCHEDULE_H
#define ORDO_BASE_SCHEDULE_H

struct ordo_schedule_match {
    int a, b; /* a < b */
};

/** Returns the number of rounds for `players` players: players - 1 if `players` is even, players if it is odd, 0 if it
 * is below 2. */
int ordo_schedule_rounds(int players);

/** Writes the matches of one round into `matches`, which has space for players / 2 matches. Returns their number.
 *
 * The circle method: the last player keeps its seat, the other players move on by one seat each round, and players on
 * opposite seats meet. If the number of players is odd, a non-existent player is added, and the player that meets it
 * pauses. */
int ordo_schedule_round(int players, int round, struct ordo_schedule_match *matches);

#endif
