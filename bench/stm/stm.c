/* Our transactional memory. */
#define STM_ENGINE(structure) ORDO_STAMPED(stm_engine, _##structure)
#include "stm/stm_engine.h"
