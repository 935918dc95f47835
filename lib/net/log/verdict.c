/* The limits, and the verdicts on them. */
#include "net/log/verdict.h"

#include <math.h>

bool ordo_log_judge_concerns(const struct ordo_log_judge *judge, const struct ordo_log_track *track)
{
    if (track->key.series == ORDO_LOG_SERVO || track->key.series == ORDO_LOG_TRACKING)
        return true;
    for (int i = 0; i < judge->track_count; i++)
        if (judge->tracks[i]->key.series == ORDO_LOG_TRACKING && judge->tracks[i]->offsets.readings > 0)
            return false;
    return true;
}

static double limit_of(const struct ordo_log_judge *judge, enum ordo_log_limit limit)
{
    const struct ordo_log_limits *limits = &judge->limits;
    const double values[ORDO_LOG_LIMITS] = {limits->offset_ns, limits->jitter_ns,  limits->delay_ns,
                                            limits->bound_ns,  limits->silence_ns, limits->lost};
    return values[limit];
}

static uint64_t offsets_of(const struct ordo_log_track *track)
{
    return track->offsets.readings + track->offsets.summaries;
}

static double value_of_track(const struct ordo_log_judge *judge, const struct ordo_log_track *track,
                             enum ordo_log_limit limit)
{
    switch (limit) {
    case ORDO_LOG_LIMIT_OFFSET:
        return judge->limits.percent < 100 ? ordo_sketch_percentile(&track->offsets.magnitude, judge->limits.percent)
                                           : ordo_log_worst_ns(&track->offsets);
    case ORDO_LOG_LIMIT_JITTER:
        return ordo_log_jitter_ns(&track->offsets);
    case ORDO_LOG_LIMIT_DELAY:
        return track->delays ? fmax(fabs(track->delay_low_ns), fabs(track->delay_high_ns)) : NAN;
    case ORDO_LOG_LIMIT_BOUND:
        return track->bounds ? track->bound_high_ns : NAN;
    case ORDO_LOG_LIMIT_SILENCE:
        return track->observed_ns > 0 ? (double)track->silence_high_ns : NAN;
    case ORDO_LOG_LIMIT_LOST:
        return (double)track->wrongs[ORDO_LOG_LOST];
    case ORDO_LOG_LIMITS:
        break;
    }
    return NAN;
}

enum ordo_log_verdict ordo_log_judge_track(const struct ordo_log_judge *judge, const struct ordo_log_track *track,
                                           enum ordo_log_limit limit, double *value)
{
    double most = limit_of(judge, limit);
    bool of_clock = limit != ORDO_LOG_LIMIT_SILENCE && limit != ORDO_LOG_LIMIT_LOST;
    *value = value_of_track(judge, track, limit);
    if (isnan(most) || (of_clock && !ordo_log_judge_concerns(judge, track)))
        return ORDO_LOG_UNLIMITED;
    if (isnan(*value))
        return limit == ORDO_LOG_LIMIT_OFFSET && track->offsets.over ? ORDO_LOG_EXCEEDED : ORDO_LOG_UNKNOWN;
    /* The sketch rounds a percentile down, so the readings beyond the limit are counted one by one. */
    if (limit == ORDO_LOG_LIMIT_OFFSET) {
        double all = (double)offsets_of(track), within = all - (double)track->offsets.over;
        bool holds = 100 * within >= judge->limits.percent * all * (1 - 1e-15); /* 99.9 is no double */
        return holds ? ORDO_LOG_HOLDS : ORDO_LOG_EXCEEDED;
    }
    return *value <= most ? ORDO_LOG_HOLDS : ORDO_LOG_EXCEEDED;
}

enum ordo_log_verdict ordo_log_judge_limit(const struct ordo_log_judge *judge, enum ordo_log_limit limit)
{
    bool holds = false, is_whole = !judge->odd[ORDO_LOG_ODD_DAMAGED].count && !judge->odd[ORDO_LOG_ODD_FAILED].count &&
                                   !judge->without_track;
    double value;
    if (isnan(limit_of(judge, limit)))
        return ORDO_LOG_UNLIMITED;
    for (int i = 0; i < judge->track_count; i++) {
        enum ordo_log_verdict verdict = ordo_log_judge_track(judge, judge->tracks[i], limit, &value);
        if (verdict == ORDO_LOG_EXCEEDED)
            return verdict;
        holds = holds || (verdict == ORDO_LOG_HOLDS && (limit == ORDO_LOG_LIMIT_LOST || offsets_of(judge->tracks[i])));
    }
    return holds && is_whole ? ORDO_LOG_HOLDS : ORDO_LOG_UNKNOWN;
}
