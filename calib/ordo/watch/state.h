/* The state of a watcher: its options, its record, and its observations. One thread owns it. */
#ifndef ORDO_WATCH_STATE_H
#define ORDO_WATCH_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "calibrate/record/calibration.h"
#include "calibrate/watch/look.h"
#include "calibrate/watch/observe.h"
#include "calibrate/watch/pace.h"
#include "calibrate/watch/track.h"
#include "calibrate/watch/walk.h"
#include "ordo/watch/event.h"
#include "ordo/watch/held.h"
#include "ordo/watch/metrics.h"
#include "ordo/watch/notify.h"

struct watch_options {
    const char *record, *log, *metrics, *vmclock;
    double share_percent; /* percent of one core */
    double growth_s;      /* seconds for which a boundary that was widened for a drift shall hold */
    bool once, quiet;
};

/** A watched pair of CPUs. */
struct watched_pair {
    unsigned a, b; /* CPU numbers of the operating system */
    struct ordo_track track;
    int64_t warned_ns; /* CLOCK_MONOTONIC_RAW of the last warning about a drift; 0: no warning yet */
};

/** The trouble that a file cannot be written. */
struct trouble {
    bool lasts;
};

/** A record that was proved wrong and could not be marked yet. */
struct unmarked {
    bool any;
    bool kernels; /* it is the record of the kernel's clock */
    int fd;       /* descriptor of ordo_record_reach, or -1 */
    struct ordo_record head;
};

/** A requested calibration. */
struct wanted {
    bool any;
    bool asked;        /* by a user: it need not wait until calibrations are allowed again (has_turn) */
    bool told;         /* the wait was reported */
    bool force;        /* accept an implausible boundary, because a proved offset explains it */
    double growth_ppb; /* drift for which the boundary must be widened */
    char reason[160];
    int64_t at_ns;    /* earliest time of the calibration, CLOCK_MONOTONIC_RAW */
    int64_t delay_ns; /* delay before this attempt; doubled after each failure */
};

struct watch {
    const struct watch_options *options;
    const char *program, *path;
    char path_buffer[4096];
    int lock;
    bool stop;
    struct notify notify;

    struct held held;
    struct stat unusable; /* identity of an unusable file at the path; zero: no such file */
    bool unread;          /* the file could not be read; the next check tries again */
    bool whole;           /* the record covers every usable CPU, and its successor must, too */
    bool usable;          /* the record is valid, as far as is known */
    uint64_t base_margin; /* margin that a user requested, without the addition for a drift */
    uint64_t own_generation;
    struct wanted wanted;
    int64_t kernel_ns,
        kernel_delay_ns; /* time of the next check of the kernel clock's record; delay until the check after it */
    bool asked;          /* by a signal; a calibration that has already run does not answer it */
    struct unmarked unmarked[4];
    bool kernel_unread;               /* the record of the kernel's clock must be withdrawn, but could not be read */
    struct ordo_calibration *pending; /* measured, not yet written */
    int64_t pending_since_ns;
    struct ordo_turns turns;        /* limits the rate of calibrations; in CLOCK_MONOTONIC_RAW */
    int64_t glance_ns, observed_ns; /* during a calibration: time of the next walk, and of the last watch_observe() */

    struct ordo_looker *looker;
    struct watched_pair *pairs;
    int pair_count, next_pair;
    struct ordo_stop *stops, *before, *anchor; /* the latest walk; the last good walk; the first walk */
    int stop_count, before_count, anchor_count;
    struct ordo_trust_follower trust;
    struct ordo_sight base, last;
    bool sighted;

    struct ordo_pace pace;
    struct event_log log;
    struct trouble log_trouble, metrics_trouble, record_trouble, mark_trouble;
    struct metrics metrics;
    int64_t begin_ns, second_ns, metrics_ns, base_ns;
    int64_t calibrating_ns; /* CPU time used by calibrations */
    int64_t reserve_ns;     /* CPU time used by looks at the expense of the reserve */
};

#endif
