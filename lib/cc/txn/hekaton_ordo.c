/* Hekaton on the stamp "ordo". */
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ordo_db_engine_hekaton_ordo = HK_ENGINE;
