#include <time.h>

#include "machine/clock/source.h"

static uint64_t read_realtime_coarse_ns(void)
{
    return ordo_clock_system_ns(CLOCK_REALTIME_COARSE);
}

static uint64_t call_realtime_coarse_ns(void)
{
    return ordo_clock_library_ns(CLOCK_REALTIME_COARSE);
}

const struct ordo_clock_source ordo_clock_source_realtime_coarse = {
    .name = "realtime_coarse",
    .title = "CLOCK_REALTIME_COARSE: as of the last kernel tick",
    .unit_hz = 1000000000,
    .granule_units = ORDO_CLOCK_LONGEST_TICK_NS,
    .steered = true,
    .settable = true,
    .on_request = true,
    .read = read_realtime_coarse_ns,
    .call = call_realtime_coarse_ns,
};
