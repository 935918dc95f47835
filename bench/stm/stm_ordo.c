/* Our transactional memory on hardware time and the boundary. */
#include "stm/stm_engine.h"
