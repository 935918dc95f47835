/* Hekaton on the stamp "any". */
#define ORDO_STAMP_ANY
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_any = HK_ENGINE;
