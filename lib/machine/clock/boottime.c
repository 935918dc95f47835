#include <time.h>

#include "machine/clock/source.h"

ORDO_CLOCK_SOURCE_SYSTEM(boottime, CLOCK_BOOTTIME, "CLOCK_BOOTTIME: since boot, sleep included", true, false);
