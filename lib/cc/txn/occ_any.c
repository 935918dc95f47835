/* Optimistic concurrency control on the stamp "any". */
#define ORDO_STAMP_ANY
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_any = OCC_ENGINE;
