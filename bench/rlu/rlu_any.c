/* Our RLU on the counter, or on the kernel's clock if the counter is refused. */
#define ORDO_STAMP_ANY
#define RLU_STAMP "any"
#define RLU_ENGINE(structure) rlu_engine_any_##structure
#include "rlu/rlu_engine.h"
