/* A series of a log: the offsets of one clock as one daemon reports them, in constant memory.
 *
 * The state of the lock decides what counts. A series that begins unlocked is starting; when it locks for the first
 * time, the readings so far are set aside as the start. Everything behind the first lock counts, also readings while the
 * lock is lost: the clock was in use then. A series that never locks counts in full. */
#ifndef ORDO_NET_LOG_TRACK_H
#define ORDO_NET_LOG_TRACK_H

#include "base/sketch.h"
#include "net/log/band.h"
#include "net/log/finding.h"
#include "net/log/grid.h"
#include "net/log/item.h"

enum { ORDO_LOG_NAME = 96 };

/** What tells one series from another. */
struct ordo_log_key {
    enum ordo_log_program program;
    enum ordo_log_series series;
    int64_t pid; /* -1: the lines have none */
    const char
        *file; /* the stem of the file, because the lines name no host; NULL: they do. `host` may be too short for it */
    char host[ORDO_LOG_NAME];
    char tag[ORDO_LOG_NAME];
    char clock[ORDO_LOG_NAME]; /* "": the daemon has only one */
};

/** The offsets that count. */
struct ordo_log_offsets {
    uint64_t readings;            /* offsets that stand in the log one by one */
    uint64_t summaries;           /* lines that summarise several offsets */
    uint64_t over;                /* readings and summaries beyond the limit */
    double mean_ns, squares;      /* of the readings, by Welford's method */
    double low_ns, high_ns;       /* of the readings; of summaries plus and minus the maximum */
    double summary_squares;       /* the sum of the squared rms of the summaries */
    uint64_t changes;             /* pairs of readings that follow each other */
    double change_squares;        /* the sum of the squares of their differences */
    struct ordo_sketch magnitude; /* of the readings, and of the maxima of the summaries */
};

enum ordo_log_lock { ORDO_LOG_LOCK_UNKNOWN, ORDO_LOG_STARTING, ORDO_LOG_LOCKED, ORDO_LOG_UNLOCKED };

struct ordo_log_track {
    struct ordo_log_key key;
    struct ordo_log_offsets offsets;
    uint64_t start_readings; /* set aside: before the first lock */
    double start_worst_ns;
    uint64_t repeated; /* readings left out because an earlier file had them */
    uint64_t delays;
    double delay_sum_ns, delay_low_ns, delay_high_ns;
    uint64_t bounds;
    double bound_high_ns;
    uint64_t freqs;
    double freq_low_ppb, freq_high_ppb;
    struct ordo_log_time first, last; /* of the readings */
    int last_file;
    uint64_t last_line;
    bool has_last, has_time; /* has_time: a reading had a time */
    double last_offset_ns;
    double usual_change_ns; /* of one reading to the next, smoothed */
    enum ordo_log_lock lock;
    struct ordo_log_time lost_at, seen; /* seen: the last event, or the end of the log */
    double observed_ns, unlocked_ns; /* time between readings; time behind the first lock in which the lock was lost */
    int64_t silence_high_ns;         /* the longest time from one reading to the next */
    int place[ORDO_LOG_WRONGS];      /* of the last finding of each kind in the list, or -1 */
    bool has_place[ORDO_LOG_WRONGS], is_over[ORDO_LOG_WRONGS];
    uint64_t wrongs[ORDO_LOG_WRONGS];
    char master[ORDO_LOG_NAME]; /* the last master or source; "": not named yet */
    struct ordo_log_grid grid;
    struct ordo_log_band band;
};

/** Counts an offset, or the rms and maximum of several. `limit_ns` may be INFINITY. */
void ordo_log_offsets_add(struct ordo_log_offsets *offsets, double offset_ns, double limit_ns);
void ordo_log_offsets_add_summary(struct ordo_log_offsets *offsets, double rms_ns, double max_ns, double limit_ns);

/** Returns the standard deviation of the readings; NAN if there are fewer than two. */
double ordo_log_deviation_ns(const struct ordo_log_offsets *offsets);

/** Returns the root of the mean square of the readings and of the summarised offsets; NAN if there are none. */
double ordo_log_rms_ns(const struct ordo_log_offsets *offsets);

/** Returns the jitter: the root of the mean square of the changes from one reading to the next. NAN if there are none. */
double ordo_log_jitter_ns(const struct ordo_log_offsets *offsets);

/** Returns the greatest magnitude; NAN if there are no readings. */
double ordo_log_worst_ns(const struct ordo_log_offsets *offsets);

/** Returns the nanoseconds from one time to another, by the clock since the start of the machine if both have it, else
 * by the wall clock. False: they have no clock in common. */
bool ordo_log_elapsed(const struct ordo_log_time *from, const struct ordo_log_time *to, int64_t *ns);

#endif
