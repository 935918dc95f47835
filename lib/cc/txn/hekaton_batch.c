/* Hekaton on the stamp "batch". */
#define ORDO_STAMP_BATCH
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_batch = HK_ENGINE;
