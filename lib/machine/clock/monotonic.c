#include <time.h>

#include "machine/clock/source.h"

ORDO_CLOCK_SOURCE_SYSTEM(monotonic, CLOCK_MONOTONIC, "CLOCK_MONOTONIC: since boot, steered by NTP", true, false);
