/* Hekaton on the stamp "corrected". */
#define ORDO_STAMP_CORRECTED
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_corrected = HK_ENGINE;
