#include <time.h>

#include "machine/clock/source.h"

ORDO_CLOCK_SOURCE_SYSTEM(monotonic_raw, CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW: since boot, never steered", false,
                         false);
