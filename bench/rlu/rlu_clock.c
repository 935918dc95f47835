/* Our RLU on the counter, with a clock read in each section that nothing depends on. */
#define ORDO_STAMP_LOGICAL
#define RLU_CLOCK_IN_PLACE
#define RLU_STAMP "logical+clock"
#define RLU_ENGINE(structure) rlu_engine_clock_##structure
#include "rlu/rlu_engine.h"
