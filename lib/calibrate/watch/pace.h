/* How often to look, at a share of one core; and how often to calibrate. Pure. */
#ifndef ORDO_CALIBRATE_WATCH_PACE_H
#define ORDO_CALIBRATE_WATCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

/** Ordinary rounds are paced at nine tenths of the share. The tenth that is left, and what rounds that were cheaper than
 * allowed leave, fill the reserve, out of which a suspicion is followed up at once. */
struct ordo_pace {
    double share;       /* of one core: 0.001 */
    int64_t reserve_ns; /* CPU time that a suspicion may take; negative where one took more */
};

/** CPU time that the reserve holds at most, and in the beginning. */
#define ORDO_PACE_RESERVE_NS 100000000
/** No round begins sooner after the one before, */
#define ORDO_PACE_LEAST_NS 50000000
/** and none later, as long as the reserve lasts. */
#define ORDO_PACE_MOST_NS 350000000

struct ordo_pace ordo_pace_begin(double share);

/** How long to wait after a round that cost `used_ns` of CPU time; what the reserve pays or gets is booked. */
int64_t ordo_pace_after(struct ordo_pace *pace, int64_t used_ns);

/** Whether the reserve pays another `used_ns`, which is booked then. */
bool ordo_pace_spend(struct ordo_pace *pace, int64_t used_ns);

/** Turns to calibrate. Clocks that go astray again and again must not make a machine calibrate without end: of the
 * calibrations that no person has asked for, ORDO_TURNS_AT_ONCE may follow each other, and then one every ORDO_TURN_NS. All
 * zero: none has been taken. */
struct ordo_turns {
    int64_t paid_ns; /* when all turns that were taken have come round, if one comes every ORDO_TURN_NS */
};

enum { ORDO_TURNS_AT_ONCE = 6 };
#define ORDO_TURN_NS 120000000000

/** Returns the time until the next turn; 0: it has come. */
int64_t ordo_turns_wait(const struct ordo_turns *turns, int64_t now_ns);

/** Takes a turn. */
void ordo_turns_take(struct ordo_turns *turns, int64_t now_ns);

#endif
