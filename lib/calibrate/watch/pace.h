/* How often to look, with a share of one core; and how often to calibrate. Pure. */
#ifndef ORDO_CALIBRATE_WATCH_PACE_H
#define ORDO_CALIBRATE_WATCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

/** Ordinary rounds are paced at nine tenths of the share. The remaining tenth, and the time that cheap rounds leave
 * over, fill the reserve, which pays for following up a suspicion at once. */
struct ordo_pace {
    double share;       /* of one core: 0.001 */
    int64_t reserve_ns; /* CPU time that suspicions may take; negative if one took more */
};

/** The largest reserve in CPU time, and the initial one. */
#define ORDO_PACE_RESERVE_NS 100000000
/** The shortest pause between two rounds. */
#define ORDO_PACE_LEAST_NS 50000000
/** The longest pause between two rounds, as long as the reserve lasts. */
#define ORDO_PACE_MOST_NS 350000000

struct ordo_pace ordo_pace_begin(double share);

/** Returns the pause after a round that cost `used_ns` of CPU time, and books the round on the reserve. */
int64_t ordo_pace_after(struct ordo_pace *pace, int64_t used_ns);

/** True if the reserve pays another `used_ns`; books it then. */
bool ordo_pace_spend(struct ordo_pace *pace, int64_t used_ns);

/** Turns to calibrate, so that clocks that drift again and again do not make a machine calibrate without end. Of the
 * calibrations that no person requested, ORDO_TURNS_AT_ONCE may follow each other, and then one every ORDO_TURN_NS.
 * All zero: no turn has been taken. */
struct ordo_turns {
    int64_t paid_ns; /* when all turns taken are paid, if each costs ORDO_TURN_NS */
};

enum { ORDO_TURNS_AT_ONCE = 6 };
#define ORDO_TURN_NS 120000000000

/** Returns the time until the next turn; 0: a turn is available. */
int64_t ordo_turns_wait(const struct ordo_turns *turns, int64_t now_ns);

/** Takes a turn. */
void ordo_turns_take(struct ordo_turns *turns, int64_t now_ns);

#endif
