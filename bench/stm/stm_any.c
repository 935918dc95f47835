/* Our transactional memory on the counter, or on the kernel's clock if the counter is refused. */
#define ORDO_STAMP_ANY
#define STM_ALGORITHM "stm"
#define STM_STAMP "any"
#define STM_ENGINE(structure) stm_engine_any_##structure
#include "stm/stm_engine.h"
