#include <stddef.h>
#include <sys/time.h>

#include "machine/clock/source.h"

static uint64_t read_gettimeofday_ns(void)
{
    struct timeval now;
    (void)gettimeofday(&now, NULL);
    return ((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec) * 1000u;
}

const struct ordo_clock_source ordo_clock_source_gettimeofday = {
    .name = "gettimeofday",
    .title = "the time of day in microseconds",
    .unit_hz = 1000000000,
    .granule_units = 1000,
    .steered = true,
    .settable = true,
    .read = read_gettimeofday_ns,
};
