/* Hekaton on the stamp "logical". */
#define ORDO_STAMP_LOGICAL
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_logical = HK_ENGINE;
