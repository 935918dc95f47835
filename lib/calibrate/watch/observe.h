/* What a watcher looks at besides pairs of CPUs: one file of observer/ for each thing [registry]. An observer reads its part
 * of a sight, and judges two sights; judging is pure. */
#ifndef ORDO_CALIBRATE_WATCH_OBSERVE_H
#define ORDO_CALIBRATE_WATCH_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/counter/trust.h"

/** What the machine shows at one moment. */
struct ordo_sight {
    const char *vmclock_path; /* set by the caller: the device, or a file of its layout; NULL: none */
    /* Set by the caller: the CPUs that the cgroup allows, "0-3,8", cut short on a large machine, and a checksum of all. */
    char allowed[512];
    uint64_t allowed_checksum;
    struct ordo_record_moment clocks;
    bool clocks_read;
    char online[512]; /* cut short on a large machine; the checksum is of all */
    uint64_t online_checksum;
    char clocksource[32];
    struct ordo_trust_follower *follower; /* set by the caller: the evidence about the clock, kept; NULL: asked anew */
    struct ordo_trust_verdict verdict;    /* about the clock */
    bool vmclock;                         /* there is a VMClock */
    uint64_t vmclock_marker;
};

/** What follows from a finding. */
enum ordo_follow {
    ORDO_FOLLOW_NOTHING, /* people should know */
    ORDO_FOLLOW_RENEW,   /* calibrate, and publish the next generation */
    ORDO_FOLLOW_DISRUPT  /* mark the record DISRUPTED at once, then renew */
};

/** What an observer found. */
struct ordo_finding {
    const char *event; /* a word: "jump" */
    enum ordo_follow follow;
    char text[200]; /* one line for people */
};

struct ordo_observer {
    const char *name;
    /* Reads its part of the sight; what cannot be read is left as nothing, which is no finding. */
    void (*look)(struct ordo_sight *sight);
    /* Whether something happened between `before` and `now`; `base` is the earliest sight that is kept, up to a minute
     * ago. tick_hz is the record's. */
    bool (*judge)(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                  double tick_hz, struct ordo_finding *finding);
};

/** All observers, ending with NULL; generated from the files of observer/. */
extern const struct ordo_observer *const ordo_observers[];

/** Reads all of them; the members that the caller sets must be set. */
void ordo_sight_take(struct ordo_sight *sight);

/** Puts what was last known in the place of what could not be read now, because files are short: that is not known, and no
 * change. The next sight that can read it is then judged against the last one that could. */
void ordo_sight_keep(struct ordo_sight *now, const struct ordo_sight *before);

/** The default path of the VMClock. */
#define ORDO_VMCLOCK_PATH "/dev/vmclock0"

#endif
