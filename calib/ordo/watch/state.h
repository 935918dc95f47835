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
    double share_percent; /* of one core */
    double growth_s;      /* how long a boundary that was widened for a drift remains valid */
    bool once, quiet;
};

/** A watched pair of CPUs. */
struct watched_pair {
    unsigned a, b; /* the operating system's numbers */
    struct ordo_track track;
    int64_t warned_ns; /* CLOCK_MONOTONIC_RAW of the last warning of a drift; 0: none */
};

/** A file that cannot be written at present. */
struct trouble {
    bool lasts;
};

/** A record that was proved wrong and is not marked yet. */
struct unmarked {
    bool any;
    bool kernels; /* the record of the kernel's clock */
    int fd;       /* from ordo_record_reach, or -1 */
    struct ordo_record head;
};

/** A calibration to be made. */
struct wanted {
    bool any;
    bool asked;        /* by a person: it does not wait for its turn (watch_renew) */
    bool told;         /* the wait for its turn was reported */
    bool force;        /* a proved offset explains a boundary that is otherwise implausible */
    double growth_ppb; /* the drift for which the boundary is widened */
    char reason[160];
    int64_t at_ns;    /* earliest time, CLOCK_MONOTONIC_RAW */
    int64_t delay_ns; /* the last delay; doubled after each failure */
};

struct watch {
    const struct watch_options *options;
    const char *program, *path;
    char path_buffer[4096];
    int lock;
    bool stop;
    struct notify notify;

    struct held held;
    struct stat unusable; /* the unusable file at the path; zero: none */
    bool unread;          /* because the system refused: the next check tries again */
    bool whole;           /* it covers every usable CPU, and so must the next */
    bool usable;          /* valid, as far as is known */
    uint64_t base_margin; /* requested by a person, without the part added for a drift */
    uint64_t own_generation;
    struct wanted wanted;
    int64_t kernel_ns,
        kernel_delay_ns; /* when the record of the kernel's clock is checked next, and the delay after that */
    bool asked; /* by a signal; a running measurement, or a result that waits to be written, does not answer it */
    struct unmarked unmarked[4];
    bool kernel_unread;               /* the record of the kernel's clock should be withdrawn, but could not be read */
    struct ordo_calibration *pending; /* measured, and not written yet */
    int64_t pending_since_ns;
    struct ordo_turns turns;        /* CLOCK_MONOTONIC_RAW */
    int64_t glance_ns, observed_ns; /* during a calibration: the next walk, the last observation of everything else */

    struct ordo_looker *looker;
    struct watched_pair *pairs;
    int pair_count, next_pair;
    struct ordo_stop *stops, *before, *anchor; /* the walk just made, the last one that proved nothing, the first */
    int stop_count, before_count, anchor_count;
    struct ordo_trust_follower trust;
    struct ordo_sight base, last;
    bool sighted;

    struct ordo_pace pace;
    struct event_log log;
    struct trouble log_trouble, metrics_trouble, record_trouble, mark_trouble;
    struct metrics metrics;
    int64_t begin_ns, second_ns, metrics_ns, base_ns;
    int64_t calibrating_ns; /* CPU time of calibrations */
    int64_t reserve_ns;     /* and of looks that the reserve paid */
};

/** Returns the CPU time of this process. */
int64_t watch_cpu_ns(void);

/** Writes an event to the log, and to stderr for people. */
void watch_say(struct watch *watch, const struct event *event);

/** Notes whether a file could be written: begins or ends its trouble, and reports it. */
void watch_trouble(struct watch *watch, struct trouble *trouble, int code, const struct ordo_error *error);

/** Writes the metrics now, if the options name a file for them. */
void watch_write_metrics(struct watch *watch);

/** Requests a calibration, as soon as possible. A result that waits to be written does not answer the request, and is
 * dropped. */
void watch_want(struct watch *watch, bool force, double growth_ppb, const char *reason);

/** Withdraws the record, which is proved wrong: marks it DISRUPTED, now or as soon as possible. A result that waits to
 * be written was measured before, and is dropped. */
void watch_disrupt(struct watch *watch);

/** Marks the withdrawn records that could not be marked so far. */
void watch_mark(struct watch *watch);

/** Keeps a withdrawn record until it is marked. `fd` is that of ordo_record_reach, or -1; it is closed in the end. */
void watch_keep_unmarked(struct watch *watch, bool kernels, int fd, const struct ordo_record *head);

/** Closes what watch_keep_unmarked keeps. */
void watch_forget_unmarked(struct watch *watch);

/** Watches between two pairs of a calibration, because rounds and seconds wait for its end: sends the watchdog message
 * to the service manager, handles signals, walks, and once a second marks and observes. True if a signal has stopped
 * the watcher, or if it found something that the calibration cannot answer. */
bool watch_meanwhile(struct watch *watch);

/** Loads the record if there is a valid one; else requests a calibration. */
void watch_load(struct watch *watch);

/** Makes the requested calibration, if its time has come. */
void watch_renew(struct watch *watch);

/** Sets the options to those of the held record; the caller frees `*list` and `*present` in any case. Returns 0, or
 * ORDO_E_SYSTEM if out of memory. */
int watch_choose(struct watch *watch, struct ordo_calibrate_options *options, char **list, char **present);

/** Makes a record of the kernel's clock if there is no valid one; checks every ten seconds. */
void watch_look_at_kernel_clock(struct watch *watch);

/** Withdraws the record of the kernel's clock, because the counter's was withdrawn. */
void watch_withdraw_kernel_clock(struct watch *watch);

/** Checks the record's file. */
void watch_look_at_record(struct watch *watch);

/** Forgets the observations of the pairs, and sets up the pairs of the held record. Returns 0, or -1 if out of
 * memory. */
int watch_arrange(struct watch *watch);

/** Makes one round: one look at the next pair, and a walk. With only two CPUs, an answered look replaces the walk,
 * unless `walk` is set. */
void watch_round(struct watch *watch, bool walk);

/** Looks at each of the first pairs a few times in a row, as far as the reserve lasts; otherwise a drift that uses up
 * the boundary within a second would be noticed too late. */
void watch_begin_rounds(struct watch *watch);

/** Walks during a calibration, if it is time. True if the walk proves the record wrong. */
bool watch_glance(struct watch *watch);

/** Observes everything besides pairs, once a second. True if a finding needs a calibration. */
bool watch_observe(struct watch *watch);

/** Takes a pending signal to end or to calibrate; waits up to `ns` for one. */
void watch_heed_signals(struct watch *watch, int64_t ns);

/** Runs the watcher. Returns the exit code. */
int watch_run(struct watch *watch);

#endif
