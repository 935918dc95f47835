/* Our RLU on hardware time as if all clocks agreed: wrong where they do not, and what the boundary costs where they
 * do. */
#define ORDO_STAMP_TSC
#define RLU_STAMP "tsc"
#define RLU_ENGINE(structure) rlu_engine_tsc_##structure
#include "rlu/rlu_engine.h"
