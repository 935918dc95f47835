/* Our Oplog on a counter of which each thread takes many times at once. */
#define ORDO_STAMP_BATCH
#define OPLOG_ENGINE(structure) oplog_engine_batch_##structure
#include "oplog/oplog_engine.h"
