/* Our RLU. */
#define RLU_ENGINE(structure) ORDO_STAMPED(rlu_engine, _##structure)
#include "rlu/rlu_engine.h"
