/* Our Oplog on hardware time as if all clocks agreed: wrong where they do not. */
#define ORDO_STAMP_TSC
#define OPLOG_ENGINE(structure) oplog_engine_tsc_##structure
#include "oplog/oplog_engine.h"
