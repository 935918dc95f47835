/* A line: the time of a kernel clock as a function of the counter, valid for a short span of ticks.
 *
 *     f(t) = start + rate * (t - base)    for base <= t < end
 *
 * Pure functions: they read no clock. Why times that are read from successive lines do not decrease:
 *
 *  [L1] Let g be the line after f. g(t) >= f(t) for every t with g.base <= t <= f.end. Both are linear, so it suffices
 *       that this holds at both ends of the overlap, which preload_line_next enforces.
 *  [L2] If there is no overlap, g(g.base) >= f(f.end).
 *  [L3] A line is replaced at the earliest after 5/8 of its length. Two consecutive lines therefore cover 10/8 of a
 *       length, and only neighbours overlap, even if the counters of two CPUs differ by an eighth of a length.
 *
 * Let x be read from f at t, and y later from g at u >= t. If u < g.base, y is g(g.base) >= f(u) by [L1], because a
 * reading before the base is moved to the base. Otherwise y = g(u) >= f(u) >= f(t) by [L1], or y >= f(f.end) >= f(t) by
 * [L2]. Hence y >= x. */
#ifndef ORDO_PRELOAD_LINE_H
#define ORDO_PRELOAD_LINE_H

#include <stdint.h>

/* Nanoseconds in units of 2^-32. */
__extension__ typedef unsigned __int128 preload_ns32;

struct preload_line {
    uint64_t base, end; /* ticks */
    uint64_t rate;      /* 2^-32 ns a tick */
    preload_ns32 start; /* f(base) */
};

/** A sight of the kernel's clock: when the counter showed `at`, the clock showed between low_ns and high_ns. */
struct preload_sight {
    uint64_t at;
    int64_t low_ns, high_ns;
};

static inline preload_ns32 preload_ns32_of(int64_t ns)
{
    return (preload_ns32)(uint64_t)ns << 32;
}

static inline int64_t preload_ns_of(preload_ns32 time)
{
    return (int64_t)(uint64_t)(time >> 32);
}

/** Returns f(t). A time outside of the line is moved to its nearer end. */
static inline preload_ns32 preload_line_at(const struct preload_line *line, uint64_t t)
{
    uint64_t inside = t < line->end ? t : line->end;
    return line->start + (preload_ns32)(inside > line->base ? inside - line->base : 0) * line->rate;
}

/** Returns the ticks after which a line of this length is replaced [L3]. */
static inline uint64_t preload_line_span(uint64_t length)
{
    return length - length * 3 / 8;
}

/** Makes the sight of a kernel's time that was read between two readings of the counter. The kernel's rate may differ
 * from `rate` by an eighth (adjtimex allows a tenth). */
static inline struct preload_sight preload_sight_of(uint64_t before, uint64_t after, int64_t ns, uint64_t rate)
{
    uint64_t ticks = after > before ? after - before : 0;
    struct preload_sight sight = {after, ns,
                                  ns + 1 + (int64_t)(uint64_t)((preload_ns32)ticks * (rate + rate / 8) >> 32)};
    return sight;
}

/** Returns the rate that works off a lead of `over` within `ticks`, but not less than half of `rate`. */
static inline uint64_t preload_rate_slower(uint64_t rate, preload_ns32 over, uint64_t ticks)
{
    preload_ns32 most = (preload_ns32)(rate / 2) * ticks;
    return over >= most ? rate - rate / 2 : rate - (uint64_t)over / ticks;
}

/** Returns the first line: it begins in the middle of the sight. */
static inline struct preload_line preload_line_first(const struct preload_sight *sight, uint64_t rate, uint64_t length)
{
    struct preload_line line = {sight->at, sight->at + length, rate, 0};
    line.start = (preload_ns32_of(sight->low_ns) + preload_ns32_of(sight->high_ns)) / 2;
    return line;
}

/* Returns the line after one that has ended: [L2]. */
static inline struct preload_line preload_line_after_gap(const struct preload_line *old,
                                                         const struct preload_sight *sight, uint64_t rate,
                                                         uint64_t length)
{
    struct preload_line line = preload_line_first(sight, rate, length);
    const preload_ns32 last = preload_line_at(old, old->end), most = preload_ns32_of(sight->high_ns);
    if (line.start < last) /* [L2] */
        line.start = last;
    if (line.start > most)
        line.rate = preload_rate_slower(rate, line.start - most, length);
    return line;
}

/** Returns the line that follows `old`, from a sight that is not before old->base.
 *
 * If the old line passes through the sight, the new line continues it. If the old line is below the sight, the new line
 * begins at the lower end of the sight. If the old line is ahead, the new line cannot go back [L1]: it dominates the old
 * line as closely as it can, and runs slower, so that its lead is worked off when it ends. The lead at the sight and the
 * lead at the old line's end each demand a rate; the smaller rate satisfies both. */
static inline struct preload_line preload_line_next(const struct preload_line *old, const struct preload_sight *sight,
                                                    uint64_t rate, uint64_t length)
{
    struct preload_line line = {sight->at, sight->at + length, rate, preload_ns32_of(sight->low_ns)};
    if (sight->at >= old->end || line.end <= old->end)
        return preload_line_after_gap(old, sight, rate, length);
    const uint64_t left = old->end - sight->at;
    const preload_ns32 last = preload_line_at(old, old->end), now = preload_line_at(old, sight->at);
    const preload_ns32 most = preload_ns32_of(sight->high_ns), most_then = most + (preload_ns32)left * rate;
    if (now > most)
        line.rate = preload_rate_slower(rate, now - most, length);
    if (last > most_then) {
        const uint64_t slower = preload_rate_slower(rate, last - most_then, line.end - old->end);
        line.rate = slower < line.rate ? slower : line.rate;
    }
    if (line.start < now) /* [L1] at the beginning of the overlap */
        line.start = now;
    if (line.start + (preload_ns32)left * line.rate < last) /* [L1] at its end */
        line.start = last - (preload_ns32)left * line.rate;
    return line;
}

#endif
