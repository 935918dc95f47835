/* Our MV-RLU on the usual counter that all threads share. */
#define RLU_MULTI
#define ORDO_STAMP_LOGICAL
#define RLU_STAMP "logical"
#define RLU_ENGINE(structure) rlu_engine_multi_logical_##structure
#include "rlu/rlu_engine.h"
