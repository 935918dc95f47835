/* The offset of a device's clock from its host's clock as a straight line, from bounds of the offset at some times. */
#ifndef ORDO_TRACE_DEVICE_LINE_H
#define ORDO_TRACE_DEVICE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A bound of the offset (device - host) when the device's clock shows at_ns. */
struct ordo_device_line_bound {
    int64_t at_ns, offset_ns;
};

/** Bounds from one side. ordo_device_line_reduce removes the bounds that are never the tightest. */
struct ordo_device_line_bounds {
    struct ordo_device_line_bound *all;
    size_t count, room;
};

/** Adds a bound. Returns 0, or -1 if out of memory. */
int ordo_device_line_add(struct ordo_device_line_bounds *bounds, int64_t at_ns, int64_t offset_ns);
void ordo_device_line_bounds_free(struct ordo_device_line_bounds *bounds);

/** Sorts the bounds by their times and keeps those on the hull: the lower hull of bounds from above, the upper hull of
 * bounds from below. */
void ordo_device_line_reduce(struct ordo_device_line_bounds *bounds, bool from_above);

struct ordo_device_line_limits {
    int64_t from_ns, until_ns; /* the range of times of the device */
    double rate;               /* the steepest line, in ns per ns */
    double loose_ns;           /* by how much the offset may differ from a line */
};

enum { ORDO_LINE_STEPS = 64 };

/** All lines that meet the bounds. Offsets are relative to base_ns. */
struct ordo_device_line {
    struct ordo_device_line_limits limits;
    int64_t base_ns;
    double low[ORDO_LINE_STEPS + 1], high[ORDO_LINE_STEPS + 1]; /* at equal steps; -INFINITY and INFINITY: no bound */
    double rate_low, rate_high;
    double likely_from, likely_until; /* the likely line, at both ends of the range */
};

/** Finds the lines that meet all bounds, which are reduced. Returns false if there is none, or if out of memory. */
bool ordo_device_line_fit(struct ordo_device_line *line, const struct ordo_device_line_bounds *above,
                          const struct ordo_device_line_bounds *below, const struct ordo_device_line_limits *limits);

/** Returns the likely offset at a time of the device, rounded to the nearest ns. */
int64_t ordo_device_line_likely(const struct ordo_device_line *line, int64_t at_ns);

/** Return certain bounds of the offset at a time of the device. False: there is no bound. */
bool ordo_device_line_low(const struct ordo_device_line *line, int64_t at_ns, int64_t *low_ns);
bool ordo_device_line_high(const struct ordo_device_line *line, int64_t at_ns, int64_t *high_ns);

#endif
