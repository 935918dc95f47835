#include <ordo/clock.h>

#include "machine/clock/source.h"

const struct ordo_clock_source ordo_clock_source_hardware = {
    .name = ORDO_CLOCK_NAME,
    .title = "the counter that the runtime reads",
    .read = ordo_clock_read,
};
