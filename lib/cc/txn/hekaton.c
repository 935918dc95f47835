/* Hekaton. */
#include "cc/txn/hekaton/engine.h"

const struct ordo_db_engine ORDO_STAMPED(ordo_db_engine_hekaton) = HK_ENGINE;
