/* Our transactional memory on the usual counter, which every commit increments: GV1. */
#define ORDO_STAMP_LOGICAL
#define STM_ALGORITHM "stm"
#define STM_STAMP "logical"
#define STM_ENGINE(structure) stm_engine_logical_##structure
#include "stm/stm_engine.h"
