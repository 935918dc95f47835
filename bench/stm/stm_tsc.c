/* Our transactional memory on hardware time as if all clocks agreed: wrong where they do not. */
#define ORDO_STAMP_TSC
#define STM_ALGORITHM "stm"
#define STM_STAMP "tsc"
#define STM_ENGINE(structure) stm_engine_tsc_##structure
#include "stm/stm_engine.h"
