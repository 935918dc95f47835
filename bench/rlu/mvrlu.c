/* Our MV-RLU. */
#define RLU_MULTI
#define RLU_ENGINE(structure) ORDO_STAMPED(rlu_engine_multi, _##structure)
#include "rlu/rlu_engine.h"
