/* The clock's origin, and its behaviour when the machine sleeps. */
#include <time.h>

#include "machine/clock/source.h"

ORDO_CLOCK_SOURCE_SYSTEM(NAME, CLOCK_MONOTONIC, "one line for people", true, false);
