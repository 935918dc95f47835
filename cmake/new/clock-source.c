/* The clock's unit and origin, with the document that states them. */
#include <ordo/clock.h>

#include "machine/clock/source.h"

static uint64_t read_NAME_units(void)
{
    return ordo_clock_read();
}

const struct ordo_clock_source ordo_clock_source_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .unit_hz = 0, /* only a measurement can tell */
    .read = read_NAME_units,
};
