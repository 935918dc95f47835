/* A watcher: what it was asked, what it holds, and what it has seen. One thread owns it. */
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
    double growth_s;      /* for how long a boundary that is widened for a drift lasts */
    bool once, quiet;
};

/** A pair of CPUs that is looked at. */
struct watched_pair {
    unsigned a, b; /* the operating system's numbers */
    struct ordo_track track;
    int64_t warned_ns; /* CLOCK_MONOTONIC_RAW of the last warning of a drift; 0: none */
};

/** A file that cannot be written now. */
struct trouble {
    bool lasts;
};

/** A record that was proved wrong, and that is not marked yet. */
struct unmarked {
    bool any;
    bool kernels; /* the record of the kernel's clock */
    int fd;       /* of ordo_record_reach, or -1 */
    struct ordo_record head;
};

/** A calibration that is to be made. */
struct wanted {
    bool any;
    bool asked;        /* by a person: it does not wait for its turn (watch_renew) */
    bool told;         /* that it waits for its turn */
    bool force;        /* a proved offset explains a boundary that is otherwise implausible */
    double growth_ppb; /* the drift for which the boundary is widened */
    char reason[160];
    int64_t at_ns;    /* not before that, CLOCK_MONOTONIC_RAW */
    int64_t delay_ns; /* that was waited the last time; doubled after each that fails */
};

struct watch {
    const struct watch_options *options;
    const char *program, *path;
    char path_buffer[4096];
    int lock;
    bool stop;
    struct notify notify;

    struct held held;
    struct stat unusable; /* the file that was there and could not be used; zero: none */
    bool unread;          /* because the system refused: the next look tries again */
    bool whole;           /* it covers every CPU that may be used: so will the next */
    bool usable;          /* it holds, as far as is known */
    uint64_t base_margin; /* asked for by a person, without what was added for a drift */
    uint64_t own_generation;
    struct wanted wanted;
    int64_t kernel_ns,
        kernel_delay_ns; /* when the record of the kernel's clock is looked at next, and how long after */
    bool asked;          /* by a signal, which what is measured or waits to be written by then does not answer */
    struct unmarked unmarked[4];
    bool kernel_unread;               /* the record of the kernel's clock was to be withdrawn, and could not be read */
    struct ordo_calibration *pending; /* made, and not written yet */
    int64_t pending_since_ns;
    struct ordo_turns turns;        /* CLOCK_MONOTONIC_RAW */
    int64_t glance_ns, observed_ns; /* during a calibration: the next walk, the last look at everything else */

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
    int64_t reserve_ns;     /* and of what the reserve paid */
};

/** CPU time of this process. */
int64_t watch_cpu_ns(void);

/** Writes an event to the log, and to stderr for people. */
void watch_say(struct watch *watch, const struct event *event);

/** Whether a file can be written has turned out: begins and ends its trouble, and says so. */
void watch_trouble(struct watch *watch, struct trouble *trouble, int code, const struct ordo_error *error);

/** Writes the metrics now, if they were asked for. */
void watch_write_metrics(struct watch *watch);

/** Wants a calibration, as soon as may be. A result that waits to be written does not answer it, and is dropped. */
void watch_want(struct watch *watch, bool force, double growth_ppb, const char *reason);

/** Withdraws the record, which is proved wrong: marks it DISRUPTED, now or as soon as that is possible. A result that waits to be
 * written was measured before, and is dropped. */
void watch_disrupt(struct watch *watch);

/** Marks the records that were withdrawn and could not be marked so far. */
void watch_mark(struct watch *watch);

/** Keeps a withdrawn record until it is marked. `fd` is that of ordo_record_reach, or -1, and is closed in the end. */
void watch_keep_unmarked(struct watch *watch, bool kernels, int fd, const struct ordo_record *head);

/** Closes what watch_keep_unmarked keeps. */
void watch_forget_unmarked(struct watch *watch);

/** Watches between two pairs of a calibration, because rounds and seconds wait for its end: sends the service manager's
 * watchdog message, heeds signals, walks, and once a second marks and observes. True if a signal has stopped the watcher, or if it has
 * found something that the calibration cannot answer. */
bool watch_meanwhile(struct watch *watch);

/** Loads the record if there is one that holds, and wants a calibration where there is none. */
void watch_load(struct watch *watch);

/** Makes the calibration that is wanted, if its time has come. */
void watch_renew(struct watch *watch);

/** Sets the options to those of the record that is held; what they point to is to be freed in any case. 0, or
 * ORDO_E_SYSTEM when out of memory. */
int watch_choose(struct watch *watch, struct ordo_calibrate_options *options, char **list, char **present);

/** Makes a record of the kernel's clock if there is none that holds; looks every ten seconds. */
void watch_look_at_kernel_clock(struct watch *watch);

/** Withdraws the record of the kernel's clock, because the counter's was. */
void watch_withdraw_kernel_clock(struct watch *watch);

/** What became of the record's file. */
void watch_look_at_record(struct watch *watch);

/** Forgets what was seen of the pairs, and arranges those of the record that is held. 0, or -1 when out of memory. */
int watch_arrange(struct watch *watch);

/** One round: a look at the next pair, a walk. `walk`: even where two CPUs were looked at. */
void watch_round(struct watch *watch, bool walk);

/** Looks at each of the first pairs a few times in a row, as far as the reserve lasts: a drift that uses up the boundary
 * within a second would be noticed too late otherwise. */
void watch_begin_rounds(struct watch *watch);

/** A walk during a calibration, if its time has come. True if it proves that the record is wrong. */
bool watch_glance(struct watch *watch);

/** Everything besides pairs, once a second. True if it wants a calibration. */
bool watch_observe(struct watch *watch);

/** A signal that asks to end or to calibrate, taken from those that wait; up to `ns` for one to come. */
void watch_heed_signals(struct watch *watch, int64_t ns);

/** The whole of it. Returns the exit code. */
int watch_run(struct watch *watch);

#endif
