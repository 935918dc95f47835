/* Our Oplog on the counter, or on the kernel's clock if the counter is refused. */
#define ORDO_STAMP_ANY
#define OPLOG_ENGINE(structure) oplog_engine_any_##structure
#include "oplog/oplog_engine.h"
