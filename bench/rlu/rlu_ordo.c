/* Our RLU on hardware time and the boundary. */
#define RLU_STAMP "ordo"
#define RLU_ENGINE(structure) rlu_engine_ordo_##structure
#include "rlu/rlu_engine.h"
