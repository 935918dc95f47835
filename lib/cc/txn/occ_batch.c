/* Optimistic concurrency control on the stamp "batch". */
#define ORDO_STAMP_BATCH
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_batch = OCC_ENGINE;
