/* Optimistic concurrency control on the stamp "batch". */
#define ORDO_STAMP_BATCH
#define CC_OCC
#define ORDO_ENGINE ordo_db_engine_occ_batch
#include "cc/txn/single/execute.h"
