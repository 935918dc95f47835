/* An interval that holds what it is about with certainty; in ticks. Empty where low > high. */
#ifndef ORDO_BASE_INTERVAL_H
#define ORDO_BASE_INTERVAL_H

#include <stdint.h>

struct ordo_interval {
    int64_t low, high;
};

#endif
