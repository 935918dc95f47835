/* Optimistic concurrency control. */
#include "cc/txn/single/occ.h"

const struct ordo_db_engine ORDO_STAMPED(ordo_db_engine_occ) = OCC_ENGINE;
