#include "calibrate/watch/track.h"

#include <math.h>
#include <string.h>

#include "base/regression.h"

enum {
    VISITS_OF_A_LINE = 8,     /* fewer visits fit some line by chance */
    SCATTERS_OF_A_DRIFT = 12, /* twice the maximum for a step (track.h) */
    MOVED_PART = 8,           /* a likely drift has moved by at least the boundary / 8, */
    OUTWARD_PART = 4,         /* or the offset is beyond the boundary / 4 and moves outwards */
    VISITS_NOW = 4,           /* the current offset is the intersection of the latest 4 visits */
    STEP_PART = 4,            /* minimum scatter: step / 4, because the granule alone causes step / sqrt(12) */
};

void ordo_track_clear(struct ordo_track *track)
{
    memset(track, 0, sizeof *track);
}

static int64_t width(const struct ordo_visit *visit)
{
    return visit->delta_ab + visit->delta_ba;
}

static void push(struct ordo_track_level *level, const struct ordo_visit *visit)
{
    if (level->count < ORDO_TRACK_SAMPLES) {
        level->samples[level->count++] = *visit;
    } else {
        level->samples[level->first] = *visit;
        level->first = (level->first + 1) % ORDO_TRACK_SAMPLES;
    }
    if (level->since++ == 0 || width(visit) < width(&level->best))
        level->best = *visit;
}

void ordo_track_add(struct ordo_track *track, const struct ordo_visit *visit)
{
    struct ordo_visit risen = *visit;
    for (int i = 0; i < ORDO_TRACK_LEVELS; i++) {
        struct ordo_track_level *level = &track->levels[i];
        push(level, &risen);
        if (level->since < ORDO_TRACK_BEST_OF)
            return;
        risen = level->best;
        level->since = 0;
    }
}

bool ordo_track_seen(const struct ordo_track *track)
{
    return track->levels[0].count > 0;
}

/* Copies the latest samples, at most `most`, the oldest first. Returns their number. */
static int latest(const struct ordo_track_level *level, int most, struct ordo_visit *visits)
{
    int count = level->count < most ? level->count : most;
    for (int i = 0; i < count; i++)
        visits[i] = level->samples[(level->first + level->count - count + i) % ORDO_TRACK_SAMPLES];
    return count;
}

struct ordo_interval ordo_track_interval(const struct ordo_track *track)
{
    struct ordo_visit visits[VISITS_NOW];
    int count = latest(&track->levels[0], VISITS_NOW, visits);
    struct ordo_interval common = ordo_offset_intersect(visits, count);
    return common.low <= common.high ? common : ordo_offset_of_visit(&visits[count - 1]);
}

static double middle(const struct ordo_visit *visit)
{
    return ((double)visit->delta_ab - (double)visit->delta_ba) / 2;
}

/* Returns the mid-time of a visit, in ticks since the first visit. */
static double moment(const struct ordo_visit *visit, const struct ordo_visit *first)
{
    return ((double)(int64_t)(visit->at_ab - first->at_ab) + (double)(int64_t)(visit->at_ba - first->at_ab)) / 2;
}

/* A line through the middles of the offset intervals of visits: its slope with bounds, its total change, its value at
 * the end, and the scatter of the middles about the line. */
struct fit {
    double slope, low, high; /* in ticks per tick, or per visit */
    double by, end, scatter;
};

/* Fits a line. x is the time of a visit if `by_time` is true, else the number of the visit. */
static struct fit fit_line(const struct ordo_visit *visits, int count, bool by_time)
{
    double x[ORDO_TRACK_SAMPLES] = {0}, y[ORDO_TRACK_SAMPLES] = {0}, squares = 0;
    for (int i = 0; i < count; i++) {
        x[i] = by_time ? moment(&visits[i], &visits[0]) : i;
        y[i] = middle(&visits[i]);
    }
    struct ordo_line line = ordo_stats_line(x, y, (size_t)count);
    for (int i = 0; i < count; i++)
        squares += pow(y[i] - line.at_zero - line.slope * x[i], 2);
    return (struct fit){line.slope,
                        line.slope_low,
                        line.slope_high,
                        fabs(line.slope * (x[count - 1] - x[0])),
                        line.at_zero + line.slope * x[count - 1],
                        sqrt(squares / count)};
}

static double left_s(double offset, double slope, double boundary, double tick_hz)
{
    double left = boundary - (slope > 0 ? offset : -offset);
    return left > 0 ? left / fabs(slope) / tick_hz : 0;
}

static bool straight(const struct fit *fit, double boundary, double step)
{
    bool outwards = fit->end * fit->slope > 0 && fabs(fit->end) >= boundary / OUTWARD_PART;
    return (fit->by >= boundary / MOVED_PART || outwards) &&
           fit->by >= SCATTERS_OF_A_DRIFT * fmax(fit->scatter, step / STEP_PART);
}

static bool judge_trend(const struct ordo_visit *visits, int count, double boundary, uint64_t step_ticks,
                        double tick_hz, struct ordo_trend *trend)
{
    struct fit fit = fit_line(visits, count, true), numbered = fit_line(visits, count, false);
    struct ordo_drift drift = ordo_offset_drift(visits, count, (int64_t)step_ticks);
    double slope = fit.slope, step = (double)step_ticks;
    trend->proved = drift.min_ppb <= drift.max_ppb && (drift.min_ppb > 0 || drift.max_ppb < 0);
    if (!trend->proved && !(straight(&fit, boundary, step) && straight(&numbered, boundary, step)))
        return false;
    trend->low_ppb = trend->proved ? drift.min_ppb : fit.low * 1e9;
    trend->high_ppb = trend->proved ? drift.max_ppb : fit.high * 1e9;
    if (trend->proved) /* clamp the slope to the proved bounds */
        slope = fmin(fmax(slope, drift.min_ppb * 1e-9), drift.max_ppb * 1e-9);
    trend->drift_ppb = slope * 1e9;
    trend->offset_ticks = fit.end;
    trend->left_s = left_s(fit.end, slope, boundary, tick_hz);
    return true;
}

bool ordo_track_trend(const struct ordo_track *track, uint64_t boundary_ticks, uint64_t step_ticks, double tick_hz,
                      struct ordo_trend *trend)
{
    struct ordo_visit visits[ORDO_TRACK_SAMPLES];
    static const int windows[] = {VISITS_OF_A_LINE, ORDO_TRACK_SAMPLES};
    for (int i = 0; i < ORDO_TRACK_LEVELS; i++)
        for (int w = 0; w < 2; w++) {
            int count = latest(&track->levels[i], windows[w], visits);
            if (count >= VISITS_OF_A_LINE &&
                judge_trend(visits, count, (double)boundary_ticks, step_ticks, tick_hz, trend))
                return true;
        }
    return false;
}

bool ordo_track_suspect(const struct ordo_track *track, uint64_t boundary_ticks)
{
    struct ordo_visit visits[ORDO_TRACK_SAMPLES];
    int before = latest(&track->levels[0], ORDO_TRACK_SAMPLES, visits) - 1;
    if (before < VISITS_OF_A_LINE)
        return false;
    double low = middle(&visits[0]), high = low, now = middle(&visits[before]);
    for (int i = 1; i < before; i++) {
        low = fmin(low, middle(&visits[i]));
        high = fmax(high, middle(&visits[i]));
    }
    double beyond = (double)boundary_ticks / OUTWARD_PART;
    return now < low - beyond || now > high + beyond;
}
