/* A round-robin tournament: every pair of players meets exactly once, and within a round the pairs are disjoint. */
#ifndef ORDO_BASE_SCHEDULE_H
#define ORDO_BASE_SCHEDULE_H

struct ordo_schedule_match {
    int a, b; /* a < b */
};

/** Returns the rounds that `players` need: one less than players, made even. 0 for fewer than two. */
int ordo_schedule_rounds(int players);

/** Writes the matches of one round into `matches` (room for players / 2); returns their number.
 *
 * The circle method: one player stays, the others move on by one place each round, and players that face each other
 * meet. An odd number is made even by a player that does not exist: to meet it means to pause. */
int ordo_schedule_round(int players, int round, struct ordo_schedule_match *matches);

#endif
