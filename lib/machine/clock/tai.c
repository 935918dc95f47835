#include <time.h>

#include "machine/clock/source.h"

static uint64_t read_tai_ns(void)
{
    return ordo_clock_system_ns(CLOCK_TAI);
}

static uint64_t call_tai_ns(void)
{
    return ordo_clock_library_ns(CLOCK_TAI);
}

const struct ordo_clock_source ordo_clock_source_tai = {
    .name = "tai",
    .title = "CLOCK_TAI: the time of day without leap seconds",
    .unit_hz = 1000000000,
    .steered = true,
    .settable = true,
    .on_request = true, /* TAI is realtime plus a whole number of seconds */
    .read = read_tai_ns,
    .call = call_tai_ns,
};
