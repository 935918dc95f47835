/* Our MV-RLU on hardware time as if all clocks agreed: wrong where they do not. */
#define RLU_MULTI
#define ORDO_STAMP_TSC
#define RLU_STAMP "tsc"
#define RLU_ENGINE(structure) rlu_engine_multi_tsc_##structure
#include "rlu/rlu_engine.h"
