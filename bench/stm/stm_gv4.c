/* Our transactional memory on a counter of which commits that collide share one increment. */
#define ORDO_STAMP_GV4
#define STM_ALGORITHM "stm"
#define STM_STAMP "gv4"
#define STM_ENGINE(structure) stm_engine_gv4_##structure
#include "stm/stm_engine.h"
