/* Hekaton on the stamp "tsc". */
#define ORDO_STAMP_TSC
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_tsc = HK_ENGINE;
