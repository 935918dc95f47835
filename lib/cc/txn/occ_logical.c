/* Optimistic concurrency control on the stamp "logical". */
#define ORDO_STAMP_LOGICAL
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ordo_db_engine_occ_logical = OCC_ENGINE;
