/* Computes how often the watcher measures, for a given share of one core, and how often it calibrates. Pure
 * functions. */
#ifndef ORDO_CALIBRATE_WATCH_PACE_H
#define ORDO_CALIBRATE_WATCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

/** Ordinary rounds use nine tenths of the share. The remaining tenth, and the unused time of cheap rounds, fill the
 * reserve. The reserve pays for additional measurements immediately after a suspicion. */
struct ordo_pace {
    double share;       /* share of one core, such as 0.001 */
    int64_t reserve_ns; /* CPU time that is left for suspicions; negative if they took too much */
};

/** The largest reserve, in CPU time, which is also the initial reserve. */
#define ORDO_PACE_RESERVE_NS 100000000
/** The shortest pause between two rounds. */
#define ORDO_PACE_LEAST_NS 50000000
/** The longest pause between two rounds while the reserve is not used up. */
#define ORDO_PACE_MOST_NS 350000000

struct ordo_pace ordo_pace_begin(double share);

/** Returns the pause after a round that cost `used_ns` of CPU time, and updates the reserve. */
int64_t ordo_pace_after(struct ordo_pace *pace, int64_t used_ns);

/** True if the reserve is at least `used_ns`; then subtracts `used_ns` from it. */
bool ordo_pace_spend(struct ordo_pace *pace, int64_t used_ns);

/** A rate limit for automatic calibrations, so that repeated drift does not make a machine calibrate all the time. A
 * turn is the permission for one calibration. ORDO_TURNS_AT_ONCE turns are available at once, and then one every
 * ORDO_TURN_NS (a token bucket). If all bytes are 0, no turn has been taken. */
struct ordo_turns {
    int64_t paid_ns; /* time at which all taken turns are paid, if each costs ORDO_TURN_NS */
};

enum { ORDO_TURNS_AT_ONCE = 6 };
#define ORDO_TURN_NS 120000000000

/** Returns the time until the next turn; 0: a turn is available. */
int64_t ordo_turns_wait(const struct ordo_turns *turns, int64_t now_ns);

/** Takes a turn. */
void ordo_turns_take(struct ordo_turns *turns, int64_t now_ns);

#endif
