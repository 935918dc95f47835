/* Our MV-RLU on hardware time and the boundary. */
#define RLU_MULTI
#include "rlu/rlu_engine.h"
