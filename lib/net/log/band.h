/* The course of a series over its whole time in constant memory: the least and the greatest value in each of at most
 * ORDO_LOG_CELLS equal spans of time. When the time does not fit, the spans become twice as long. */
#ifndef ORDO_NET_LOG_BAND_H
#define ORDO_NET_LOG_BAND_H

#include <stdint.h>

enum { ORDO_LOG_CELLS = 512 };

struct ordo_log_band {
    int64_t begin_ns, span_ns; /* span_ns 0: empty */
    struct ordo_log_cell {
        double low, high;
        uint64_t count;
    } cell[ORDO_LOG_CELLS];
};

/** Adds a value. A value before the first one is counted in the first cell. */
void ordo_log_band_add(struct ordo_log_band *band, int64_t at_ns, double low, double high);

#endif
