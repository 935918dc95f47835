/* Our RLU on hardware time and the boundary. */
#include "rlu/rlu_engine.h"
