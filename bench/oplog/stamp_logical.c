/* Our Oplog on the counter that all share. */
#define ORDO_STAMP_LOGICAL
#define OPLOG_ENGINE(structure) oplog_engine_logical_##structure
#include "oplog/oplog_engine.h"
