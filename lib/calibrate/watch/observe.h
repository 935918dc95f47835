/* Things that a watcher observes besides pairs of CPUs: one file of observer/ for each [registry]. An observer reads
 * its part of a sight, and judges two sights; judging is pure. */
#ifndef ORDO_CALIBRATE_WATCH_OBSERVE_H
#define ORDO_CALIBRATE_WATCH_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/counter/trust.h"

/** The state of the machine at one moment. */
struct ordo_sight {
    const char *vmclock_path; /* set by the caller: the device, or a file of its layout; NULL: none */
    /* Set by the caller: the CPUs that the cgroup allows, "0-3,8", cut on a large machine, and a checksum of all. */
    char allowed[512];
    uint64_t allowed_checksum;
    struct ordo_record_moment clocks;
    bool clocks_read;
    char online[512]; /* cut on a large machine; the checksum is of all */
    uint64_t online_checksum;
    char clocksource[32];
    struct ordo_trust_follower
        *follower; /* set by the caller: the evidence about the clock, kept up to date; NULL: gathered anew */
    struct ordo_trust_verdict verdict; /* on the clock */
    bool vmclock;                      /* the machine has a VMClock */
    uint64_t vmclock_marker;
};

/** The action that follows a finding. */
enum ordo_follow {
    ORDO_FOLLOW_NOTHING, /* people should know; no action */
    ORDO_FOLLOW_RENEW,   /* calibrate, and publish the next generation */
    ORDO_FOLLOW_DISRUPT  /* mark the record DISRUPTED at once, then renew */
};

/** A finding of an observer. */
struct ordo_finding {
    const char *event; /* a word: "jump" */
    enum ordo_follow follow;
    char text[200]; /* one line for people */
};

struct ordo_observer {
    const char *name;
    /* Reads its part of the sight; leaves an unreadable part empty, which is no finding. */
    void (*look)(struct ordo_sight *sight);
    /* True if something happened between `before` and `now`; fills the finding then. `base` is the earliest sight that
     * is kept, up to a minute old. tick_hz is the record's. */
    bool (*judge)(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                  double tick_hz, struct ordo_finding *finding);
};

/** All observers, ending with NULL; generated from the files of observer/. */
extern const struct ordo_observer *const ordo_observers[];

/** Lets all observers read; the caller must have set the members that it sets. */
void ordo_sight_take(struct ordo_sight *sight);

/** Copies from `before` the parts that `now` could not read for lack of file descriptors: they are unknown, which is no
 * change. The next sight that can read a part is then compared with the last one that could. */
void ordo_sight_keep(struct ordo_sight *now, const struct ordo_sight *before);

/** The default path of the VMClock device. */
#define ORDO_VMCLOCK_PATH "/dev/vmclock0"

#endif
