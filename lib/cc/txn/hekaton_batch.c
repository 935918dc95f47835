/* Hekaton on the stamp "batch". */
#define ORDO_STAMP_BATCH
#define ORDO_ENGINE ordo_db_engine_hekaton_batch
#include "cc/txn/hekaton/read.h"
