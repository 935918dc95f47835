/* Our MV-RLU on the counter, or on the kernel's clock if the counter is refused. */
#define RLU_MULTI
#define ORDO_STAMP_ANY
#define RLU_STAMP "any"
#define RLU_ENGINE(structure) rlu_engine_multi_any_##structure
#include "rlu/rlu_engine.h"
