/* Our transactional memory on a counter that commits only read. */
#define ORDO_STAMP_GV5
#define STM_ALGORITHM "stm"
#define STM_STAMP "gv5"
#define STM_ENGINE(structure) stm_engine_gv5_##structure
#include "stm/stm_engine.h"
