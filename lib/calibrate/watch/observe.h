/* The observers of a watcher: each observes one thing besides pairs of CPUs, and has one file in observer/ [registry].
 * A sight is the state of the machine at one moment. An observer reads its part of a sight, and compares two sights;
 * the comparison is a pure function. */
#ifndef ORDO_CALIBRATE_WATCH_OBSERVE_H
#define ORDO_CALIBRATE_WATCH_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include <ordo/record.h>

#include "machine/counter/trust.h"

/** The state of the machine at one moment. */
struct ordo_sight {
    const char *vmclock_path; /* set by the caller: the VMClock device, or a file with its layout; NULL: none */
    /* Set by the caller: the CPUs that the cgroup allows, such as "0-3,8", truncated on a large machine, and a checksum
     * of all these CPUs. */
    char allowed[512];
    uint64_t allowed_checksum;
    struct ordo_record_moment clocks;
    bool clocks_read;
    char online[512]; /* the online CPUs, truncated on a large machine; the checksum covers all */
    uint64_t online_checksum;
    char clocksource[32];
    struct ordo_trust_follower
        *follower; /* set by the caller: the current evidence about the clock; NULL: gather it anew */
    struct ordo_trust_verdict verdict; /* the verdict on the clock */
    bool vmclock;                      /* the machine has a VMClock */
    uint64_t vmclock_marker;
};

/** The action that follows a finding. */
enum ordo_follow {
    ORDO_FOLLOW_NOTHING, /* only report the finding */
    ORDO_FOLLOW_RENEW,   /* calibrate, and publish the next generation */
    ORDO_FOLLOW_DISRUPT  /* mark the record DISRUPTED at once, then renew */
};

/** A finding of an observer. */
struct ordo_finding {
    const char *event; /* one word, such as "jump" */
    enum ordo_follow follow;
    char text[200]; /* one line of text */
};

struct ordo_observer {
    const char *name;
    /* Reads the observer's part of the sight. An unreadable part stays empty, which is no finding. */
    void (*look)(struct ordo_sight *sight);
    /* True if there is a finding between the sights `before` and `now`; then fills it. `base` is the oldest kept sight,
     * up to a minute old. `tick_hz` is the record's rate. */
    bool (*judge)(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                  double tick_hz, struct ordo_finding *finding);
};

/** All observers, ending with NULL; generated from the files of observer/. */
extern const struct ordo_observer *const ordo_observers[];

/** Lets all observers read their parts. First set the members that are marked "set by the caller". */
void ordo_sight_take(struct ordo_sight *sight);

/** Copies from `before` the parts that could not be read into `now` for lack of file descriptors, because an unknown
 * part is no change. The next sight whose part can be read is then compared with the last sight whose part could be
 * read. */
void ordo_sight_keep(struct ordo_sight *now, const struct ordo_sight *before);

/** The default path of the VMClock device. */
#define ORDO_VMCLOCK_PATH "/dev/vmclock0"

#endif
