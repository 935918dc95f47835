/* Optimistic concurrency control on the stamp "corrected". */
#define ORDO_STAMP_CORRECTED
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_corrected = OCC_ENGINE;
