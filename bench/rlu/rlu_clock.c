/* Our RLU with the stamp logical. Each section also reads the clock, and ignores the value. */
#define ORDO_STAMP_LOGICAL
#define RLU_CLOCK_IN_PLACE
#define RLU_STAMP "logical+clock"
#define RLU_ENGINE(structure) rlu_engine_clock_##structure
#include "rlu/rlu_engine.h"
