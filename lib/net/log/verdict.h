/* What a judge of logs knows, the limits, and the verdicts on them. */
#ifndef ORDO_NET_LOG_VERDICT_H
#define ORDO_NET_LOG_VERDICT_H

#include "net/log/reader.h"
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

/** True if the limits on offset, jitter, delay and bound concern this series: the sources of chronyd are not judged if a
 * log of its tracking is there, because a bad source does not make the clock wrong. */
bool ordo_log_judge_concerns(const struct ordo_log_judge *judge, const struct ordo_log_track *track);

/** Returns the verdict on a limit over all series. */
enum ordo_log_verdict ordo_log_judge_limit(const struct ordo_log_judge *judge, enum ordo_log_limit limit);

/** Returns the verdict on one series, and the value that is compared; NAN: the series has none. */
enum ordo_log_verdict ordo_log_judge_track(const struct ordo_log_judge *judge, const struct ordo_log_track *track,
                                           enum ordo_log_limit limit, double *value);

#endif
