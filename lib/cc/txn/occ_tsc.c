/* Optimistic concurrency control on the stamp "tsc". */
#define ORDO_STAMP_TSC
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_tsc = OCC_ENGINE;
