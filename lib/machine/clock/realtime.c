#include <time.h>

#include "machine/clock/source.h"

ORDO_CLOCK_SOURCE_SYSTEM(realtime, CLOCK_REALTIME, "CLOCK_REALTIME: the time of day, steered and stepped", true, true);
