/* Judges the logs of ptp4l, phc2sys, ts2phc and chronyd: how far the clocks were off, how evenly they ran, what went
 * wrong and when. Memory does not grow with the logs: a series takes about 120 KiB, and there are at most
 * ORDO_LOG_TRACKS. */
#ifndef ORDO_NET_LOG_JUDGE_H
#define ORDO_NET_LOG_JUDGE_H

#include "net/log/files.h"
#include "net/log/track.h"

enum { ORDO_LOG_TRACKS = 128 };

/** Limits; NAN: not given. */
struct ordo_log_limits {
    double offset_ns, jitter_ns, delay_ns, bound_ns, silence_ns;
    double percent; /* of the offsets that must be within `offset_ns` */
    double lost;    /* times that a series may lose its lock */
};

/** The verdict on a limit. */
enum ordo_log_verdict { ORDO_LOG_UNLIMITED, ORDO_LOG_HOLDS, ORDO_LOG_EXCEEDED, ORDO_LOG_UNKNOWN };

enum ordo_log_limit {
    ORDO_LOG_LIMIT_OFFSET,
    ORDO_LOG_LIMIT_JITTER,
    ORDO_LOG_LIMIT_DELAY,
    ORDO_LOG_LIMIT_BOUND,
    ORDO_LOG_LIMIT_SILENCE,
    ORDO_LOG_LIMIT_LOST,
    ORDO_LOG_LIMITS
};

/** Lines of one kind of oddity, and the first of them. */
struct ordo_log_oddity {
    uint64_t count, line;
    int file;
    char text[ORDO_LOG_FINDING_TEXT];
};

struct ordo_log_judge {
    struct ordo_log_limits limits;
    struct ordo_log_track *tracks[ORDO_LOG_TRACKS];
    int track_count;
    uint64_t without_track; /* lines of series beyond ORDO_LOG_TRACKS */
    struct ordo_log_findings findings;
    struct ordo_log_oddity odd[ORDO_LOG_ODDS];
    uint64_t lines, kinds[ORDO_LOG_KINDS];
    bool is_full; /* out of memory */
};

/** Returns a judge, which the caller frees; NULL if out of memory. */
struct ordo_log_judge *ordo_log_judge_create(const struct ordo_log_limits *limits);
void ordo_log_judge_free(struct ordo_log_judge *judge);

/** Judges all files, in the order of their times. A file whose content is in another one is left out.
 *
 * 0: all files were read, as far as they can be read
 * ORDO_E_SYSTEM, ORDO_E_INVALID: a file cannot be opened, and is named; or out of memory */
int ordo_log_judge_files(struct ordo_log_judge *judge, struct ordo_log_files *files, struct ordo_error *error);

/** True if the limits on offset, jitter, delay and bound concern this series: the sources of chronyd are not judged if a
 * log of its tracking is there, because a bad source does not make the clock wrong. */
bool ordo_log_judge_concerns(const struct ordo_log_judge *judge, const struct ordo_log_track *track);

/** Returns the verdict on a limit over all series. */
enum ordo_log_verdict ordo_log_judge_limit(const struct ordo_log_judge *judge, enum ordo_log_limit limit);

/** Returns the verdict on one series, and the value that is compared; NAN: the series has none. */
enum ordo_log_verdict ordo_log_judge_track(const struct ordo_log_judge *judge, const struct ordo_log_track *track,
                                           enum ordo_log_limit limit, double *value);

/** Returns the number of readings and summaries, also of those before the first lock. */
uint64_t ordo_log_judge_readings(const struct ordo_log_judge *judge);

#endif
