/* Our MV-RLU on hardware time that is corrected per CPU, and the boundary of that. */
#define RLU_MULTI
#define ORDO_STAMP_CORRECTED
#define RLU_STAMP "corrected"
#define RLU_ENGINE(structure) rlu_engine_multi_corrected_##structure
#include "rlu/rlu_engine.h"
